package dev.superstep.checkpoint.inbox;

import dev.superstep.checkpoint.StoredForm;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.checkpoint.inbox.StoredMessage.MessageFate;
import dev.superstep.checkpoint.inbox.StoredMessage.MessageStatus;
import dev.superstep.checkpoint.row.StoredStatus;
import dev.superstep.database.EntityColumns;
import dev.superstep.engine.run.InboxMessage.IfUntaken;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.Value;
import jakarta.persistence.EntityManagerFactory;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Stores and reads messages to runs, in the caller's transaction, which has locked the run: so
/// they are numbered in the order in which they are accepted.
@Component
public class RunMessages {
  private static final String LOCK =
      """
      select id, status, owner, thread_id, graph, version, caller,
             status = 'enqueued' and exists (
               select from run_input where run_input.run = run.id and continues is not null)
               as is_call
        from run where id = ? for no key update
      """;

  /// The run counts it as it counts answers: no commit that has not seen it is the last. Releases
  /// that take no messages leave runs of this form alone.
  private static final String INSERT =
      """
      with waiting as (
        select count(*) as messages, coalesce(sum(octet_length(value)), 0) as bytes
          from run_message
         where run = :run and checkpoint is null and next_run is null
      ), standing as (
        select coalesce(max(seq), 0) as last from run_message where run = :run
      ), inserted as (
        {insert}
          from waiting, standing
         where waiting.messages < :messagesMax and waiting.bytes + :bytes <= :bytesMax
           and standing.last < :allMax and (:isCopy or every_replica_takes_messages())
        returning run, seq
      ), counted as (
        update run set answers = answers + 1, form = greatest(form, :form)
          from inserted where run.id = inserted.run
      )
      select seq from inserted
      """;

  private static final String COLUMNS =
      """
      select message.run, message.seq, message.id, message.channel, message.value,
             message.if_ended, message.sender, message.sent_at, message.superstep,
             message.checkpoint, message.rejected, message.next_run, run.status
        from run_message as message join run on run.id = message.run
      """;

  private static final String STARTING =
      """
       message.if_ended = 'start' and message.checkpoint is null and message.next_run is null
         and run.status in ('succeeded', 'failed', 'cancelled')
      """;

  private final JdbcClient jdbc;
  private final String insert;

  RunMessages(JdbcClient jdbc, EntityManagerFactory entities) {
    this.jdbc = jdbc;
    var values = new HashMap<String, String>();
    Stream.of("run", "id", "said", "channel", "value").forEach(it -> values.put(it, ":" + it));
    Stream.of("checkpoint", "superstep", "next_run").forEach(it -> values.put(it, "null"));
    values.put("seq", "standing.last + 1");
    values.put("if_ended", ":ifEnded");
    values.put("sender", ":sender::text");
    values.put("sent_at", "clock_timestamp()");
    values.put("rejected", "false");
    insert =
        INSERT.replace(
            "{insert}",
            EntityColumns.of(entities, RunMessageEntity.class).insertSelect(values).indent(2));
  }

  /// A run that is locked until the transaction ends.
  ///
  /// @param owner the replica that drives it
  /// @param isCall whether it is a call that waits to go on with its thread, and may be none
  public record LockedRun(
      String id,
      RunStatus status,
      Optional<String> owner,
      Optional<String> thread,
      GraphOfRun graph,
      String caller,
      boolean isCall) {

    /// Whether another run may have its thread.
    public boolean isOver() {
      return !status.active();
    }

    /// Whether it can take no message any more.
    public boolean hasEnded() {
      return status == RunStatus.SUCCEEDED || status == RunStatus.CANCELLED;
    }

    private static LockedRun of(ResultSet row) throws SQLException {
      return new LockedRun(
          row.getString("id"),
          StoredStatus.read(row.getString("status")),
          text(row, "owner"),
          text(row, "thread_id"),
          GraphOfRun.of(row),
          row.getString("caller"),
          row.getBoolean("is_call"));
    }
  }

  /// The graph of a run, which never changes.
  public record GraphOfRun(String name, int version) {
    private static GraphOfRun of(ResultSet row) throws SQLException {
      return new GraphOfRun(row.getString("graph"), row.getInt("version"));
    }
  }

  /// How much of what one run may have.
  ///
  /// @param waiting messages that no superstep has taken
  /// @param bytes of these
  /// @param all messages that it has ever had
  public record MessageBounds(int waiting, long bytes, int all) {}

  /// A message that is to be stored.
  ///
  /// @param said hash of what its sender has said; empty: nobody can repeat it
  public record NewMessage(
      String id,
      String said,
      String channel,
      Value value,
      IfUntaken ifUntaken,
      Optional<String> sender) {}

  /// A message that a run of a thread has.
  public record KnownMessage(String run, int seq, String said) {}

  public Optional<LockedRun> lock(String run) {
    return jdbc.sql(LOCK).param(run).query((row, _) -> LockedRun.of(row)).optional();
  }

  public Optional<GraphOfRun> graph(String run) {
    return jdbc.sql("select graph, version from run where id = ?")
        .param(run)
        .query((row, _) -> GraphOfRun.of(row))
        .optional();
  }

