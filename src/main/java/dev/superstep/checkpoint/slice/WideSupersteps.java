package dev.superstep.checkpoint.slice;

import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.jdbc.Retries;
import dev.superstep.checkpoint.row.SnapshotPolicy;
import dev.superstep.database.Pools;
import java.sql.Array;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// The rows of wide supersteps for their drivers: cutting, polling, withdrawing.
@Component
public class WideSupersteps {
  private static final String FENCE =
      """
      select 1 from run
       where id = :run and lease_epoch = :epoch and checkpoint = :checkpoint
         and superstep < :superstep and owner is not null
         for share
      """;

  private static final String BARRIER =
      """
      insert into wide_superstep
             (run, superstep, lease_epoch, checkpoint, open, lanes, quota, cut_at)
      values (:run, :superstep, :epoch, :checkpoint, :open, :lanes, :quota, clock_timestamp())
      """;

  private static final String SLICES =
      """
      insert into slice (run, superstep, lease_epoch, number, tasks)
      select :run, :superstep, :epoch, cut.number - 1, cut.tasks::integer[]
        from unnest(:slices::text[]) with ordinality as cut (tasks, number)
      """;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final SnapshotPolicy snapshotPolicy;
  private final Retries retries;

  WideSupersteps(
      @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      @Qualifier(Pools.ENGINE) PlatformTransactionManager transactions,
      StoreSettings settings,
      SnapshotPolicy snapshotPolicy) {
    this.jdbc = jdbc;
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
  public record Standing(int open, int free, List<Integer> closed) {
    public Standing {
      closed = List.copyOf(closed);
    }
  }

  /// Lets the replicas begin. Rows of earlier cuts of the run are removed.
  ///
  /// @return false if the run's last checkpoint on disk is another one, or the lease is lost
  public boolean open(WideSuperstep wide, Cut cut) {
    snapshotPolicy.recording(wide.run());
    return retries.run(() -> "cut of " + wide, () -> inTransaction(() -> insert(wide, cut)));
  }

  private boolean insert(WideSuperstep wide, Cut cut) {
    var fenced =
        bind(jdbc.sql(FENCE), wide)
            .param("checkpoint", cut.checkpoint())
            .query(Integer.class)
            .optional();
    if (fenced.isEmpty()) {
      return false;
    }
    jdbc.sql("delete from slice where run = ?").param(wide.run()).update();
    jdbc.sql("delete from wide_superstep where run = ?").param(wide.run()).update();
    bind(jdbc.sql(BARRIER), wide)
        .param("checkpoint", cut.checkpoint())
        .param("open", cut.slices().size())
        .param("lanes", cut.lanes())
        .param("quota", cut.quota())
        .update();
    bind(jdbc.sql(SLICES), wide)
        .param("slices", cut.slices().stream().map(WideSupersteps::array).toArray(String[]::new))
        .update();
    return true;
  }

  private static String array(List<Integer> indexes) {
    return indexes.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
  }

  static JdbcClient.StatementSpec bind(JdbcClient.StatementSpec statement, WideSuperstep wide) {
    return statement
        .param("run", wide.run())
        .param("superstep", wide.superstep())
        .param("epoch", wide.lease().epoch());
  }

  /// @return empty if its rows do not exist (any more)
  public Optional<Standing> status(WideSuperstep wide) {
    return retries.run(() -> "look at " + wide, () -> standing(wide));
  }

  private Optional<Standing> standing(WideSuperstep wide) {
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
            new Standing(row.getInt("open"), row.getInt("free"), integers(row.getArray("closed"))))
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
            inTransaction(() -> {
              delete("slice", wide);
              return delete("wide_superstep", wide);
            }));
  }

  /// Removes rows of drivers that died.
  public void sweep() {
    inTransaction(() -> {
      sweep("slice");
      return sweep("wide_superstep");
    });
  }

  private int sweep(String table) {
    return jdbc.sql(
            """
            delete from %s old
             where not exists (
                     select from run
                      where run.id = old.run and run.lease_epoch = old.lease_epoch
                        and run.superstep < old.superstep
                        and run.status in ('running', 'cancelling'))
            """
                .formatted(table))
        .update();
  }

  private int delete(String table, WideSuperstep wide) {
    var sql =
        "delete from %s where run = :run and superstep = :superstep and lease_epoch = :epoch"
            .formatted(table);
    return bind(jdbc.sql(sql), wide).update();
  }

  private <T> T inTransaction(Supplier<T> work) {
    return Objects.requireNonNull(transaction.execute(_ -> work.get()));
  }
}
