package dev.superstep.run;

import dev.superstep.checkpoint.CheckpointWriter;
import dev.superstep.engine.Event;
import dev.superstep.run.Births.Newborn;
import dev.superstep.schedule.Replica;
import dev.superstep.state.Canonical;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/// The one statement that makes a run: its head, what was asked, its first checkpoint and events.
@Component
class BirthStatement {
  static final int FIRST_WAKE = 1;

  private static final String SQL =
      """
      with born as (
        insert into run
               (id, graph, version, status, superstep, event_seq, lease_epoch, owner, wake,
                priority, durability, thread_id, ordinal, parent_run, parent_checkpoint, wakes_at,
                created_at, started_at)
        select :run, :graph, :version,
               case when :owner::text is null then 'queued' else 'running' end,
               :superstep, :events, case when :owner::text is null then 0 else 1 end,
               :owner::text, :wake, :priority, :durability, :thread::text, :ordinal,
               :parentRun::text, :parentCheckpoint::integer, :wakesAt::timestamptz, clock.at,
               case when :owner::text is not null then clock.at end
          from (select clock_timestamp() as at) as clock
         where :owner::text is null or %s
        returning id, version, lease_epoch, event_seq, created_at
      ), asked as (
        insert into run_input (run, input, context, limits, breakpoints, metadata, request_hash)
        select id, :input, :context::bytea, :limits::bytea, :breakpoints::bytea,
               :metadata::jsonb, :requestHash::bytea
          from born
      ), begun as (
      """
              .formatted(Replica.isMember(":owner"))
          + CheckpointWriter.FIRST
          + ") select created_at from born";

  private final JdbcClient jdbc;
  private final CheckpointWriter checkpoints;

  BirthStatement(JdbcClient jdbc, CheckpointWriter checkpoints) {
    this.jdbc = jdbc;
    this.checkpoints = checkpoints;
  }

  /// @param owner who drives it from the start; empty: nobody yet
  /// @param wakesAt when it is to begin; empty: at once
  /// @return when it was born, by the database's clock; empty if the owner is no member of the
  ///   cluster
  Optional<Instant> execute(
      Newborn newborn, Optional<String> owner, Optional<Instant> wakesAt, List<Event> events) {
    var statement = asked(head(jdbc.sql(SQL), newborn), newborn);
    return checkpoints
        .bind(statement, newborn.id(), newborn.first(), events)
        .param("owner", owner.orElse(null))
        .param("wakesAt", wakesAt.map(Instant::toString).orElse(null))
        .param("events", events.size())
        .query((row, _) -> row.getObject(1, OffsetDateTime.class).toInstant())
        .optional();
  }

  private static StatementSpec head(StatementSpec statement, Newborn newborn) {
    var origin = newborn.origin();
    return statement
        .param("run", newborn.id())
        .param("graph", origin.graph())
        .param("version", origin.version())
        .param("superstep", newborn.first().after().superstep())
        .param("wake", FIRST_WAKE)
        .param("priority", (int) origin.priority())
        .param("durability", origin.durability())
        .param("thread", origin.threadId())
        .param("ordinal", origin.ordinal())
        .param("parentRun", origin.parentRun())
        .param("parentCheckpoint", origin.parentCheckpoint());
  }

  private static StatementSpec asked(StatementSpec statement, Newborn newborn) {
    var row = new RunInputEntity(newborn.id(), newborn.input(), newborn.asked());
    return statement
        .param("input", row.input())
        .param("context", row.context())
        .param("limits", row.limitsBytes())
        .param("breakpoints", row.breakpointsBytes())
        .param("metadata", Canonical.text(newborn.header().metadata()))
        .param("requestHash", row.requestHash());
  }
}
