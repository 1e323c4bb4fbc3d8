package dev.superstep.checkpoint.work;

import dev.superstep.checkpoint.WorkerEndCodec;
import dev.superstep.engine.run.CallbackRequest;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.WorkerEnd;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The rows of callbacks for those who answer them. Each method is one statement, which joins the
/// current transaction. A deadline is over when the clock of the database says so, whoever has
/// noticed; silence is, when somebody has: after an outage nobody could be heard of.
@Component
public class Callbacks {
  private static final String OPEN =
      "id = :id and state = 'awaited' and end_until > coalesce(:at, clock_timestamp())";

  private static final String END =
      """
      update task
         set state = 'done', outcome = :outcome, answer = :answer, ended_at = clock_timestamp(),
             claims = 1
       where %s
      """
          .formatted(OPEN);

  private static final String HEARTBEAT =
      """
      update task
         set heard = true,
             start_until = case when heartbeat_ms > 0
               then least(end_until, clock_timestamp() + heartbeat_ms * interval '1 millisecond')
               else end_until end
       where %s
      returning start_until
      """
          .formatted(OPEN);

  private final JdbcClient jdbc;

  Callbacks(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param state what has become of it
  public record StoredCallback(String id, String run, TaskKey task, CallbackState state) {}

  public enum CallbackState {
    OPEN,
    /// By an answer in time.
    ANSWERED,
    /// Its time is over, or nobody waits for it any more.
    CLOSED
  }

  /// What the token is for.
  ///
  /// @return empty if it is for nothing, or belongs to nothing any more
  public Optional<StoredCallback> find(CallbackToken token) {
    return jdbc.sql(
            """
            select id, run, superstep, node, dispatch_id, token, state,
                   end_until > clock_timestamp() as in_time, claims = 1 as answered
              from task where id = :id and type = :type
            """)
        .param("id", token.id())
        .param("type", CallbackRequest.BY_TOKEN)
        .query((row, _) ->
            token.opens(row.getObject("token", UUID.class))
                ? Optional.of(stored(row))
                : Optional.<StoredCallback>empty())
        .optional()
        .flatMap(it -> it);
  }

  private static StoredCallback stored(ResultSet row) throws SQLException {
    var state =
        switch (row.getString("state")) {
          case "awaited" -> row.getBoolean("in_time") ? CallbackState.OPEN : CallbackState.CLOSED;
          case "done" -> row.getBoolean("answered") ? CallbackState.ANSWERED : CallbackState.CLOSED;
          default -> CallbackState.CLOSED;
        };
    return new StoredCallback(
        row.getString("id"), row.getString("run"), ClaimedTask.key(row), state);
  }

  /// Ends a callback. The caller has locked its run.
  ///
  /// @param answer number among the answers of the run
  /// @param at when the answer came; empty: now
  /// @return false if it is not open: nothing has changed
  public boolean end(String id, WorkerEnd end, int answer, Optional<Instant> at) {
    return jdbc.sql(END)
            .param("id", id)
            .param("outcome", WorkerEndCodec.bytes(end))
            .param("answer", answer)
            .param(
                "at",
                at.map(it -> it.atOffset(ZoneOffset.UTC)).orElse(null),
                Types.TIMESTAMP_WITH_TIMEZONE)
            .update()
        == 1;
  }

  /// Notes that whoever is to answer is alive.
  ///
  /// @return until when that counts; empty if it is not open: nothing has changed
  public Optional<Instant> heartbeat(String id) {
    return jdbc.sql(HEARTBEAT)
        .param("id", id)
        .param("at", null, Types.TIMESTAMP_WITH_TIMEZONE)
        .query((row, _) -> row.getObject("start_until", OffsetDateTime.class).toInstant())
        .optional();
  }
}
