package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.TaskRecordCodec;
import dev.superstep.database.PoolEntities;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Event;
import dev.superstep.graph.NodeId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// The rows of slices for their executors: taking, recording, closing, giving back. Everything is
/// fenced by the run's epoch and checkpoint and by the slice's own claim number.
@Component
public class SliceRows {
  private static final String TAKE =
      """
      with free as materialized (
        select number from slice
         where run = :run and superstep = :superstep and lease_epoch = :epoch
           and owner is null and not closed and claim < :claimsMax
         order by number limit 1
           for update skip locked
      ), taken as (
        update slice set owner = :replica, claim = claim + 1
          from free
         where run = :run and superstep = :superstep and lease_epoch = :epoch
           and slice.number = free.number
        returning slice.number, claim, tasks
      ), counted as (
        update wide_superstep set taken = taken + 1
         where run = :run and superstep = :superstep and lease_epoch = :epoch
           and exists (select from taken)
      )
      select number, claim, tasks from taken
      """;

  private final JdbcClient jdbc;
  private final PoolEntities entities;
  private final SliceStatement statement;
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
    this.statement = new SliceStatement(jdbc, columns);
    this.interrupts = interrupts;
    this.transaction = new TransactionTemplate(transactions);
    this.retries = new Retries(settings.patience());
  }

  private record Lane(int checkpoint, int quota) {}

  /// Takes a slice that is not being executed.
  ///
  /// @param claimsMax slices that were taken this often are left to the driver
  /// @return empty if there is none, or no free lane, or the superstep is not wanted any more
  public Optional<TakenSlice> take(WideSuperstep wide, String replica, int claimsMax) {
    // A try whose acknowledgement was lost leaves a slice that its owner does not know of. The
    // owner's poll finds it.
    return Objects.requireNonNull(
        transaction.execute(_ -> lane(wide).flatMap(it -> take(wide, it, replica, claimsMax))));
  }

  /// Locks the barrier, so that the next statement sees which slices are taken.
  private Optional<Lane> lane(WideSuperstep wide) {
    return WideSupersteps.bind(
            jdbc.sql(
                """
                select wide.checkpoint, wide.quota
                  from wide_superstep wide join run on run.id = wide.run
                 where wide.run = :run and wide.superstep = :superstep
                   and wide.lease_epoch = :epoch and wide.taken < wide.lanes
                   and run.lease_epoch = :epoch and run.checkpoint = wide.checkpoint
                   and run.status = 'running' and run.cancel_requested_at is null
                   for no key update of wide
                """),
            wide)
        .query((row, _) -> new Lane(row.getInt("checkpoint"), row.getInt("quota")))
        .optional();
  }

  private Optional<TakenSlice> take(WideSuperstep wide, Lane lane, String replica, int claimsMax) {
    return WideSupersteps.bind(jdbc.sql(TAKE), wide)
        .param("replica", replica)
        .param("claimsMax", claimsMax)
        .query((row, _) ->
            new TakenSlice(
                wide,
                row.getInt("number"),
                row.getInt("claim"),
                replica,
                lane.checkpoint(),
                lane.quota(),
                WideSupersteps.integers(row.getArray("tasks"))))
        .optional();
  }

  /// Records outcomes while other tasks of the slice are open (E10.3). The first outcome of a task
  /// and generation wins.
  ///
  /// @throws SliceLostException if the slice or its superstep has another owner
  public void record(TakenSlice slice, List<TaskRecord> records, List<Event> events) {
    write(slice, SliceStatement.SliceEnd.STAYS, records, events);
  }

  /// Records the last outcomes, and closes the slice: the barrier counter falls.
  ///
  /// @throws SliceLostException if the slice or its superstep has another owner
  public void close(TakenSlice slice, List<TaskRecord> records, List<Event> events) {
    write(slice, SliceStatement.SliceEnd.CLOSES, records, events);
  }

  private void write(
      TakenSlice slice, SliceStatement.SliceEnd end, List<TaskRecord> records, List<Event> events) {
    boolean held =
        retries.run(
            () -> "outcomes of " + slice,
            () ->
                events.isEmpty()
                    ? statement.execute(slice, end, records).isPresent()
                    : publish(slice, end, records, events));
    if (!held) {
      throw new SliceLostException(slice);
    }
  }

  /// Events are numbered while the run is locked; only those of outcomes that have won are stored,
  /// so that a retry stores none twice.
  private boolean publish(
      TakenSlice slice, SliceStatement.SliceEnd end, List<TaskRecord> records, List<Event> events) {
    var run = slice.of().run();
    var held =
        transaction.execute(_ -> {
          lock(run);
          var kept = statement.execute(slice, end, records);
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

  /// Gives an unfinished slice back: its recorded outcomes stay.
  public void giveBack(TakenSlice slice) {
    giveBack(new Held(slice.of(), slice.number(), slice.claim()), slice.owner());
  }

  public void giveBack(Held slice, String owner) {
    statement.giveBack(slice, owner);
  }

  /// Whether there is a slice to take.
  public boolean hasFree(WideSuperstep wide) {
    return WideSupersteps.bind(
            jdbc.sql(
                """
                select exists (
                  select from slice join run on run.id = slice.run
                   where slice.run = :run and slice.superstep = :superstep
                     and slice.lease_epoch = :epoch and run.lease_epoch = :epoch
                     and slice.owner is null and not slice.closed)
                """),
            wide)
        .query(Boolean.class)
        .single();
  }

  /// Frees the slices of a dead replica.
  ///
  /// @return the freed slices
  public List<Held> free(String replica) {
    return statement.free(replica);
  }

  /// A slice as stored in its row.
  ///
  /// @param claim how often it was taken so far
  public record Held(WideSuperstep of, int number, int claim) {}

  /// The slices that `replica` executes and that are still wanted.
  public List<Held> wanted(String replica) {
    return statement.wanted(replica);
  }

  /// Replicas that execute slices, according to the database.
  public List<String> owners() {
    return jdbc.sql("select distinct owner from slice where owner is not null and not closed")
        .query((row, _) -> row.getString(1))
        .list();
  }
}
