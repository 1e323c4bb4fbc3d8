package dev.superstep.schedule.db;

import dev.superstep.database.Pools;
import dev.superstep.schedule.ReplicaNotifications;
import dev.superstep.schedule.ScheduleSettings;
import dev.superstep.schedule.Wake;
import dev.superstep.schedule.WakeUps;
import dev.superstep.schedule.replica.DatabaseClock;
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

/// Inserts wake-ups as rows of db-scheduler's table, with a statement of our own: its client
/// selects the row first, inserts one at a time, answers a duplicate with an exception, which ends
/// a PostgreSQL transaction, and polls before the transaction has committed.
@Component
public final class DbWakeUps implements WakeUps {
  private final Connections connections;
  private final Announced announced;
  private final DatabaseClock clock;
  private final ScheduleSettings settings;

  /// The poll for due runs, to be triggered after a commit.
  @Component
  public record Announced(Schedulers schedulers, ReplicaNotifications notifications) {
    void publish() {
      schedulers.runs().triggerCheckForDueExecutions();
      notifications.send(ReplicaNotifications.Kind.QUEUED, "");
    }
  }

  /// The connections of API calls, of drivers, and of the scheduler.
  @Component
  public record Connections(JdbcClient jdbc, Drivers drivers, Own own) {

    /// A wake-up is part of the transaction that makes its run runnable.
    JdbcClient current() {
      if (TransactionSynchronizationManager.hasResource(own.pool())) {
        return own.jdbc();
      }
      return TransactionSynchronizationManager.hasResource(drivers.pool()) ? drivers.jdbc() : jdbc;
    }

    @Component
    public record Drivers(
        @Qualifier(Pools.ENGINE) JdbcClient jdbc, @Qualifier(Pools.ENGINE) DataSource pool) {}

    @Component
    public record Own(
        @Qualifier(Pools.SCHEDULER) JdbcClient jdbc, @Qualifier(Pools.SCHEDULER) DataSource pool) {}
  }

  DbWakeUps(
      Connections connections,
      Announced announced,
      DatabaseClock clock,
      ScheduleSettings settings) {
    this.connections = connections;
    this.announced = announced;
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
      publishAfterCommit();
    }
  }

  @Override
  public void cancel(String run, long wake) {
    connections
        .current()
        .sql("delete from scheduled_tasks where task_name = ? and task_instance = ? and not picked")
        .params(SchedulerTasks.RUN_DRIVE, new Wake(run, wake, Instant.EPOCH, 0).instance())
        .update();
  }

  private static String[] column(Collection<Wake> wakes, Function<Wake, String> value) {
    return wakes.stream().map(value).toArray(String[]::new);
  }

  private void publishAfterCommit() {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      announced.publish();
      return;
    }
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            announced.publish();
          }
        });
  }

  @Override
  public Set<String> replicas() {
    return connections
        .own()
        .jdbc()
        .sql("select task_instance from scheduled_duties where task_name = ?")
        .param(SchedulerTasks.REPLICA)
        .query(String.class)
        .list()
        .stream()
        .collect(Collectors.toUnmodifiableSet());
  }
}
