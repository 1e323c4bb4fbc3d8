package dev.superstep.run.trigger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Measures the starts of schedules and events. What a transaction has done counts once it has
/// committed.
@Component
class TriggerMetrics {
  private final Timer delays;
  private final Counter missed;
  private final Counter lost;

  TriggerMetrics(MeterRegistry meters) {
    delays =
        Timer.builder("superstep.schedules.delay")
            .description("How long after its time a run of a schedule started; their number")
            .register(meters);
    missed =
        Counter.builder("superstep.schedules.missed")
            .description("Times of schedules for which no run started")
            .register(meters);
    lost =
        Counter.builder("superstep.events.missed")
            .description("Starts of runs by events that were refused, or given up")
            .register(meters);
  }

  void started(Duration delay) {
    committed(() -> delays.record(delay));
  }

  void missed() {
    committed(missed::increment);
  }

  void lost() {
    committed(lost::increment);
  }

  private static void committed(Runnable count) {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      count.run();
      return;
    }
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            count.run();
          }
        });
  }
}
