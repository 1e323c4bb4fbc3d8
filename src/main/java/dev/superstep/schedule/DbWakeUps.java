package dev.superstep.schedule;

import dev.superstep.database.Pools;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Wake-ups as rows of db-scheduler's table. They are inserted with a statement of our own: its
/// client looks for the row first, inserts one at a time, answers a duplicate with an exception,
/// which ends a PostgreSQL transaction, and polls before the transaction has committed.
@Component
final class DbWakeUps implements WakeUps {
  private final Connections connections;
  private final Schedulers schedulers;
  private final DatabaseClock clock;
  private final ScheduleSettings settings;

  /// Those of API calls, and those of drivers.
  @Component
  record Connections(
      JdbcClient jdbc,
      @Qualifier(Pools.ENGINE) JdbcClient engine,
      @Qualifier(Pools.ENGINE) DataSource enginePool) {

    /// A wake-up is part of the transaction that makes its run runnable.
    JdbcClient current() {
      return TransactionSynchronizationManager.hasResource(enginePool) ? engine : jdbc;
    }
  }

  DbWakeUps(
      Connections connections,
      Schedulers schedulers,
      DatabaseClock clock,
      ScheduleSettings settings) {
    this.connections = connections;
    this.schedulers = schedulers;
    this.clock = clock;
    this.settings = settings;
  }

  @Override
  public void schedule(Collection<Wake> wakes) {
    if (wakes.isEmpty()) {
      return;
    }
    connections
        .current()
        .sql(
            """
            insert into scheduled_tasks
                   (task_name, task_instance, execution_time, picked, version, priority)
            select ?, wake.instance, wake.at, false, 1, wake.priority
              from unnest(?::text[], ?::timestamptz[], ?::smallint[])
                   as wake (instance, at, priority)
            on conflict do nothing
            """)
        .params(
            SchedulerTasks.RUN_DRIVE,
            column(wakes, Wake::instance),
            column(wakes, it -> it.at().toString()),
            column(wakes, it -> Integer.toString(it.priority())))
        .update();
    var soon = clock.instant().plus(settings.poll());
    if (wakes.stream().map(Wake::at).min(Instant::compareTo).orElseThrow().isBefore(soon)) {
      announce();
    }
  }

  private static String[] column(Collection<Wake> wakes, Function<Wake, String> value) {
    return wakes.stream().map(value).toArray(String[]::new);
  }

  private void announce() {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      schedulers.runs().triggerCheckForDueExecutions();
      return;
    }
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            schedulers.runs().triggerCheckForDueExecutions();
          }
        });
  }

  @Override
  public Set<String> replicas() {
    return connections
        .jdbc()
        .sql("select task_instance from scheduled_duties where task_name = ?")
        .param(SchedulerTasks.REPLICA)
        .query(String.class)
        .list()
        .stream()
        .collect(Collectors.toUnmodifiableSet());
  }
}
