package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.codec.EventCodec;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.Event;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/// Writes the checkpoints of API calls: the first of a run (`input`, `fork`), and edits of the
/// state of a run without a driver (`update`, E42).
@Component
public class CheckpointWriter {
  private static final String SQL =
      """
      with head as (
        update run
           set checkpoint = :number,
               event_seq = event_seq + :events
         where id = :run and checkpoint = :parent and owner is null
        returning id, version, lease_epoch, event_seq, clock_timestamp() as at
      )
      insert into checkpoint
             (run, number, kind, superstep, version, lease_epoch, base, delta_bytes,
              snapshot_bytes, first_event, last_event, committed_at, state_hash, content, events,
              snapshot)
      select id, :number, :kind, :committed, version, lease_epoch, :base, :deltaBytes,
             :snapshotBytes, event_seq - :events + 1, event_seq, at, :stateHash, :content,
             :eventBytes, :snapshot::bytea
        from head
      returning committed_at
      """;

  private final JdbcClient jdbc;
  private final SnapshotPolicy snapshotPolicy;

  public CheckpointWriter(JdbcClient jdbc, SnapshotPolicy snapshotPolicy) {
    this.jdbc = jdbc;
    this.snapshotPolicy = snapshotPolicy;
  }

  /// The first checkpoints of runs that are about to be inserted.
  public FirstRows first(List<FirstRows.First> firsts) {
    var rows = new FirstRows(firsts.size());
    firsts.forEach(
        it -> rows.add(EncodedCheckpoint.of(it.write(), null), EventCodec.bytes(it.events())));
    return rows;
  }

  /// The first checkpoints of runs that are driven here without being loaded.
  public FirstRows firstDriven(List<FirstRows.First> firsts) {
    var rows = new FirstRows(firsts.size());
    for (var first : firsts) {
      var encodedCheckpoint = EncodedCheckpoint.of(first.write(), null);
      snapshotPolicy.put(
          first.run(),
          encodedCheckpoint.number(),
          encodedCheckpoint.replayCost(),
          SnapshotPolicy.Outcomes.NONE);
      rows.add(encodedCheckpoint, EventCodec.bytes(first.events()));
    }
    return rows;
  }

  /// Writes `write` and its events, and moves `run.checkpoint` and `run.event_seq`, in the current
  /// transaction. The run's row must be in the database (flushed, for a new one, with checkpoint 0)
  /// and locked by the caller. An entity of the run in the persistence context does not see it.
  ///
  /// @return database time of the commit
  /// @throws IllegalStateException if the run has an owner or another last checkpoint
  @Transactional(propagation = Propagation.MANDATORY)
  public Instant write(String run, Commit.Write write, List<Event> events) {
    int number = write.after().number();
    int parent = Math.max(0, number - 1);
    var encodedCheckpoint =
        EncodedCheckpoint.of(write, number == 0 ? null : SnapshotPolicy.read(jdbc, run, parent));
    return encodedCheckpoint
        .bind(jdbc.sql(SQL))
        .param("run", run)
        .param("parent", parent)
        .param("events", events.size())
        .param("eventBytes", EventCodec.bytes(events))
        .query((found, _) -> found.getObject(1, OffsetDateTime.class).toInstant())
        .optional()
        .orElseThrow(() ->
            new IllegalStateException(
                "run '%s' is driven by somebody or is not at checkpoint %d"
                    .formatted(run, parent)));
  }
}
