package dev.superstep.run.work;

import dev.superstep.checkpoint.work.WorkSettings;
import dev.superstep.checkpoint.work.WorkerTasks;
import dev.superstep.schedule.RecurringJob;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Has one replica at a time withdraw tasks that no run wants any more, and delete those that ended
/// a while ago.
@Configuration(proxyBeanMethods = false)
class WorkSweep {
  private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(1);
  private static final int BATCH = 5_000;
  private static final int BATCHES_MAX = 200;

  @Bean
  RecurringJob sweepTasks(WorkerTasks tasks, WorkSettings settings) {
    return new RecurringJob(
        "sweep-tasks",
        BETWEEN_ROUNDS,
        () -> {
          repeat(() -> tasks.withdrawUnwanted(BATCH));
          repeat(() -> tasks.rest(BATCH));
          repeat(() -> tasks.queueResumed(BATCH));
          repeat(() -> tasks.purge(settings.keep(), BATCH));
        });
  }

  private static void repeat(IntSupplier batch) {
    for (int i = 0; i < BATCHES_MAX && batch.getAsInt() == BATCH; i++) {}
  }
}
