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

  RunHints(Drivers drivers, Signals signals, Elsewhere elsewhere) {
    this.drivers = drivers;
    this.signals = signals;
    this.elsewhere = elsewhere;
  }

  @Override
  public void heard(Kind kind, String run) {
    switch (kind) {
      case NEWS -> drivers.nudge(run);
      case MOVED -> signals.heard(run);
      case WATCHED -> elsewhere.watchedElsewhere(run);
      case QUEUED -> {} // the scheduler has looked
    }
  }

  @Override
  public void missedSome() {
    drivers.nudgeAll();
  }
}
