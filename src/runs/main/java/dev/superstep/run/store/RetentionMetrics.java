package dev.superstep.run.store;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.stereotype.Component;

/// What retention has done on this replica, and how far it is behind.
@Component
class RetentionMetrics {
  private final Counter runs;
  private final Counter checkpoints;

  /// Of the round before, and of the one in progress.
  private volatile double overdueBefore;

  private volatile double overdue;

  RetentionMetrics(MeterRegistry meters) {
    runs =
        Counter.builder("superstep.retention.runs.purged")
            .description("Runs that retention has erased")
            .register(meters);
    checkpoints =
        Counter.builder("superstep.retention.checkpoints.purged")
            .description("Checkpoints that retention has erased of runs that are kept")
            .register(meters);
    Gauge.builder("superstep.retention.overdue", this, it -> Math.max(it.overdueBefore, it.overdue))
        .description(
            "How long the purged run that waited longest was overdue, in this round or the last")
        .baseUnit("seconds")
        .register(meters);
  }

  void purged(int count, Duration late) {
    runs.increment(count);
    overdue = Math.max(overdue, late.toMillis() / 1000.0);
  }

  void trimmed(int count) {
    checkpoints.increment(count);
  }

  void endRound() {
    overdueBefore = overdue;
    overdue = 0;
  }
}
