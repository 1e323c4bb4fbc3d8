package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.TaskRecordCodec;
import dev.superstep.checkpoint.work.TakenSlice;
import dev.superstep.database.PoolEntities;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Event;
import dev.superstep.graph.NodeId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// What executors of slices write: outcomes, and that a slice is closed. It is fenced by the run's
/// epoch and checkpoint and by the token of the claim.
@Component
public class SliceRows {
  /// Locks are taken in the order run, slice, outcomes.
  private static final String HELD =
      """
      with fenced as materialized (
        select id from run
         where id = :run and lease_epoch = :epoch and checkpoint = :checkpoint
           and status = 'running' and cancel_requested_at is null
           for share
      ), held as materialized (
        select task.id, task.run from task join fenced on fenced.id = task.run
         where task.id = :id and task.token = :token and task.state = 'claimed'
           for update of task
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
        update task set state = 'done', ended_at = clock_timestamp()
          from held where :closes and task.id = held.id
      )
      select array(select task from kept) as kept from held
      """;

  private final JdbcClient jdbc;
  private final PoolEntities entities;
  private final String record;
  private final InterruptWrites interrupts;
  private final TransactionTemplate transaction;
  private final Retries retries;

  SliceRows(
      @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      @Qualifier(Pools.ENGINE) PoolEntities entities,
      OutcomeColumns columns,
      InterruptWrites interrupts,
      @Qualifier(Pools.ENGINE) PlatformTransactionManager transactions,
      StoreSettings settings) {
    this.jdbc = jdbc;
    this.entities = entities;
    var shared = new OutcomeColumns.Shared("held.run", ":epoch", "clock_timestamp()");
    this.record =
        HELD + columns.insert(shared, "held, " + OutcomeColumns.BOUND, FIRST_WINS) + CLOSE;
    this.interrupts = interrupts;
    this.transaction = new TransactionTemplate(transactions);
    this.retries = new Retries(settings.patience());
  }

  private enum SliceEnd {
    STAYS,
    CLOSES
  }

  /// Records outcomes while other tasks of the slice are open (E10.3). The first outcome of a task
  /// and generation wins.
  ///
  /// @throws SliceLostException if the slice or its superstep has another owner
  public void record(TakenSlice slice, List<TaskRecord> records, List<Event> events) {
    write(slice, SliceEnd.STAYS, records, events);
  }

  /// Records the last outcomes, and closes the slice.
  ///
  /// @throws SliceLostException if the slice or its superstep has another owner
  public void close(TakenSlice slice, List<TaskRecord> records, List<Event> events) {
    write(slice, SliceEnd.CLOSES, records, events);
  }

  private void write(TakenSlice slice, SliceEnd end, List<TaskRecord> records, List<Event> events) {
    boolean held =
        retries.run(
            () -> "outcomes of " + slice,
            () ->
                events.isEmpty()
                    ? execute(slice, end, records).isPresent()
                    : publish(slice, end, records, events));
    if (!held) {
      throw new SliceLostException(slice);
    }
  }

  /// @return the tasks whose outcomes have won; empty if the slice has another owner
  private Optional<Set<String>> execute(TakenSlice slice, SliceEnd end, List<TaskRecord> records) {
    return OutcomeColumns.bind(jdbc.sql(record), records)
        .param("run", slice.of().run())
        .param("epoch", slice.of().lease().epoch())
        .param("checkpoint", slice.work().checkpoint())
        .param("id", slice.id())
        .param("token", slice.token())
        .param("closes", end == SliceEnd.CLOSES)
        .query((row, _) -> kept(row))
        .optional();
  }

  private static Set<String> kept(ResultSet row) throws SQLException {
    return Set.copyOf(Arrays.asList((String[]) row.getArray("kept").getArray()));
  }

  /// Events are numbered while the run is locked; only those of outcomes that have won are stored,
  /// so that a retry stores none twice.
  private boolean publish(
      TakenSlice slice, SliceEnd end, List<TaskRecord> records, List<Event> events) {
    var run = slice.of().run();
    var held =
        transaction.execute(_ -> {
          lock(run);
          var kept = execute(slice, end, records);
          kept.ifPresent(won -> {
            interrupts.open(
                run,
                records.stream()
                    .filter(it -> won.contains(TaskRecordCodec.key(it.key())))
                    .toList());
            append(run, events.stream().filter(it -> won.contains(task(it))).toList());
          });
          return kept.isPresent();
        });
    return Boolean.TRUE.equals(held);
  }

  /// The stored key of the task that an event is about.
  private static String task(Event event) {
    var node = event.node().map(NodeId::value).orElse("");
    return event.dispatchId().map(it -> node + ":" + it).orElse(node);
  }

  private void append(String run, List<Event> events) {
    if (!events.isEmpty()) {
      entities.run(session -> {
        var head = WrittenHead.addEvents(session, run, events.size()).orElseThrow();
        session.insertMultiple(RunEventEntity.of(run, events, head.lastEvent(), head.at()));
        return head;
      });
    }
  }

  private void lock(String run) {
    jdbc.sql("select 1 from run where id = ? for no key update")
        .param(run)
        .query(Integer.class)
        .optional();
  }
}
