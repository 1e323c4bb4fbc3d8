package dev.superstep.run.drive;

import dev.superstep.run.stream.CommitNotifier;
import dev.superstep.run.stream.LiveEventBus;
import dev.superstep.run.stream.LiveEventRelay;
import dev.superstep.run.stream.RemoteWatches;
import dev.superstep.schedule.NotificationListener;
import dev.superstep.schedule.ReplicaNotifications.NotificationKind;
import org.springframework.stereotype.Component;

/// Handles notifications from other replicas about runs.
@Component
class RunNotifications implements NotificationListener {
  private final LocalRuns localRuns;
  private final CommitNotifier commitNotifier;
  private final RemoteWatches remoteWatches;
  private final LiveEventBus liveEventBus;
  private final LiveEventRelay live;

  RunNotifications(
      LocalRuns localRuns,
      CommitNotifier commitNotifier,
      RemoteWatches remoteWatches,
      LiveEventBus liveEventBus,
      LiveEventRelay live) {
    this.localRuns = localRuns;
    this.commitNotifier = commitNotifier;
    this.remoteWatches = remoteWatches;
    this.liveEventBus = liveEventBus;
    this.live = live;
  }

  @Override
  public void onNotification(String sender, NotificationKind kind, String run) {
    switch (kind) {
      case LOOK -> {
        localRuns.nudge(run);
        commitNotifier.notify(run);
      }
      case WATCHING -> remoteWatches.watchedElsewhere(run);
      case JOINED -> liveEventBus.joinedElsewhere(sender, run);
      case SUBSCRIBED -> live.subscribed(sender, run);
      case UNSUBSCRIBED -> live.unsubscribed(sender, run);
      case DUE -> {} // is for the scheduler
    }
  }

  @Override
  public void onLiveText(String text) {
    live.read(text).forEach(liveEventBus::hand);
  }

  @Override
  public void missedSome() {
    localRuns.nudgeAll();
  }
}
