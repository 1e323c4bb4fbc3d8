package dev.superstep.pace;

import dev.superstep.database.LoggedFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which models have failed a moment ago, on any replica. It is advice: what others have found is
/// known here a second later, and what is lost with a process is found anew by the next call.
final class Cooldowns {
  private static final Logger log = LoggerFactory.getLogger(Cooldowns.class);
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final Map<String, Long> until = new ConcurrentHashMap<>();
  private final PaceRows rows;
  private final InstantSource clock;
  private final ReentrantLock looking = new ReentrantLock();
  private volatile long freshUntil;

  /// @param clock the database's
  Cooldowns(PaceRows rows, InstantSource clock) {
    this.rows = rows;
    this.clock = clock;
  }

  void cool(String model, Duration time) {
    long end = clock.millis() + time.toMillis();
    if (!isNews(model, end)) {
      return;
    }
    Thread.startVirtualThread(() -> {
      try {
        rows.cool(model, end);
      } catch (RuntimeException e) {
        log.warn(
            "Other replicas do not know that model '{}' has failed: {}",
            model,
            new LoggedFailure(e));
      }
    });
  }

  /// Of calls that fail side by side, one writes.
  private boolean isNews(String model, long end) {
    var known = until.get(model);
    if (known == null) {
      return until.putIfAbsent(model, end) == null;
    }
    return end - known >= FRESH.toMillis() && until.replace(model, known, end);
  }

  Set<String> cooling(Collection<String> models) {
    long now = clock.millis();
    refresh(now);
    return models.stream()
        .filter(it -> until.getOrDefault(it, 0L) > now)
        .collect(Collectors.toUnmodifiableSet());
  }

  /// While one looks, others take what is known.
  private void refresh(long now) {
    if (now >= freshUntil && looking.tryLock()) {
      try {
        look(now);
      } finally {
        looking.unlock();
      }
    }
  }

  private void look(long now) {
    freshUntil = now + FRESH.toMillis();
    until.values().removeIf(it -> it <= now);
    try {
      rows.cooling(now).forEach((model, end) -> until.merge(model, end, Math::max));
    } catch (RuntimeException e) {
      log.warn(
          "Models that have failed on other replicas are not known here: {}", new LoggedFailure(e));
    }
  }
}
