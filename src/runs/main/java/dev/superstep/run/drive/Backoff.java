package dev.superstep.run.drive;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/// Computes how long a run waits before it is claimed again when its driver has failed here: longer
/// each time, until the run commits. A driver that fails repeats calls, and they cost money.
@Component
class Backoff {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /// With more, every run begins with the first pause again.
  private static final int RUNS_MAX = 10_000;

  private final ConcurrentHashMap<String, Duration> pauses = new ConcurrentHashMap<>();

  /// The pause before the next claim.
  public Duration next(String run) {
    if (pauses.size() >= RUNS_MAX) {
      pauses.clear();
    }
    return pauses.merge(run, FIRST, (last, _) -> longer(last));
  }

  private static Duration longer(Duration last) {
    var longer = last.multipliedBy(2);
    return longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
  }

  /// The last pause; zero if the run's driver has not failed since its last commit.
  public Duration last(String run) {
    return pauses.getOrDefault(run, Duration.ZERO);
  }

  /// The run has committed something.
  public void end(String run) {
    if (!pauses.isEmpty()) {
      pauses.remove(run);
    }
  }
}
