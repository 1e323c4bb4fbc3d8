package dev.superstep.run.drive;

import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.RunStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.springframework.stereotype.Component;

/// What is measured about the drivers of this replica. No tag names a run, a graph or a caller:
/// users make those, and a registry forgets nothing.
@Component
class DriverMetrics {
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(30),
    Duration.ofMinutes(2)
  };

  private final Timer supersteps;
  private final Counter rejected;
  private final Counter takenOver;
  private final Map<RunStatus, Counter> rested = new EnumMap<>(RunStatus.class);

  DriverMetrics(MeterRegistry meters, LocalRuns localRuns, WorkPermits workPermits) {
    supersteps =
        Timer.builder("superstep.supersteps")
            .description("Time from one commit of a driver to its next, calls of nodes included")
            .serviceLevelObjectives(BUCKETS)
            .register(meters);
    rejected =
        Counter.builder("superstep.commits.rejected")
            .description("Writes of drivers whose run another replica had taken over")
            .register(meters);
    takenOver =
        Counter.builder("superstep.runs.takeovers")
            .description("Runs claimed here whose last driver died or broke")
            .register(meters);
    for (var status : RunStatus.values()) {
      rested.put(
          status,
          Counter.builder("superstep.runs.rested")
              .description("Commits after which a driver had nothing left to do")
              .tag("status", status.name().toLowerCase(Locale.ROOT))
              .register(meters));
    }
    Gauge.builder("superstep.runs.driven", localRuns, LocalRuns::driven)
        .description("Runs in flight")
        .register(meters);
    Gauge.builder("superstep.runs.places", localRuns, LocalRuns::places)
        .description("Runs that may be in flight: superstep.runs.max")
        .register(meters);
    Gauge.builder("superstep.turns.queued", workPermits, WorkPermits::queued)
        .description("Threads of runs that wait for their turn to compute")
        .register(meters);
  }

  /// @param commits that shared a write
  /// @param took all of them
  void committed(RunStatus status, int commits, Duration took) {
    for (int i = 0; i < commits; i++) {
      supersteps.record(took.dividedBy(commits));
    }
    if (status != RunStatus.RUNNING) {
      var counter = rested.get(status);
      if (counter != null) {
        counter.increment();
      }
    }
  }

  void rejected() {
    rejected.increment();
  }

  void takenOver() {
    takenOver.increment();
  }
}
