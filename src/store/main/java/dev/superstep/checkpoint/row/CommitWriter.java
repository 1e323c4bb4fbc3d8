package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.CheckpointLink;
import dev.superstep.checkpoint.HeadCodec;
import dev.superstep.checkpoint.MessageMetrics;
import dev.superstep.checkpoint.TaskRecordCodec;
import dev.superstep.checkpoint.row.InterruptColumns.RaisedInterrupt;
import dev.superstep.database.EntityColumns;
import dev.superstep.database.PoolEntities;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import jakarta.persistence.EntityManagerFactory;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/// Writes the head and the checkpoint of a commit: the fenced update of the head decides, and the
/// rows that go with it follow in the same statement.
@Component
class CommitWriter {
  private static final String FENCE =
      """
      update run
         set checkpoint = :number,
             superstep = :superstep,
             status = :status,
             owner = case when :running then owner end,
             event_seq = event_seq + :events,
             driver_writes = driver_writes + 1,
             takeovers = 0,
             wake = wake + :wakes,
             wakes_at = :wakes_at::timestamptz,
             queued_at = case when :queued then clock_timestamp() else queued_at end,
             elapsed_ms = :elapsed_ms,
             passed_superstep = :passed_superstep,
             passed_after = :passed_after,
             passed_before = :passed_before,
             breakpoint = :breakpoint::bytea,
             pause_superstep = case when not :pauses then pause_superstep end,
             error = :error::bytea,
             error_code = :error_code::text,
             finished_at = case when :finished then greatest(clock_timestamp(), :behind::timestamptz) end
       where id = :run and lease_epoch = :epoch and checkpoint = :parent
         and (cancel_requested_at is null or :passes_cancel)
         and (case when pause_superstep <= :superstep then :passes_pause else not :pauses end)
         and (answers = :answers_seen or not :needs_answers)
      """
          + WrittenHead.returning("greatest(clock_timestamp(), :behind::timestamptz)");

  private static final String HEAD = " select * from head";

  private static final String TAKEN =
      """
      , taken as (
        update run_message
           set checkpoint = :number, superstep = :committed,
               rejected = run_message.id = any(:rejected::text[])
          from head
         where run_message.run = head.id and run_message.id = any(:taken::text[])
           and run_message.checkpoint is null and run_message.next_run is null
        returning run_message.id
      )
      select head.*, (select count(*) from taken) as taken from head
      """;

  private final PoolEntities entities;
  private final InterruptWrites interrupts;
  private final JdbcClient jdbc;
  private final String quiet;
  private final String asking;
  private final String taking;
  private final String askingAndTaking;
  private final MessageMetrics metrics;

  CommitWriter(
      @Qualifier(Pools.ENGINE) PoolEntities entities,
      @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      EntityManagerFactory factory,
      InterruptColumns columns,
      InterruptWrites interrupts,
      MessageMetrics metrics) {
    this.metrics = metrics;
    this.entities = entities;
    this.interrupts = interrupts;
    this.jdbc = jdbc;
    var rows = rows(insertCheckpoint(factory, "coalesce(head.finished_at, head.at)"));
    var opened = ", opened as (%n%s%n)".formatted(columns.open());
    quiet = rows + HEAD;
    asking = rows + opened + HEAD;
    taking = rows + TAKEN;
    askingAndTaking = rows + opened + TAKEN;
  }

  /// The rest of a commit with a checkpoint, for the run that the fence has let pass: what is
  /// written together is one statement. Interrupts that are open and whose task does not wait for
  /// them any more have expired.
  ///
  /// @param checkpoint the insert of the checkpoint
  private static String rows(String checkpoint) {
    return """
    with head as (
      %s, id, graph
    ), written as (
      %s
        from head
    ), included as (
      delete from recorded_task as recorded using head
       where recorded.run = head.id and (:advances or recorded.task = any(:included::text[]))
    ), closed as (
      update interrupt set status = 'expired', closed_at = clock_timestamp()
        from head
       where interrupt.run = head.id and interrupt.status = 'open'
         and interrupt.id <> all(:waited_for::text[])
    )
    """
        .formatted(FENCE, checkpoint);
  }

  /// `insert into checkpoint (…) select …`, to be continued with a `from` in which `head` has what
  /// [WrittenHead] returns and the `id` of the run. Besides those of [#bind] it needs the parameter
  /// `:events`, their number.
  ///
  /// @param committedAt SQL expression of the time
  static String insertCheckpoint(EntityManagerFactory entities, String committedAt) {
    var values = new HashMap<String, String>();
    Stream.of(
            "kind",
            "number",
            "base",
            "delta_bytes",
            "snapshot_bytes",
            "state_hash",
            "content",
            "link")
        .forEach(it -> values.put(it, ":" + it));
    values.put("events", ":event_bytes");
    values.put("snapshot", ":snapshot::bytea");
    values.put("superstep", ":committed");
    values.put("run", "head.id");
    values.put("version", "head.version");
    values.put("lease_epoch", "head.lease_epoch");
    values.put("first_event", "head.event_seq - :events + 1");
    values.put("last_event", "head.event_seq");
    values.put("committed_at", committedAt);
    values.put("seal", CheckpointLink.seal(":link", values));
    return EntityColumns.of(entities, CheckpointEntity.class).insertSelect(values);
  }

