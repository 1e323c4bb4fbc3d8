package dev.superstep.run.start;

import dev.superstep.checkpoint.event.EventLog;
import dev.superstep.checkpoint.row.CheckpointWriter;
import dev.superstep.run.store.RunInputEntity;
import dev.superstep.run.store.RunInputEntity.Asked;
import dev.superstep.run.store.RunOrigin;
import dev.superstep.state.value.ObjectValue;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Stores runs that wait for their thread: the request, without a checkpoint, for the state from
/// which they start is not known yet. Only a fork has its first checkpoint.
@Component
class RunEnqueuer {
  private final JdbcClient jdbc;
  private final EntityManager entities;
  private final EventLog events;
  private final CheckpointWriter checkpoints;

  RunEnqueuer(
      JdbcClient jdbc, EntityManager entities, EventLog events, CheckpointWriter checkpoints) {
    this.jdbc = jdbc;
    this.entities = entities;
    this.events = events;
    this.checkpoints = checkpoints;
  }

  /// @param startAt the earliest time at which it may begin
  void enqueue(
      String id, RunOrigin origin, ObjectValue input, Asked asked, Optional<Instant> startAt) {
    insert(id, origin, 0, startAt);
    ask(id, origin, input, asked);
  }

  /// Stores a run from a checkpoint of another, which may be erased while this one waits.
  void enqueueFork(NewRun fork) {
    insert(fork.id(), fork.origin(), fork.first().after().superstep(), Optional.empty());
    checkpoints.write(fork.id(), fork.first(), List.of());
    ask(fork.id(), fork.origin(), fork.input(), fork.asked());
  }

  private void insert(String id, RunOrigin origin, int superstep, Optional<Instant> startAt) {
    jdbc.sql(
            """
            insert into run
                   (id, graph, version, status, superstep, priority, durability, thread_id, ordinal,
                    parent_run, parent_checkpoint, wakes_at, caller, created_at)
            values (:id, :graph, :version, 'enqueued', :superstep, :priority, :durability, :thread,
                    :ordinal, :parentRun, :parentCheckpoint, :startAt::timestamptz, :caller,
                    clock_timestamp())
            """)
        .param("id", id)
        .param("graph", origin.graph())
        .param("version", origin.version())
        .param("superstep", superstep)
        .param("priority", origin.priority())
        .param("durability", origin.durability())
        .param("thread", origin.threadId())
        .param("ordinal", origin.ordinal())
        .param("parentRun", origin.parentRun())
        .param("parentCheckpoint", origin.parentCheckpoint())
        .param("caller", origin.caller())
        .param("startAt", startAt.map(Instant::toString).orElse(null))
        .update();
  }

  private void ask(String id, RunOrigin origin, ObjectValue input, Asked asked) {
    entities.persist(new RunInputEntity(id, input, asked));
    entities.flush();
    events.append(id, List.of(RunInserter.created(origin)));
  }
}
