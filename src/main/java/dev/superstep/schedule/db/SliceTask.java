package dev.superstep.schedule.db;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import dev.superstep.schedule.SliceHandler;
import dev.superstep.schedule.SliceWake;
import java.time.Duration;
import java.util.function.Supplier;

/// Handles invitations to slices: db-scheduler delivers each to one process, which may pass it on.
final class SliceTask {
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration HAND_ON = Duration.ofMillis(100);

  private final Supplier<SliceHandler> handler;

  SliceTask(Supplier<SliceHandler> handler) {
    this.handler = handler;
  }

  Task<?> task() {
    return Tasks.custom(SliceWakeUps.SLICE, Void.class)
        .onFailureReschedule(FixedDelay.of(RETRY))
        .onDeadExecutionRevive()
        .execute((instance, _) -> deliver(instance));
  }

  private CompletionHandler<Void> deliver(TaskInstance<Void> instance) {
    return switch (handler.get().wake(SliceWake.parse(instance.getId()))) {
      case DONE -> new CompletionHandler.OnCompleteRemove<>();
      case FULL, NOT_HERE, NOT_ITS_TURN ->
          new CompletionHandler.OnCompleteReschedule<>(FixedDelay.of(HAND_ON));
    };
  }
}
