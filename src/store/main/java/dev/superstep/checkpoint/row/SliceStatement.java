package dev.superstep.checkpoint.row;

import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Lease;
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
  private static final String HELD =
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
      """;

  private static final String FIRST_WINS =
      """
      (recorded_task.generation, recorded_task.lease_epoch)
        < (excluded.generation, excluded.lease_epoch)\
      """;

  private static final String CLOSE =
      """

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

  private final JdbcClient jdbc;
  private final String record;

  SliceStatement(JdbcClient jdbc, OutcomeColumns columns) {
    this.jdbc = jdbc;
    var shared = new OutcomeColumns.Shared("held.run", ":epoch", "clock_timestamp()");
    this.record =
        HELD + columns.insert(shared, "held, " + OutcomeColumns.BOUND, FIRST_WINS) + CLOSE;
  }

  enum SliceEnd {
    STAYS,
    CLOSES
  }

  /// @return the tasks whose outcomes have won; empty if the slice has another owner
  Optional<Set<String>> execute(TakenSlice slice, SliceEnd end, List<TaskRecord> records) {
    return OutcomeColumns.bind(WideSupersteps.bind(jdbc.sql(record), slice.of()), records)
        .param("checkpoint", slice.checkpoint())
        .param("number", slice.number())
        .param("claim", slice.claim())
        .param("owner", slice.owner())
        .param("closes", end == SliceEnd.CLOSES)
        .query((row, _) -> kept(row))
        .optional();
  }

  private static Set<String> kept(ResultSet row) throws SQLException {
    return Set.copyOf(Arrays.asList((String[]) row.getArray("kept").getArray()));
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
