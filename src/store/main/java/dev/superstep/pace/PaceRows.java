package dev.superstep.pace;

import dev.superstep.database.Pools;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The rows of models that have limits, and of their calls.
@Component
class PaceRows {
  /// Of a longer queue those with the first turns are read.
  static final int CALLS_MAX = 2_000;

  private static final String STATE =
      """
      select turn, paused_until, used, call_ms from model_pace where model = :model for update
      """;

  private static final String CALLS =
      """
      select call, tenant, turn, tokens, until from (
        (select * from model_call where model = :model and not runs order by turn limit :max)
        union
        select * from model_call where model = :model and not runs and call = any(:calls)
      ) as waiting
      """;

  private static final String RUNNING =
      """
      select count(*) from model_call where model = :model and runs and until > :now
         and call <> all(:calls)
      """;

  private static final String WRITE =
      """
      insert into model_call (model, call, tenant, turn, tokens, runs, until)
      select :model, call, tenant, turn, tokens, :runs, until
        from unnest(:calls::text[], :tenants::text[], :turns::bigint[], :tokens::bigint[],
                    :until::timestamptz[]) as given (call, tenant, turn, tokens, until)
          on conflict (model, call) do update
         set tokens = excluded.tokens, runs = excluded.runs, until = excluded.until
      """;

  /// A queue that is paused is as good as a failure.
  private static final String COOLING =
      """
      select model, greatest(paused_until, cooled_until) as until from model_pace
       where greatest(paused_until, cooled_until) > :now
      """;

  private static final String COOL =
      """
      insert into model_pace (model, cooled_until) values (:model, :until)
          on conflict (model) do update
         set cooled_until = greatest(model_pace.cooled_until, excluded.cooled_until)
      """;

  private static final Duration PAUSE_MAX = Duration.ofMinutes(10);

  private final JdbcClient jdbc;

  PaceRows(@Qualifier(Pools.ENGINE) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Locks the model until the transaction ends.
  ModelState lock(String model) {
    return state(model)
        .orElseGet(() -> {
          int _ =
              jdbc.sql("insert into model_pace (model) values (:model) on conflict do nothing")
                  .param("model", model)
                  .update();
          return state(model).orElseThrow();
        });
  }

  private Optional<ModelState> state(String model) {
    return jdbc.sql(STATE).param("model", model).query((row, _) -> state(row)).optional();
  }

  private static ModelState state(ResultSet row) throws SQLException {
    var paused = row.getObject("paused_until", OffsetDateTime.class);
    return new ModelState(
        UsedAllowance.read(row.getString("used")),
        row.getLong("turn"),
        paused == null ? 0 : paused.toInstant().toEpochMilli(),
        row.getInt("call_ms"));
  }

  void write(String model, ModelState state) {
    int _ =
        jdbc.sql(
                """
                update model_pace
                   set turn = :turn, paused_until = :paused, used = :used, call_ms = :call_ms
                 where model = :model
                """)
            .param("turn", state.turn())
            .param("paused", time(state.pausedUntil()))
            .param("used", state.used().write())
            .param("call_ms", state.callMs())
            .param("model", model)
            .update();
  }

  /// @param asking of which all are read, however long the queue is
  List<WaitingCall> waiting(String model, Collection<String> asking) {
    return jdbc.sql(CALLS)
        .param("model", model)
        .param("max", CALLS_MAX)
        .param("calls", asking.toArray(String[]::new))
        .query((row, _) -> waiting(row))
        .list();
  }

  private static WaitingCall waiting(ResultSet row) throws SQLException {
    return new WaitingCall(
        row.getString("call"),
        row.getString("tenant"),
        row.getLong("turn"),
        row.getLong("tokens"),
        row.getObject("until", OffsetDateTime.class).toInstant().toEpochMilli());
  }

  /// How many calls are under a lease that holds.
  ///
  /// @param asking not these: whoever had them is not making them any more
  long running(String model, Collection<String> asking, long now) {
    return jdbc.sql(RUNNING)
        .param("model", model)
        .param("now", time(now))
        .param("calls", asking.toArray(String[]::new))
        .query(Long.class)
        .single();
  }

  /// @param runs whether they are made, under a lease
  record StoredCalls(boolean runs, List<WaitingCall> calls) {}

  void write(String model, StoredCalls stored) {
    var calls = stored.calls();
    if (calls.isEmpty()) {
      return;
    }
    int _ =
        jdbc.sql(WRITE)
            .param("model", model)
            .param("calls", calls.stream().map(WaitingCall::id).toArray(String[]::new))
            .param("tenants", calls.stream().map(WaitingCall::tenant).toArray(String[]::new))
            .param("turns", calls.stream().map(WaitingCall::turn).toArray(Long[]::new))
            .param("tokens", calls.stream().map(WaitingCall::tokens).toArray(Long[]::new))
            .param("runs", stored.runs())
            .param("until", calls.stream().map(it -> text(it.until())).toArray(String[]::new))
            .update();
  }

  void delete(String model, Collection<String> calls) {
    if (!calls.isEmpty()) {
      int _ =
          jdbc.sql("delete from model_call where model = :model and call = any(:calls)")
              .param("model", model)
              .param("calls", calls.toArray(String[]::new))
              .update();
    }
  }

  /// Frees places in the queue.
  void leave(String model, Collection<String> calls) {
    if (!calls.isEmpty()) {
      int _ =
          jdbc.sql(
                  "delete from model_call where model = :model and not runs and call = any(:calls)")
              .param("model", model)
              .param("calls", calls.toArray(String[]::new))
              .update();
    }
  }

  /// Prolongs the leases of calls that are made here.
  void prolong(String model, Collection<String> calls, long until) {
    int _ =
        jdbc.sql(
                """
                update model_call set until = :until
                 where model = :model and runs and call = any(:calls)
                """)
            .param("until", time(until))
            .param("model", model)
            .param("calls", calls.toArray(String[]::new))
            .update();
  }

  /// Until when models are asked behind others, in ms.
  Map<String, Long> cooling(long now) {
    var until = new HashMap<String, Long>();
    RowCallbackHandler reading =
        row ->
            until.put(
                row.getString("model"),
                Math.min(
                    row.getObject("until", OffsetDateTime.class).toInstant().toEpochMilli(),
                    now + PAUSE_MAX.toMillis()));
    jdbc.sql(COOLING).param("now", time(now)).query(reading);
    return until;
  }

  void cool(String model, long until) {
    int _ = jdbc.sql(COOL).param("model", model).param("until", time(until)).update();
  }

  /// Forgets calls whose time is long over.
  void forgetUntil(long until) {
    int _ =
        jdbc.sql("delete from model_call where until < :until")
            .param("until", time(until))
            .update();
  }

  /// @param used what counts towards the limits
  record QueueState(String model, long waiting, UsedAllowance used) {}

  List<QueueState> seen() {
    return jdbc.sql(
            """
            select model, used,
                   (select count(*) from model_call as call
                     where call.model = pace.model and not runs) as waiting
              from model_pace as pace
            """)
        .query((row, _) ->
            new QueueState(
                row.getString("model"),
                row.getLong("waiting"),
                UsedAllowance.read(row.getString("used"))))
        .list();
  }

  private static String text(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  private static OffsetDateTime time(long ms) {
    return Instant.ofEpochMilli(ms).atOffset(ZoneOffset.UTC);
  }
}
