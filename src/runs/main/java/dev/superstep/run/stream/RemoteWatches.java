package dev.superstep.run.stream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.schedule.ReplicaNotifications;
import dev.superstep.schedule.ReplicaNotifications.NotificationKind;
import java.time.Duration;
import org.springframework.stereotype.Component;

/// Tracks which runs clients of other replicas wait for, and which remote runs clients of this
/// replica wait for. Only these cause notifications.
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

  /// The run has committed something here.
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
      replicaNotifications.send(NotificationKind.WATCHING, run);
    }
  }

  /// A note was left for the driver of the run, which another replica runs.
  public void left(String run) {
    replicaNotifications.send(NotificationKind.LOOK, run);
  }

  /// Whether notifications of other replicas arrive here.
  public boolean isListening() {
    return replicaNotifications.arrive();
  }
}
