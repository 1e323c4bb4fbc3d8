package dev.superstep.run;

import dev.superstep.checkpoint.EventLog;
import dev.superstep.run.RunInputEntity.Asked;
import dev.superstep.state.ObjectValue;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Stores runs that wait for their thread: what was asked, without a checkpoint, for the state from
/// which they start is not known yet.
@Component
class RunEnqueuer {
  private final JdbcClient jdbc;
  private final EntityManager entities;
  private final EventLog events;

  RunEnqueuer(JdbcClient jdbc, EntityManager entities, EventLog events) {
    this.jdbc = jdbc;
    this.entities = entities;
    this.events = events;
  }

  /// @param startAt when it may begin at the earliest
  void enqueue(
      String id, RunOrigin origin, ObjectValue input, Asked asked, Optional<Instant> startAt) {
    jdbc.sql(
            """
            insert into run
                   (id, graph, version, status, priority, durability, thread_id, ordinal, wakes_at,
                    caller, created_at)
            values (:id, :graph, :version, 'enqueued', :priority, :durability, :thread, :ordinal,
                    :startAt::timestamptz, :caller, clock_timestamp())
            """)
        .param("id", id)
        .param("graph", origin.graph())
        .param("version", origin.version())
        .param("priority", origin.priority())
        .param("durability", origin.durability())
        .param("thread", origin.threadId())
        .param("ordinal", origin.ordinal())
        .param("caller", origin.caller())
        .param("startAt", startAt.map(Instant::toString).orElse(null))
        .update();
    entities.persist(new RunInputEntity(id, input, asked));
    entities.flush();
    events.append(id, List.of(Births.created(origin)));
  }
}