  /// Sets the parameters of [#insertCheckpoint].
  static StatementSpec bind(StatementSpec statement, EncodedCheckpoint encoded) {
    return statement
        .param("number", encoded.number())
        .param("kind", encoded.storedKind())
        .param("committed", encoded.superstep())
        .param("base", encoded.replayCost().base())
        .param("delta_bytes", encoded.replayCost().deltaBytes())
        .param("snapshot_bytes", Math.toIntExact(encoded.replayCost().snapshotBytes()))
        .param("state_hash", encoded.stateHash())
        .param("content", encoded.content())
        .param("event_bytes", encoded.events())
        .param("link", encoded.link())
        .param("snapshot", encoded.snapshot());
  }

  /// A commit with a checkpoint is one statement, and needs no transaction around it, unless it
  /// takes messages: it is rolled back if they do not wait.
  ///
  /// @param encodedCheckpoint null: only the head is written, and events
  /// @return empty if the fence refused it and nothing has changed
  Optional<WrittenHead> write(
      Lease lease, Commit commit, @Nullable EncodedCheckpoint encodedCheckpoint) {
    return encodedCheckpoint == null
        ? writeHead(lease, commit)
        : writeRows(lease, commit, encodedCheckpoint);
  }

  private Optional<WrittenHead> writeHead(Lease lease, Commit commit) {
    var run = lease.run();
    var written = fenced(FENCE, lease, commit).query(WrittenHead::of).optional();
    written.ifPresent(head -> {
      entities.insert(
          RunEventEntity.of(run, commit.events(), head.lastEvent(), head.committedAt()));
      if (commit.head().status() == RunStatus.CANCELLED) {
        interrupts.cancel(run);
      }
    });
    return written;
  }

  private Optional<WrittenHead> writeRows(Lease lease, Commit commit, EncodedCheckpoint encoded) {
    var tasks = commit.checkpoint().orElseThrow().delta().tasks();
    var held = commit.checkpoint().orElseThrow().after().held().values();
    var waitedFor = InterruptColumns.raised(held).stream().map(RaisedInterrupt::id);
    var raised = InterruptColumns.raised(tasks);
    var taken = commit.taken();
    var sql =
        taken.isEmpty()
            ? raised.isEmpty() ? quiet : asking
            : raised.isEmpty() ? taking : askingAndTaking;
    var statement =
        fenced(sql, lease, commit)
            .param("advances", commit.advances())
            .param(
                "included",
                tasks.stream().map(it -> TaskRecordCodec.key(it.key())).toArray(String[]::new))
            .param("waited_for", waitedFor.toArray(String[]::new));
    bind(statement, encoded);
    if (!taken.isEmpty()) {
      statement
          .param("taken", taken.toArray(String[]::new))
          .param("rejected", rejected(tasks).toArray(String[]::new));
    }
    return (raised.isEmpty() ? statement : InterruptColumns.bind(statement, raised))
        .query((row, number) -> {
          if (!taken.isEmpty()) {
            took(lease, taken, row.getInt("taken"));
          }
          return WrittenHead.of(row, number);
        })
        .optional();
  }

  private void took(Lease lease, List<String> messages, int waited) {
    if (waited != messages.size()) {
      throw new IllegalStateException(
          "run '%s' takes %d messages, of which %d have waited"
              .formatted(lease.run(), messages.size(), waited));
    }
    metrics.take(waited);
  }

  private static List<String> rejected(List<TaskRecord> tasks) {
    return tasks.stream()
        .filter(it -> it.isMessage() && it.status() instanceof TaskRecord.TaskStatus.Rejected)
        .flatMap(it -> Stream.ofNullable(it.key().dispatchId()))
        .toList();
  }

  private StatementSpec fenced(String sql, Lease lease, Commit commit) {
    return bind(jdbc.sql(sql), commit.head())
        .param("run", lease.run())
        .param("epoch", lease.epoch())
        .param("parent", commit.parent())
        .param(
            "behind",
            commit
                .checkpoint()
                .map(it -> it.after().stamp().at().atOffset(ZoneOffset.UTC))
                .orElse(null))
        .param("number", commit.parent() + (commit.checkpoint().isPresent() ? 1 : 0))
        .param("events", commit.events().size())
        .param("passes_cancel", CommitKind.passesCancel(commit.head()))
        .param("passes_pause", CommitKind.passesPause(commit))
        .param("pauses", CommitKind.pauses(commit.head()))
        .param("needs_answers", CommitKind.needsAnswers(commit))
        .param("answers_seen", commit.answersSeen());
  }

  private static StatementSpec bind(StatementSpec fenced, RunHead head) {
    boolean queued = head.status() == RunStatus.QUEUED;
    var wakesAt = queued ? Optional.<Instant>empty() : head.wakesAt();
    return fenced
        .param("status", head.status().name().toLowerCase(Locale.ROOT))
        .param("running", head.status() == RunStatus.RUNNING)
        .param("queued", queued)
        .param("finished", !head.status().active())
        .param("superstep", head.superstep())
        .param("wakes", CommitKind.wakes(head) ? 1 : 0)
        .param("wakes_at", wakesAt.map(it -> it.atOffset(ZoneOffset.UTC)).orElse(null))
        .param("elapsed_ms", head.elapsed().toMillis())
        .param("passed_superstep", head.passed().superstep())
        .param("passed_after", head.passed().after())
        .param("passed_before", head.passed().before())
        .param("breakpoint", head.breakpoint().map(HeadCodec::bytes).orElse(null))
        .param("error", head.error().map(HeadCodec::bytes).orElse(null))
        .param("error_code", head.error().map(it -> it.error().code()).orElse(null));
  }
}
