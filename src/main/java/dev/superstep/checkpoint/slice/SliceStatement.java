package dev.superstep.checkpoint.slice;

import dev.superstep.checkpoint.codec.TaskRecordCodec;
import dev.superstep.checkpoint.jdbc.EventColumns;
import dev.superstep.checkpoint.outcome.RecordedTaskEntity;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.graph.NodeId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The fenced statements of slice executors. Each is a transaction on its own.
final class SliceStatement {
  /// Locks are taken in the order run, slice, outcomes, barrier.
  private static final String RECORD =
      """
      with fenced as materialized (
        select id from run
         where id = :run and lease_epoch = :epoch and checkpoint = :checkpoint
           and status = 'running' and cancel_requested_at is null
           for share
      ), held as materialized (
        select slice.run from slice join fenced on fenced.id = slice.run
         where slice.superstep = :superstep and slice.lease_epoch = :epoch
           and slice.number = :number and slice.claim = :claim and slice.owner = :owner
           and not slice.closed
           for update of slice
      ), kept as (
        insert into recorded_task as old
               (run, superstep, task, generation, lease_epoch, content, recorded_at)
        select held.run, :superstep, record.task, record.generation, :epoch, record.content,
               clock_timestamp()
          from held,
               unnest(:tasks::text[], :generations::integer[], :contents::bytea[])
               as record (task, generation, content)
        on conflict (run, superstep, task) do update
           set generation = excluded.generation,
               lease_epoch = excluded.lease_epoch,
               content = excluded.content,
               recorded_at = excluded.recorded_at
         where (old.generation, old.lease_epoch) < (excluded.generation, excluded.lease_epoch)
        returning task
      ), closed as (
        update slice set closed = true, owner = null
          from held
         where :closes and slice.run = held.run and slice.superstep = :superstep
           and slice.lease_epoch = :epoch and slice.number = :number
        returning slice.number
      ), counted as (
        update wide_superstep
           set open = open - (select count(*) from closed),
               taken = taken - (select count(*) from closed)
         where run = :run and superstep = :superstep and lease_epoch = :epoch
           and exists (select from closed)
      )
      select array(select task from kept) as kept from held
      """;

  private static final String TELL =
      """
      with head as (
        update run
           set event_seq = event_seq + :events
         where id = :run
        returning id, event_seq, clock_timestamp() as at
      )
      """
          + EventColumns.INSERT;

  private final JdbcClient jdbc;

  SliceStatement(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  enum End {
    STAYS,
    CLOSES
  }

  /// @return the tasks whose outcomes have won; empty if the slice has another owner
  Optional<Set<String>> execute(TakenSlice slice, End end, List<TaskRecord> records) {
    return WideSupersteps.bind(jdbc.sql(RECORD), slice.of())
        .param("checkpoint", slice.checkpoint())
        .param("number", slice.number())
        .param("claim", slice.claim())
        .param("owner", slice.owner())
        .param("closes", end == End.CLOSES)
        .param(
            "tasks",
            records.stream().map(it -> TaskRecordCodec.key(it.key())).toArray(String[]::new))
        .param("generations", records.stream().map(TaskRecord::generation).toArray(Integer[]::new))
        .param("contents", records.stream().map(RecordedTaskEntity::bytes).toArray(byte[][]::new))
        .query((row, _) -> kept(row))
        .optional();
  }

  private static Set<String> kept(ResultSet row) throws SQLException {
    return Set.copyOf(Arrays.asList((String[]) row.getArray("kept").getArray()));
  }

  /// The stored key of the task that an event is about.
  static String task(Event event) {
    var node = event.node().map(NodeId::value).orElse("");
    return event.dispatchId().map(it -> node + ":" + it).orElse(node);
  }

  /// Stores events behind those of the run, which is locked.
  void publish(String run, List<Event> events) {
    if (events.isEmpty()) {
      return;
    }
    EventColumns.bind(jdbc.sql(TELL).param("run", run), events).update();
  }

  void giveBack(SliceRows.Held slice, String owner) {
    WideSupersteps.bind(
            jdbc.sql(
                """
                with freed as (
                  update slice set owner = null
                   where run = :run and superstep = :superstep and lease_epoch = :epoch
                     and number = :number and claim = :claim and owner = :owner and not closed
                  returning number
                )
                update wide_superstep set taken = taken - 1
                 where run = :run and superstep = :superstep and lease_epoch = :epoch
                   and exists (select from freed)
                """),
            slice.of())
        .param("number", slice.number())
        .param("claim", slice.claim())
        .param("owner", owner)
        .update();
  }

  List<SliceRows.Held> free(String replica) {
    return jdbc.sql(
            """
            with freed as (
              update slice set owner = null
               where owner = :replica and not closed
              returning run, superstep, lease_epoch, number, claim
            ), counts as (
              select run, superstep, lease_epoch, count(*) as freed from freed group by 1, 2, 3
            ), counted as (
              update wide_superstep wide set taken = taken - counts.freed
                from counts
               where wide.run = counts.run and wide.superstep = counts.superstep
                 and wide.lease_epoch = counts.lease_epoch
            )
            select run, superstep, lease_epoch, number, claim from freed
            """)
        .param("replica", replica)
        .query((row, _) -> slice(row))
        .list();
  }

  List<SliceRows.Held> wanted(String replica) {
    return jdbc.sql(
            """
            select slice.run, slice.superstep, slice.lease_epoch, slice.number, slice.claim
              from slice
              join wide_superstep wide using (run, superstep, lease_epoch)
              join run on run.id = slice.run
             where slice.owner = :replica and not slice.closed
               and run.lease_epoch = slice.lease_epoch and run.checkpoint = wide.checkpoint
               and run.status = 'running' and run.cancel_requested_at is null
            """)
        .param("replica", replica)
        .query((row, _) -> slice(row))
        .list();
  }

  private static SliceRows.Held slice(ResultSet row) throws SQLException {
    var lease = new Lease(row.getString("run"), row.getLong("lease_epoch"));
    return new SliceRows.Held(
        new WideSuperstep(lease, row.getInt("superstep")),
        row.getInt("number"),
        row.getInt("claim"));
  }
}
