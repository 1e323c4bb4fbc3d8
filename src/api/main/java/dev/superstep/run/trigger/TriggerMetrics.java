package dev.superstep.run.trigger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.springframework.stereotype.Component;

/// Measures the starts of schedules.
@Component
class TriggerMetrics {
  private final Timer delays;
  private final Counter missed;

  TriggerMetrics(MeterRegistry meters) {
    delays =
        Timer.builder("superstep.schedules.delay")
            .description("How long after its time a run of a schedule started; their number")
            .register(meters);
    missed =
        Counter.builder("superstep.schedules.missed")
            .description("Times of schedules for which no run started")
            .register(meters);
  }

  void started(Duration delay) {
    delays.record(delay);
  }

  void missed() {
    missed.increment();
  }
}
