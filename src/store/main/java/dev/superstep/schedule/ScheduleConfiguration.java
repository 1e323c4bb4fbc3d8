package dev.superstep.schedule;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.Task;
import dev.superstep.database.Pools;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Configures db-scheduler. The library alone, not its starter: that would start the scheduler by
/// itself and has no place for long-running executions.
///
/// The schedulers need everything that they call: handlers of wake-ups, recurring jobs. What these
/// need of the scheduler they find in [LocalReplica], which is created first.
@Configuration(proxyBeanMethods = false)
class ScheduleConfiguration {
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
  Ramp ramp(DatabaseContact contact) {
    return new Ramp(contact, System::nanoTime);
  }

  /// By the name that it has in the release before.
  @Bean
  RecurringJob reconcileSlices(SlicesOfBefore slices, ScheduleSettings settings) {
    return new RecurringJob("reconcile-slices", settings.lease(), slices::reconcile);
  }

  // The schedulers are stopped by ClusterMember; a destroy method would stop them a second time.
  @Bean(destroyMethod = "")
  Schedulers schedulers(
      @Qualifier(Pools.SCHEDULER) DataSource dataSource,
      SchedulerTasks tasks,
      List<RecurringJob> duties,
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

  /// Serializes nothing: executions carry no data, as ids are in the instance name.
  private static final class NoOpSerializer implements Serializer {

    @Override
    public byte @Nullable [] serialize(@Nullable Object data) {
      return null;
    }

    @Override
    public <T> @Nullable T deserialize(Class<T> type, byte @Nullable [] bytes) {
      return null;
    }
  }
}
