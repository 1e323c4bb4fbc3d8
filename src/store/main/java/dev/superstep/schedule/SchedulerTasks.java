package dev.superstep.schedule;

import com.github.kagkarlsson.scheduler.exceptions.ExecutionException;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.ExecutionOperations;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// The tasks that db-scheduler executes for us. Nothing it stores is the truth about a run.
@Component
final class SchedulerTasks {
  static final String RUN_DRIVE = "run-drive";
  static final String REPLICA = "replica";
  private static final Logger log = LoggerFactory.getLogger(SchedulerTasks.class);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration HAND_ON = Duration.ofMillis(200);

  private final WakeHandler handler;
  private final Membership membership;
  private final ReplicaRows rows;
  private final Ramp ramp;

  SchedulerTasks(WakeHandler handler, Membership membership, ReplicaRows rows, Ramp ramp) {
    this.handler = handler;
    this.ramp = ramp;
    this.membership = membership;
    this.rows = rows;
  }

  /// Executions that are claimed while there is room.
  List<Task<?>> ofRuns() {
    return List.of(runDrive());
  }

  /// Executions that continue whatever the load.
  List<Task<?>> ofReplicas() {
    return List.of(replica());
  }

  static RecurringTask<Void> recurring(RecurringJob recurringJob) {
    return Tasks.recurring(recurringJob.name(), new ChangingDelay(recurringJob.period()))
        .execute((_, _) -> recurringJob.action().run());
  }

  /// A delay that is asked for after each round.
  private record ChangingDelay(Supplier<Duration> period) implements Schedule {
    @Override
    public Instant getNextExecutionTime(ExecutionComplete round) {
      return round.getTimeDone().plus(period.get());
    }

    @Override
    public Instant getInitialExecutionTime(Instant now) {
      return now;
    }

    @Override
    public boolean isDeterministic() {
      return false;
    }
  }

  private Task<?> runDrive() {
    return Tasks.custom(RUN_DRIVE, Void.class)
        .onFailureReschedule(FixedDelay.of(RETRY))
        .onDeadExecutionRevive()
        .execute(this::drive);
  }

  private CompletionHandler<Void> drive(TaskInstance<Void> instance, ExecutionContext context) {
    var name = membership.confirmed();
    if (name.isEmpty()) {
      return again(HAND_ON);
    }
    if (!ramp.admits()) {
      return again(RETRY);
    }
    var wake = Wake.parse(instance.getId());
    return switch (handler.wake(wake.run(), wake.number(), name.get())) {
      case DONE -> new CompletionHandler.OnCompleteRemove<>();
      case FULL, NOT_HERE -> again(RETRY);
      case NOT_ITS_TURN -> again(HAND_ON);
    };
  }

  private static CompletionHandler<Void> again(Duration pause) {
    return new CompletionHandler.OnCompleteReschedule<>(FixedDelay.of(pause));
  }

  /// Runs as long as the process does: its heartbeat, the only one, says that the process lives.
  /// db-scheduler would judge all replicas by the lease of this one: [DeathWatch] finds the dead.
  private Task<?> replica() {
    return Tasks.custom(REPLICA, Void.class)
        .onDeadExecution((_, _) -> {})
        .onFailure((failed, operations) -> remove(failed.getExecution().getId(), operations))
        .execute((instance, _) -> live(instance.getId()));
  }

  private CompletionHandler<Void> live(String id) {
    var heartbeat = rows.setLease(id);
    var released =
        heartbeat.isPresent()
            ? membership.take(id, heartbeat.getAsLong())
            : Optional.<CountDownLatch>empty();
    if (released.isPresent()) {
      log.info("This replica is {}", id);
      try {
        released.get().await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      membership.release(id);
    }
    // A name that this process has no use for: a process without one inserts another.
    return (_, operations) -> remove(id, operations);
  }

  private static void remove(String id, ExecutionOperations<Void> operations) {
    try {
      operations.stop();
    } catch (ExecutionException e) {
      log.debug("The execution of replica {} is gone already", id, e);
    }
  }
}
