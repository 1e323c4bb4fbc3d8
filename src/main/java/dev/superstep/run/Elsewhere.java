package dev.superstep.run;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.schedule.Hints;
import dev.superstep.schedule.Hints.Kind;
import java.time.Duration;
import org.springframework.stereotype.Component;

/// Which runs are waited for by clients of other replicas, and which of others are waited for here.
/// Only what somebody waits for is told.
@Component
class Elsewhere {
  private static final int RUNS_MAX = 10_000;
  private static final Duration KEPT = Duration.ofMinutes(1);
  private static final Duration ASKED_AGAIN = Duration.ofSeconds(20);

  private final Cache<String, Boolean> watchedElsewhere = cache(KEPT);
  private final Cache<String, Boolean> askedFor = cache(ASKED_AGAIN);
  private final Hints hints;
  private final LiveElsewhere live;

  Elsewhere(Hints hints, LiveElsewhere live) {
    this.hints = hints;
    this.live = live;
  }

  private static Cache<String, Boolean> cache(Duration kept) {
    return Caffeine.newBuilder().maximumSize(RUNS_MAX).expireAfterWrite(kept).build();
  }

  /// Something of the run was committed here.
  void moved(String run) {
    if (watchedElsewhere.getIfPresent(run) != null) {
      live.moved(run);
    }
  }

  /// A client of another replica waits for the run.
  void watchedElsewhere(String run) {
    watchedElsewhere.put(run, Boolean.TRUE);
  }

  /// A client of this replica waits for a run that may be driven by another.
  void watch(String run) {
    if (hints.arrive() && askedFor.asMap().putIfAbsent(run, Boolean.TRUE) == null) {
      hints.send(Kind.WATCHED, run);
    }
  }

  /// Something was left for the driver of the run, which is not here.
  void left(String run) {
    hints.send(Kind.NEWS, run);
  }

  /// Whether hints of others arrive here.
  boolean heard() {
    return hints.arrive();
  }
}
