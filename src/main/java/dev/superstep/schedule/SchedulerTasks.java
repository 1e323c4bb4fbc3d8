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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What db-scheduler executes for us. Nothing it keeps is the truth about a run.
final class SchedulerTasks {
  static final String RUN_DRIVE = "run-drive";
  static final String REPLICA = "replica";
  private static final Logger log = LoggerFactory.getLogger(SchedulerTasks.class);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration HAND_ON = Duration.ofMillis(200);
  private static final int FIRST = Short.MAX_VALUE;

  private final Supplier<WakeHandler> handler;
  private final Membership membership;
  private final DatabaseContact contact;
  private final ScheduleSettings settings;
  private final SliceTask slices;

  SchedulerTasks(
      Supplier<WakeHandler> handler,
      Membership membership,
      DatabaseContact contact,
      ScheduleSettings settings,
      SliceTask slices) {
    this.handler = handler;
    this.membership = membership;
    this.contact = contact;
    this.settings = settings;
    this.slices = slices;
  }

  /// Executions that are claimed while there is room.
  List<Task<?>> ofRuns() {
    return List.of(runDrive(), slices.task());
  }

  /// Executions that go on whatever the load.
  List<Task<?>> ofReplicas() {
    return List.of(replica());
  }

  static RecurringTask<Void> recurring(Duty duty) {
    return Tasks.recurring(duty.name(), FixedDelay.of(duty.period()))
        .execute((_, _) -> duty.action().run());
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
    var wake = Wake.parse(instance.getId());
    return switch (handler.get().wake(wake.run(), wake.number(), name.get())) {
      case DONE -> new CompletionHandler.OnCompleteRemove<>();
      case FULL -> again(RETRY);
      case NOT_ITS_TURN -> again(HAND_ON);
    };
  }

  private static CompletionHandler<Void> again(Duration pause) {
    return new CompletionHandler.OnCompleteReschedule<>(FixedDelay.of(pause));
  }

  /// Runs as long as the process does: its heartbeat, the only one, says that the process lives.
  private Task<?> replica() {
    return Tasks.custom(REPLICA, Void.class)
        .defaultPriority(FIRST)
        .onDeadExecution(this::bury)
        .execute((instance, _) -> live(instance.getId()));
  }

  private CompletionHandler<Void> live(String id) {
    var released = membership.take(id);
    if (released.isEmpty()) {
      return again(HAND_ON); // another process is waiting for its name
    }
    log.info("This replica is {}", id);
    try {
      released.get().await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    membership.release(id);
    return (_, operations) -> remove(id, operations);
  }

  private void bury(ExecutionComplete found, ExecutionOperations<Void> operations) {
    var id = found.getExecution().taskInstance.getId();
    if (membership.name().equals(Optional.of(id)) || !contact.steadyFor(settings.lease())) {
      return; // looked at again two heartbeats later
    }
    log.warn("Replica {} is silent: its runs are queued again", id);
    handler.get().replicaDied(id);
    remove(id, operations);
    // What it began between the two: nothing begins under a name that is gone.
    handler.get().replicaDied(id);
  }

  private static void remove(String id, ExecutionOperations<Void> operations) {
    try {
      operations.stop();
    } catch (ExecutionException e) {
      log.debug("The execution of replica {} is gone already", id, e);
    }
  }
}
