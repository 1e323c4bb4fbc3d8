package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.database.PoolEntities;
import dev.superstep.database.Pools;
import java.sql.Array;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.hibernate.LockMode;
import org.hibernate.StatelessSession;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// The rows of wide supersteps for their drivers: cutting, polling, withdrawing.
@Component
public class WideSupersteps {
  private static final List<String> TABLES = List.of("SliceEntity", "WideSuperstepEntity");

  private final JdbcClient jdbc;
  private final PoolEntities entities;
  private final TransactionTemplate transaction;
  private final SnapshotPolicy snapshotPolicy;
  private final Retries retries;

  WideSupersteps(
      @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      @Qualifier(Pools.ENGINE) PoolEntities entities,
      @Qualifier(Pools.ENGINE) PlatformTransactionManager transactions,
      StoreSettings settings,
      SnapshotPolicy snapshotPolicy) {
    this.jdbc = jdbc;
    this.entities = entities;
    this.transaction = new TransactionTemplate(transactions);
    this.retries = new Retries(settings.patience());
    this.snapshotPolicy = snapshotPolicy;
  }

  /// How a superstep is cut.
  ///
  /// @param checkpoint that it builds on
  /// @param lanes most slices to be executed at a time
  /// @param quota most tasks of one slice at a time
  /// @param slices indexes of tasks
  public record Cut(int checkpoint, int lanes, int quota, List<List<Integer>> slices) {
    public Cut {
      slices = List.copyOf(slices);
    }
  }

  /// The progress of a wide superstep.
  ///
  /// @param open slices that are not closed
  /// @param free open slices that are not being executed
  /// @param closed numbers of the closed slices
  public record LaneStanding(int open, int free, List<Integer> closed) {
    public LaneStanding {
      closed = List.copyOf(closed);
    }
  }

  /// Lets the replicas begin. Rows of earlier cuts of the run are removed.
  ///
  /// @return false if the run's last checkpoint on disk is another one, or the lease is lost
  public boolean open(WideSuperstep wide, Cut cut) {
    snapshotPolicy.recording(wide.run());
    return retries.run(
        () -> "cut of " + wide, () -> inTransaction(session -> insert(session, wide, cut)));
  }

  private boolean insert(StatelessSession session, WideSuperstep wide, Cut cut) {
    var fenced =
        session
            .createSelectionQuery(
                """
                from RunEntity r
                 where r.id = :run and r.leaseEpoch = :epoch and r.checkpoint = :checkpoint
                   and r.superstep < :superstep and r.owner is not null
                """,
                Object.class)
            .setParameter("run", wide.run())
            .setParameter("epoch", wide.lease().epoch())
            .setParameter("checkpoint", cut.checkpoint())
            .setParameter("superstep", wide.superstep())
            .setHibernateLockMode(LockMode.PESSIMISTIC_READ)
            .getResultList();
    if (fenced.isEmpty()) {
      return false;
    }
    for (var table : TABLES) {
      session
          .createMutationQuery("delete %s e where e.key.run = :run".formatted(table))
          .setParameter("run", wide.run())
          .executeUpdate();
    }
    var at = WrittenHead.read(session, wide.run()).at();
    session.insert(new WideSuperstepEntity(wide, cut, at));
    session.insertMultiple(SliceEntity.of(wide, cut.slices()));
    return true;
  }

  static JdbcClient.StatementSpec bind(JdbcClient.StatementSpec statement, WideSuperstep wide) {
    return statement
        .param("run", wide.run())
        .param("superstep", wide.superstep())
        .param("epoch", wide.lease().epoch());
  }

  /// @return empty if its rows do not exist (any more)
  public Optional<LaneStanding> status(WideSuperstep wide) {
    return retries.run(() -> "look at " + wide, () -> standing(wide));
  }

  private Optional<LaneStanding> standing(WideSuperstep wide) {
    return bind(
            jdbc.sql(
                """
                select wide.open,
                       count(*) filter (where slice.owner is null and not slice.closed) as free,
                       array_agg(slice.number) filter (where slice.closed) as closed
                  from wide_superstep wide
                  join slice using (run, superstep, lease_epoch)
                 where wide.run = :run and wide.superstep = :superstep
                   and wide.lease_epoch = :epoch
                 group by wide.open
                """),
            wide)
        .query((row, _) ->
            new LaneStanding(
                row.getInt("open"), row.getInt("free"), integers(row.getArray("closed"))))
        .optional();
  }

  static List<Integer> integers(@Nullable Array array) throws SQLException {
    return array == null ? List.of() : Arrays.asList((Integer[]) array.getArray());
  }

  /// Closes slices that were taken more than `claimsMax` times and are not being executed: as they
  /// may break their executors, the driver takes them over.
  public void giveUp(WideSuperstep wide, int claimsMax) {
    retries.run(
        () -> "giving up slices of " + wide,
        () ->
            bind(
                    jdbc.sql(
                        """
                        with given as (
                          update slice set closed = true
                           where run = :run and superstep = :superstep and lease_epoch = :epoch
                             and owner is null and not closed and claim >= :claimsMax
                          returning number
                        )
                        update wide_superstep
                           set open = open - (select count(*) from given)
                         where run = :run and superstep = :superstep and lease_epoch = :epoch
                           and exists (select from given)
                        """),
                    wide)
                .param("claimsMax", claimsMax)
                .update());
  }

  /// Withdraws the superstep from all replicas. Locks slices first, in the order in which executors
  /// that close one take their locks.
  public void withdraw(WideSuperstep wide) {
    retries.run(
        () -> "withdrawal of " + wide,
        () ->
            inTransaction(session -> {
              TABLES.forEach(it -> delete(session, it, wide));
              return wide;
            }));
  }

  private static void delete(StatelessSession session, String table, WideSuperstep wide) {
    session
        .createMutationQuery(
            """
            delete %s e
             where e.key.run = :run and e.key.superstep = :superstep and e.key.leaseEpoch = :epoch
            """
                .formatted(table))
        .setParameter("run", wide.run())
        .setParameter("superstep", wide.superstep())
        .setParameter("epoch", wide.lease().epoch())
        .executeUpdate();
  }

  /// Removes rows of drivers that died.
  public void sweep() {
    inTransaction(session -> TABLES.stream().mapToInt(it -> sweep(session, it)).sum());
  }

  private static int sweep(StatelessSession session, String table) {
    return session
        .createMutationQuery(
            """
            delete %s e
             where not exists (
                     select 1 from RunEntity r
                      where r.id = e.key.run and r.leaseEpoch = e.key.leaseEpoch
                        and r.superstep < e.key.superstep
                        and r.status in ('running', 'cancelling'))
            """
                .formatted(table))
        .executeUpdate();
  }

  private <T> T inTransaction(Function<StatelessSession, T> work) {
    return Objects.requireNonNull(transaction.execute(_ -> entities.run(work)));
  }
}
