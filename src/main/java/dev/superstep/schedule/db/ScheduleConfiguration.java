package dev.superstep.schedule.db;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.task.Task;
import dev.superstep.database.OutageLog;
import dev.superstep.database.Pools;
import dev.superstep.schedule.NotificationListener;
import dev.superstep.schedule.RecurringJob;
import dev.superstep.schedule.ReplicaNotifications;
import dev.superstep.schedule.ScheduleSettings;
import dev.superstep.schedule.SliceHandler;
import dev.superstep.schedule.WakeHandler;
import dev.superstep.schedule.hint.NoNotifications;
import dev.superstep.schedule.hint.PostgresNotifications;
import dev.superstep.schedule.replica.DatabaseClock;
import dev.superstep.schedule.replica.DatabaseContact;
import dev.superstep.schedule.replica.Membership;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Configures db-scheduler. Its own auto-configuration is switched off: it would start the
/// scheduler by itself and has no place for long-running executions.
@Configuration(proxyBeanMethods = false)
public class ScheduleConfiguration {
  private static final int RUN_THREADS = 12;
  private static final int DUTY_THREADS = 6;
  private static final double REFILL_BELOW = 0.5;
  private static final double FILL_TO = 1.0;

  @Bean
  DatabaseContact databaseContact(ScheduleSettings settings) {
    return new DatabaseContact(settings.lease().dividedBy(2), System::nanoTime);
  }

  @Bean
  Membership membership(DatabaseContact contact, ScheduleSettings settings) {
    return new Membership(contact, settings.lease(), System::nanoTime);
  }

  @Bean
  SchedulerTasks schedulerTasks(
      ObjectProvider<WakeHandler> handler,
      Membership membership,
      ReplicaRows rows,
      ObjectProvider<SliceHandler> slices) {
    return new SchedulerTasks(
        handler::getObject, membership, rows, new SliceTask(slices::getObject));
  }

  // The schedulers are stopped by ClusterMember; a destroy method would stop them a second time.
  @Bean(destroyMethod = "")
  Schedulers schedulers(
      @Qualifier(Pools.SCHEDULER) DataSource dataSource,
      SchedulerTasks tasks,
      ObjectProvider<RecurringJob> duties,
      DatabaseClock clock,
      ScheduleSettings settings) {
    var runs =
        scheduler(dataSource, tasks.ofRuns(), clock, settings)
            .tableName(Schedulers.RUNS_TABLE)
            .threads(RUN_THREADS)
            .pollingInterval(settings.poll());
    var others =
        scheduler(dataSource, tasks.ofReplicas(), clock, settings)
            .tableName(Schedulers.DUTIES_TABLE)
            .startTasks(duties.stream().map(SchedulerTasks::recurring).toList())
            .threads(DUTY_THREADS)
            .pollingInterval(settings.poll().multipliedBy(2));
    return new Schedulers(runs.build(), others.build());
  }

  private static SchedulerBuilder scheduler(
      DataSource dataSource, List<Task<?>> tasks, DatabaseClock clock, ScheduleSettings settings) {
    return Scheduler.create(dataSource, tasks)
        .schedulerName(new SchedulerName.Fixed(UUID.randomUUID().toString()))
        .serializer(new NoOpSerializer())
        .jdbcCustomization(new PostgreSqlJdbcCustomization(true, false))
        .pollUsingLockAndFetch(REFILL_BELOW, FILL_TO)
        .heartbeatInterval(settings.heartbeat())
        .missedHeartbeatsLimit(ScheduleSettings.HEARTBEATS_PER_LEASE)
        .shutdownMaxWait(settings.drain())
        .commitWhenAutocommitDisabled(true)
        .enablePriority()
        .clock(clock::instant);
  }

  @Bean
  ReplicaNotifications hints(
      @Qualifier(Pools.LISTENER) DataSource listening,
      @Qualifier(Pools.SCHEDULER) JdbcClient sending,
      Schedulers schedulers,
      ObjectProvider<NotificationListener> listener,
      ScheduleSettings settings) {
    return settings.hints()
        ? new PostgresNotifications(
            listening,
            sending,
            schedulers.runs()::triggerCheckForDueExecutions,
            listener::getObject)
        : new NoNotifications();
  }

  @Bean
  ClusterMember clusterMember(
      Schedulers schedulers,
      Membership membership,
      ReplicaRows rows,
      DeathWatch deaths,
      ObjectProvider<WakeHandler> handler,
      ScheduleSettings settings,
      OutageLog outage) {
    return new ClusterMember(
        schedulers, membership, rows, deaths, handler::getObject, settings, outage);
  }

  @Bean
  DeathWatch deathWatch(
      ReplicaRows rows,
      Membership membership,
      DatabaseContact contact,
      ObjectProvider<WakeHandler> handler) {
    return new DeathWatch(rows, membership, contact, handler::getObject);
  }

  @Bean
  ReplicaRows replicaRows(
      @Qualifier(Pools.WATCH) JdbcClient jdbc,
      DatabaseClock clock,
      DatabaseContact contact,
      ScheduleSettings settings) {
    return new ReplicaRows(jdbc, clock, contact, settings.lease());
  }
}
