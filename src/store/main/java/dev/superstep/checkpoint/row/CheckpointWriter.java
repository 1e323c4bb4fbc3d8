package dev.superstep.checkpoint.row;

import dev.superstep.database.PoolEntities;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.Event;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/// Writes the checkpoints of API calls: the first of a run (`input`, `fork`), and edits of the
/// state of a run without a driver (`update`, E42).
@Component
public class CheckpointWriter {
  private final EntityManager entities;
  private final EntityManagerFactory factory;
  private final JdbcClient jdbc;
  private final SnapshotPolicy snapshotPolicy;
  private final String write;

  public CheckpointWriter(
      EntityManager entities,
      EntityManagerFactory factory,
      JdbcClient jdbc,
      SnapshotPolicy snapshotPolicy) {
    this.entities = entities;
    this.factory = factory;
    this.jdbc = jdbc;
    this.snapshotPolicy = snapshotPolicy;
    write =
        """
        with head as (
          update run set checkpoint = :number, event_seq = event_seq + :events
           where id = :run and checkpoint = :parent and owner is null
          %s, id
        ), written as (
          %s
            from head
        )
        select * from head
        """
            .formatted(WrittenHead.RETURNING, CommitWriter.insertCheckpoint(factory, "head.at"));
  }

  /// Part of the statement that inserts runs: inserts their checkpoints. `given` names the runs by
  /// `place`, from 1, with their `id`, `version` and the time `at` of those that nobody has gone on
  /// from; `stamp` has the epoch of all. The parameters are those of [CheckpointArrays].
  public String insertFirst() {
    return CheckpointArrays.insert(
            factory,
            Map.of(
                "run", "given.id",
                "version", "given.version",
                "lease_epoch", "stamp.epoch",
                "first_event", "row.events_from",
                "last_event", "row.events_to",
                "committed_at", CheckpointArrays.committedAt("given.at")))
        + """

          from stamp, given
          join %s
            on row.place = given.place
        """
            .formatted(CheckpointArrays.ROWS);
  }

  /// The last checkpoint of a run that is driven here without being loaded.
  public void driven(String run, EncodedCheckpoint last) {
    snapshotPolicy.put(run, last.number(), last.end(), SnapshotPolicy.Outcomes.NONE);
  }

  /// Writes `write` and its events, and moves `run.checkpoint` and `run.event_seq`, in the current
  /// transaction. The run's row must be in the database (with checkpoint 0, if it is new) and
  /// locked by the caller. An entity of the run in the persistence context does not see it.
  ///
  /// @return database time of the commit
  /// @throws IllegalStateException if the run has an owner or another last checkpoint
  @Transactional(propagation = Propagation.MANDATORY)
  public Instant write(String run, Commit.Write write, List<Event> events) {
    int number = write.after().number();
    int parent = Math.max(0, number - 1);
    var encoded =
        EncodedCheckpoint.of(
            write, events, number == 0 ? null : SnapshotPolicy.read(jdbc, run, parent));
    return PoolEntities.translated(() -> {
      entities.flush();
      return CommitWriter.bind(jdbc.sql(this.write), encoded)
          .param("run", run)
          .param("parent", parent)
          .param("events", events.size())
          .query(WrittenHead::of)
          .optional()
          .map(WrittenHead::at)
          .orElseThrow(() ->
              new IllegalStateException(
                  "run '%s' has an owner or is not at checkpoint %d".formatted(run, parent)));
    });
  }
}
