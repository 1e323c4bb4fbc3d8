package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.work.QueuedTasks;
import dev.superstep.checkpoint.work.SliceQueue;
import dev.superstep.checkpoint.work.TakenSlice.SliceWork;
import dev.superstep.checkpoint.work.WideSuperstep;
import dev.superstep.database.Pools;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// The slices of wide supersteps for their drivers: cutting, looking, withdrawing.
@Component
public class WideSupersteps {
  private static final String FENCE =
      """
      select true from run
       where id = :run and lease_epoch = :epoch and checkpoint = :checkpoint
         and superstep < :superstep and owner is not null and cancel_requested_at is null
         for share
      """;

  /// A cut that is repeated, because nobody knows whether it is on disk, leaves claims alone.
  private static final String FORGET =
      """
      delete from task
       where run = :run and tenant_of(id) = :tenant
         and (superstep <> :superstep or idempotency_key <> :epoch)
      """;

  /// What is withdrawn as its run is to be cancelled is not for the driver to execute: it will hear
  /// of that.
  private static final String CLOSED =
      """
      select task.state not in ('queued', 'claimed')
               and not (task.state = 'withdrawn' and run.cancel_requested_at is not null) as closed
        from unnest(?::text[]) with ordinality as slice (id, number) join task using (id)
        join run on run.id = task.run
       order by slice.number
      """;

  /// The slices of a replica that is alive outlast a pause of its process.
  private static final int LEASES = 3;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final SnapshotPolicy snapshotPolicy;
  private final QueuedTasks queuedTasks;
  private final Duration lease;
  private final Retries retries;

  /// @param lease of replicas
  WideSupersteps(
      @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      @Qualifier(Pools.ENGINE) PlatformTransactionManager transactions,
      StoreSettings settings,
      SnapshotPolicy snapshotPolicy,
      QueuedTasks queuedTasks,
      @Value("${superstep.lease:6s}") Duration lease) {
    this.jdbc = jdbc;
    this.transaction = new TransactionTemplate(transactions);
    this.retries = new Retries(settings.patience());
    this.snapshotPolicy = snapshotPolicy;
    this.queuedTasks = queuedTasks;
    this.lease = lease.multipliedBy(LEASES);
  }

  /// Lets the replicas begin. Slices of earlier cuts of the run are removed.
  ///
  /// @return false if the run's last checkpoint on disk is another one, or the lease is lost
  public boolean open(WideSuperstep wide, List<SliceWork> slices) {
    snapshotPolicy.recording(wide.run());
    return retries.run(
        () -> "cut of " + wide,
        () -> Objects.requireNonNull(transaction.execute(_ -> insert(wide, slices))));
  }

  private boolean insert(WideSuperstep wide, List<SliceWork> slices) {
    var fenced =
        jdbc.sql(FENCE)
            .param("run", wide.run())
            .param("epoch", wide.lease().epoch())
            .param("checkpoint", slices.getFirst().checkpoint())
            .param("superstep", wide.superstep())
            .query(Boolean.class)
            .optional();
    if (fenced.isEmpty()) {
      return false;
    }
    int _ =
        jdbc.sql(FORGET)
            .param("run", wide.run())
            .param("tenant", SliceQueue.TENANT)
            .param("superstep", wide.superstep())
            .param("epoch", Long.toString(wide.lease().epoch()))
            .update();
    queuedTasks.queueSlices(wide, slices, lease);
    return true;
  }

  /// The numbers of the slices that are closed.
  ///
  /// @return empty if not all of them are there (any more)
  public Optional<List<Integer>> closed(WideSuperstep wide, int slices) {
    var closed =
        retries.run(
            () -> "look at " + wide,
            () ->
                jdbc.sql(CLOSED)
                    .param(ids(wide, slices))
                    .query((row, _) -> row.getBoolean("closed"))
                    .list());
    return closed.size() < slices
        ? Optional.empty()
        : Optional.of(IntStream.range(0, slices).filter(closed::get).boxed().toList());
  }

  /// Withdraws the superstep from all replicas.
  public void withdraw(WideSuperstep wide, int slices) {
    int _ =
        retries.run(
            () -> "withdrawal of " + wide,
            () -> jdbc.sql("delete from task where id = any(?)").param(ids(wide, slices)).update());
  }

  private static String[] ids(WideSuperstep wide, int slices) {
    return IntStream.range(0, slices).mapToObj(wide::slice).toArray(String[]::new);
  }
}
