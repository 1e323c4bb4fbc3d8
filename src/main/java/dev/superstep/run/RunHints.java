package dev.superstep.run;

import dev.superstep.schedule.HintListener;
import dev.superstep.schedule.Hints.Kind;
import org.springframework.stereotype.Component;

/// Acts on what other replicas say about runs.
@Component
class RunHints implements HintListener {
  private final Drivers drivers;
  private final Signals signals;
  private final Elsewhere elsewhere;
  private final Listeners listeners;
  private final LiveElsewhere live;

  RunHints(
      Drivers drivers,
      Signals signals,
      Elsewhere elsewhere,
      Listeners listeners,
      LiveElsewhere live) {
    this.drivers = drivers;
    this.signals = signals;
    this.elsewhere = elsewhere;
    this.listeners = listeners;
    this.live = live;
  }

  @Override
  public void heard(String sender, Kind kind, String run) {
    switch (kind) {
      case NEWS -> drivers.nudge(run);
      case MOVED -> signals.heard(run);
      case WATCHED -> elsewhere.watchedElsewhere(run);
      case LISTENING -> live.listening(sender, run);
      case DEAF -> live.deaf(sender, run);
      case QUEUED -> {} // the scheduler has looked
    }
  }

  @Override
  public void told(String text) {
    live.read(text).forEach(listeners::hand);
  }

  @Override
  public void missedSome() {
    drivers.nudgeAll();
  }
}