  /// The message of this id, if a run of the thread has it.
  public Optional<KnownMessage> findInThread(String thread, String id) {
    return jdbc.sql(
            """
            select message.run, message.seq, message.said
              from run_message as message join run on run.id = message.run
             where run.thread_id = ? and message.id = ?
             order by run.ordinal desc limit 1
            """)
        .params(thread, id)
        .query(RunMessages::known)
        .optional();
  }

  /// The message of this id, if the run has it.
  public Optional<KnownMessage> find(String run, String id) {
    return jdbc.sql("select run, seq, said from run_message where run = ? and id = ?")
        .params(run, id)
        .query(RunMessages::known)
        .optional();
  }

  private static KnownMessage known(ResultSet row, int number) throws SQLException {
    return new KnownMessage(row.getString("run"), row.getInt("seq"), row.getString("said"));
  }

  /// @return false if a bound is reached, or a replica of an earlier release could drive the run
  public boolean insert(String run, NewMessage message, MessageBounds bounds) {
    return insert(run, message, bounds, false);
  }

  /// Gives a run that begins with messages of another one more of them.
  public void copy(String run, NewMessage message) {
    var unbounded = new MessageBounds(Integer.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE);
    if (!insert(run, message, unbounded, true)) {
      throw new IllegalStateException("run '%s' does not take a message".formatted(run));
    }
  }

  private boolean insert(String run, NewMessage message, MessageBounds bounds, boolean isCopy) {
    var value = StoredObject.bytes(message.value());
    return jdbc.sql(insert)
        .param("run", run)
        .param("id", message.id())
        .param("said", message.said())
        .param("channel", message.channel())
        .param("value", value)
        .param("ifEnded", message.ifUntaken() == IfUntaken.START ? "start" : "reject")
        .param("sender", message.sender().orElse(null))
        .param("isCopy", isCopy)
        .param("form", StoredForm.WITH_MESSAGES)
        .param("bytes", value.length)
        .param("messagesMax", bounds.waiting())
        .param("bytesMax", bounds.bytes())
        .param("allMax", bounds.all())
        .query(Integer.class)
        .optional()
        .isPresent();
  }

  /// Whether every replica takes messages to the runs that it drives.
  public boolean areTaken() {
    return jdbc.sql("select every_replica_takes_messages()").query(Boolean.class).single();
  }

  /// In the order in which they were accepted.
  ///
  /// @param after the number behind which to begin
  public List<StoredMessage> list(String run, int after, int limit) {
    return jdbc.sql(
            COLUMNS + " where message.run = ? and message.seq > ? order by message.seq limit ?")
        .params(run, after, limit)
        .query((row, _) -> read(row))
        .list();
  }

  /// The first messages of a locked thread whose runs have ended without them and that are to begin
  /// another, those of the earliest run first.
  public List<StoredMessage> starting(String thread, int limit) {
    return jdbc.sql(
            COLUMNS
                + " where run.thread_id = ? and"
                + STARTING
                + " order by run.ordinal, message.run, message.seq limit ?")
        .params(thread, limit)
        .query((row, _) -> read(row))
        .list();
  }

  /// Threads that have such messages.
  public List<String> startingThreads(int limit) {
    return jdbc.sql(
            """
            select run.thread_id
              from run_message as message join run on run.id = message.run
             where run.thread_id is not null and
            """
                + STARTING
                + " group by run.thread_id order by random() limit ?")
        .param(limit)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// Another run begins with the message.
  public void move(StoredMessage message, String nextRun) {
    jdbc.sql("update run_message set next_run = ? where run = ? and seq = ?")
        .params(nextRun, message.run(), message.seq())
        .update();
  }

  private static StoredMessage read(ResultSet row) throws SQLException {
    return new StoredMessage(
        row.getString("run"),
        row.getInt("seq"),
        row.getString("id"),
        row.getString("channel"),
        StoredObject.value(row.getBytes("value")),
        row.getString("if_ended").equals("start") ? IfUntaken.START : IfUntaken.FOLD,
        text(row, "sender"),
        row.getObject("sent_at", OffsetDateTime.class).toInstant(),
        fate(row));
  }

  private static MessageFate fate(ResultSet row) throws SQLException {
    var superstep = Optional.ofNullable(row.getObject("superstep", Integer.class));
    return new MessageFate(status(row, superstep.isPresent()), superstep, text(row, "next_run"));
  }

  private static MessageStatus status(ResultSet row, boolean taken) throws SQLException {
    if (taken) {
      return row.getBoolean("rejected") ? MessageStatus.REJECTED : MessageStatus.TAKEN;
    }
    if (text(row, "next_run").isPresent()) {
      return MessageStatus.MOVED;
    }
    if (row.getString("if_ended").equals("start")) {
      return MessageStatus.WAITING; // for the next run
    }
    return switch (StoredStatus.read(row.getString("status"))) {
      case SUCCEEDED, CANCELLED -> MessageStatus.LEFT;
      case QUEUED, RUNNING, WAITING, INTERRUPTED, FAILED, CANCELLING -> MessageStatus.WAITING;
    };
  }

  private static Optional<String> text(ResultSet row, String column) throws SQLException {
    @Nullable String text = row.getString(column);
    return Optional.ofNullable(text);
  }
}
