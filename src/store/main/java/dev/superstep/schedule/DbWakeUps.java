package dev.superstep.schedule;

import dev.superstep.database.Pools;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Inserts wake-ups as rows of db-scheduler's table, with a statement of our own: its client
/// selects each row first, or fails on a duplicate in a batch, which ends a PostgreSQL transaction;
/// and it polls before the transaction has committed.
@Component
final class DbWakeUps implements WakeUps {
  /// Numbers of a run before its last one for which there may still be a row: a timer of a run that
  /// was cancelled.
  private static final int WAKES_BEFORE = 10;

  /// Rows that are looked at for those of some callers.
  private static final int DUE_MAX = 10_000;

  /// Nothing that is right waits longer behind its time: what found no room is tried again sooner.
  private static final Duration LATE = Duration.ofSeconds(10);

  private static final String INSERT =
      """
      insert into scheduled_tasks as there
             (task_name, task_instance, execution_time, picked, version, priority)
      select ?, wake.instance, wake.at, false, 1, wake.priority
        from unnest(?::text[], ?::timestamptz[], ?::smallint[])
             as wake (instance, at, priority)
      """;

  private static final String LEAVE = "on conflict do nothing";

  /// Rows of a conflict are locked in the order of their names, as every replica does it.
  private static final String MOVE =
      """
       order by wake.instance
      on conflict (task_name, task_instance)
      do update set execution_time = excluded.execution_time
       where not there.picked
         and there.execution_time
             > greatest(excluded.execution_time, clock_timestamp()) + ? * interval '1 ms'
      """;

  private final JdbcClient jdbc;
  private final DataSource enginePool;
  private final JdbcClient engineJdbc;
  private final DataSource ownPool;
  private final JdbcClient ownJdbc;
  private final LocalReplica replica;
  private final ReplicaNotifications notifications;
  private final DatabaseClock clock;
  private final ScheduleSettings settings;

  DbWakeUps(
      JdbcClient jdbc,
      @Qualifier(Pools.ENGINE) DataSource enginePool,
      @Qualifier(Pools.SCHEDULER) DataSource ownPool,
      LocalReplica replica,
      ReplicaNotifications notifications,
      DatabaseClock clock,
      ScheduleSettings settings) {
    this.jdbc = jdbc;
    this.enginePool = enginePool;
    this.engineJdbc = JdbcClient.create(enginePool);
    this.ownPool = ownPool;
    this.ownJdbc = JdbcClient.create(ownPool);
    this.replica = replica;
    this.notifications = notifications;
    this.clock = clock;
    this.settings = settings;
  }

  /// The connection of the current transaction: a wake-up is part of the one that makes its run
  /// runnable, be it an API call's, a driver's, or the scheduler's.
  private JdbcClient current() {
    if (TransactionSynchronizationManager.hasResource(ownPool)) {
      return ownJdbc;
    }
    return TransactionSynchronizationManager.hasResource(enginePool) ? engineJdbc : jdbc;
  }

  @Override
  public void schedule(Collection<Wake> wakes) {
    if (wakes.isEmpty()) {
      return;
    }
    insert(wakes, LEAVE).update();
    publishIfSoon(wakes);
  }

  @Override
  public void reschedule(Collection<Wake> wakes) {
    if (wakes.isEmpty()) {
      return;
    }
    insert(wakes, MOVE).param(LATE.toMillis()).update();
    publishIfSoon(wakes);
  }

  private JdbcClient.StatementSpec insert(Collection<Wake> wakes, String onConflict) {
    return current()
        .sql(INSERT + onConflict)
        .params(
            SchedulerTasks.RUN_DRIVE,
            column(wakes, Wake::instance),
            column(wakes, it -> it.at().toString()),
            column(wakes, it -> Integer.toString(it.priority())));
  }

  private void publishIfSoon(Collection<Wake> wakes) {
    var soon = clock.instant().plus(settings.poll());
    if (wakes.stream().map(Wake::at).min(Instant::compareTo).orElseThrow().isBefore(soon)) {
      publishAfterCommit();
    }
  }

  private static <T> String[] column(Collection<T> rows, Function<T, String> value) {
    return rows.stream().map(value).toArray(String[]::new);
  }

  private void publishAfterCommit() {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      publish();
      return;
    }
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            publish();
          }
        });
  }

  private void publish() {
    replica.pollDueRuns();
    notifications.send(ReplicaNotifications.NotificationKind.DUE, "");
  }

  @Override
  public void cancel(String run, long wake) {
    current()
        .sql("delete from scheduled_tasks where task_name = ? and task_instance = ? and not picked")
        .params(SchedulerTasks.RUN_DRIVE, new Wake(run, wake, Instant.EPOCH, 0).instance())
        .update();
  }

  @Override
  public void forget(Collection<String> runs) {
    current()
        .sql(
            """
            delete from scheduled_tasks
             where task_name = ? and not picked
               and task_instance in (
                     select run.id || '/' || number
                       from run, generate_series(greatest(wake - ?, 0), wake) as number
                      where run.id = any(?))
            """)
        .params(SchedulerTasks.RUN_DRIVE, WAKES_BEFORE, runs.toArray(String[]::new))
        .update();
  }

  @Override
  public List<Due> due(Collection<String> exceptTenants, Collection<String> exceptShares, int max) {
    return ownJdbc
        .sql(
            """
            select run.id, run.wake, run.caller
              from (select task_instance, execution_time from scheduled_tasks
                     where task_name = ? and execution_time <= now() and not picked
                     order by execution_time limit ?) as task
              join run on run.id = regexp_replace(task.task_instance, '/[^/]*$', '')
                      and run.wake::text = substring(task.task_instance from '[^/]*$')
             where run.owner is null and tenant_of(run.id) <> all(?)
               and tenant_of(run.id) || '/' || run.caller <> all(?)
             order by task.execution_time
             limit ?
            """)
        .params(
            SchedulerTasks.RUN_DRIVE,
            DUE_MAX,
            exceptTenants.toArray(String[]::new),
            exceptShares.toArray(String[]::new),
            max)
        .query((row, _) -> new Due(row.getString(1), row.getLong(2), row.getString(3)))
        .list();
  }

  @Override
  public Set<String> replicas() {
    return Set.copyOf(ownJdbc.sql("select name from replica").query(String.class).list());
  }
}
