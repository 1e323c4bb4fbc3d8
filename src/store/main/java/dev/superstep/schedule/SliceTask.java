package dev.superstep.schedule;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import java.time.Duration;
import org.springframework.stereotype.Component;

/// Handles invitations to slices, executions named `<run>/<superstep>/<epoch>/<number>/<claim>`:
/// db-scheduler delivers each to one process, which may pass it on.
@Component
final class SliceTask {
  static final String SLICE = "slice";
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration HAND_ON = Duration.ofMillis(100);

  private final SliceHandler handler;

  SliceTask(SliceHandler handler) {
    this.handler = handler;
  }

  Task<?> task() {
    return Tasks.custom(SLICE, Void.class)
        .onFailureReschedule(FixedDelay.of(RETRY))
        .onDeadExecutionRevive()
        .execute((instance, _) -> deliver(instance));
  }

  private CompletionHandler<Void> deliver(TaskInstance<Void> instance) {
    return switch (handler.wake(SliceWake.parse(instance.getId()))) {
      case DONE -> new CompletionHandler.OnCompleteRemove<>();
      case FULL, NOT_HERE, NOT_ITS_TURN ->
          new CompletionHandler.OnCompleteReschedule<>(FixedDelay.of(HAND_ON));
    };
  }
}
