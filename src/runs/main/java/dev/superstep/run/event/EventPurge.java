package dev.superstep.run.event;

import dev.superstep.checkpoint.event.IncomingEvents;
import dev.superstep.schedule.RecurringJob;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Has one replica at a time delete events that no run can take any more.
@Configuration(proxyBeanMethods = false)
class EventPurge {
  private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(1);
  private static final int BATCH = 5_000;
  private static final int BATCHES_MAX = 200;

  /// For so long one that is sent again is known, however soon it has expired.
  private static final Duration KNOWN = Duration.ofHours(1);

  @Bean
  RecurringJob purgeEvents(IncomingEvents events) {
    return new RecurringJob(
        "purge-events",
        BETWEEN_ROUNDS,
        () -> {
          for (int i = 0; i < BATCHES_MAX && events.purge(KNOWN, BATCH) == BATCH; i++) {}
        });
  }
}
