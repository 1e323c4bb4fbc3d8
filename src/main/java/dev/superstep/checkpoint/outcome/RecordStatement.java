package dev.superstep.checkpoint.outcome;

import dev.superstep.checkpoint.codec.TaskRecordCodec;
import dev.superstep.checkpoint.jdbc.EventColumns;
import dev.superstep.checkpoint.jdbc.Written;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Records outcomes of tasks whose siblings are still open, fenced (E10.3).
@Component
public class RecordStatement {
  private static final String SQL =
      """
      with head as (
        update run
           set event_seq = event_seq + :events,
               driver_writes = driver_writes + 1,
               takeovers = 0
         where id = :run and lease_epoch = :epoch
        returning id, event_seq, wake, priority, driver_writes, clock_timestamp() as at
      ), kept as (
        insert into recorded_task as old
               (run, superstep, task, generation, lease_epoch, content, recorded_at)
        select head.id, record.superstep, record.task, record.generation, :epoch, record.content,
               head.at
          from head,
               unnest(:taskSupersteps::integer[], :tasks::text[], :generations::integer[],
                      :contents::bytea[])
               as record (superstep, task, generation, content)
        on conflict (run, superstep, task) do update
           set generation = excluded.generation,
               lease_epoch = excluded.lease_epoch,
               content = excluded.content,
               recorded_at = excluded.recorded_at
         where old.generation <= excluded.generation
      ), added as (
      """
          + EventColumns.INSERT
          + """
          )
          select at, wake, priority, driver_writes from head
          """;

  private final JdbcClient jdbc;

  public RecordStatement(@Qualifier(Pools.ENGINE) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @return empty if the lease is lost
  public Optional<Written> execute(Lease lease, List<TaskRecord> records, List<Event> events) {
    var statement =
        jdbc.sql(SQL)
            .param("run", lease.run())
            .param("epoch", lease.epoch())
            .param(
                "taskSupersteps",
                records.stream().map(it -> it.key().superstep()).toArray(Integer[]::new))
            .param(
                "tasks",
                records.stream().map(it -> TaskRecordCodec.key(it.key())).toArray(String[]::new))
            .param(
                "generations", records.stream().map(TaskRecord::generation).toArray(Integer[]::new))
            .param(
                "contents", records.stream().map(RecordedTaskEntity::bytes).toArray(byte[][]::new));
    return EventColumns.bind(statement, events).query((row, _) -> Written.of(row)).optional();
  }
}
