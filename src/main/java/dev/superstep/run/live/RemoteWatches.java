package dev.superstep.run.live;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.schedule.ReplicaNotifications;
import dev.superstep.schedule.ReplicaNotifications.Kind;
import java.time.Duration;
import org.springframework.stereotype.Component;

/// Which runs are waited for by clients of other replicas, and which of others are waited for here.
/// Only what somebody waits for is told.
@Component
public class RemoteWatches {
  private static final int RUNS_MAX = 10_000;
  private static final Duration KEPT = Duration.ofMinutes(1);
  private static final Duration ASKED_AGAIN = Duration.ofSeconds(20);

  private final Cache<String, Boolean> watchedElsewhere = cache(KEPT);
  private final Cache<String, Boolean> askedFor = cache(ASKED_AGAIN);
  private final ReplicaNotifications replicaNotifications;
  private final LiveEventRelay live;

  RemoteWatches(ReplicaNotifications replicaNotifications, LiveEventRelay live) {
    this.replicaNotifications = replicaNotifications;
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
  public void watchedElsewhere(String run) {
    watchedElsewhere.put(run, Boolean.TRUE);
  }

  /// A client of this replica waits for a run that may be driven by another.
  public void watch(String run) {
    if (replicaNotifications.arrive() && askedFor.asMap().putIfAbsent(run, Boolean.TRUE) == null) {
      replicaNotifications.send(Kind.WATCHED, run);
    }
  }

  /// Something was left for the driver of the run, which is not here.
  public void left(String run) {
    replicaNotifications.send(Kind.NEWS, run);
  }

  /// Whether hints of others arrive here.
  public boolean isListening() {
    return replicaNotifications.arrive();
  }
}
