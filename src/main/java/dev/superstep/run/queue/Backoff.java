package dev.superstep.run.queue;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/// How long a run waits before it is claimed again when its driver has broken off here: longer each
/// time, until it commits something. A driver that breaks repeats calls, and they cost money.
@Component
public class Backoff {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /// With more, all begin with the first pause again.
  private static final int RUNS_MAX = 10_000;

  private final ConcurrentHashMap<String, Duration> pauses = new ConcurrentHashMap<>();

  /// The pause that is due now.
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

  /// The pause that was due last; zero if the run's driver has not broken off since it has
  /// committed.
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
