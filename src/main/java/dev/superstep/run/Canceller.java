package dev.superstep.run;

import dev.superstep.checkpoint.EventLog;
import dev.superstep.checkpoint.Interrupts;
import dev.superstep.engine.Event;
import dev.superstep.engine.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.ObjectValue;
import jakarta.persistence.EntityManager;
import java.util.List;
import org.springframework.stereotype.Component;

/// Ends runs. Runs in the caller's transaction.
@Component
class Canceller {
  private final Lookups lookups;
  private final Interrupts interrupts;
  private final EventLog events;
  private final EntityManager entities;
  private final DatabaseClock clock;

  Canceller(
      Lookups lookups,
      Interrupts interrupts,
      EventLog events,
      EntityManager entities,
      DatabaseClock clock) {
    this.lookups = lookups;
    this.interrupts = interrupts;
    this.events = events;
    this.entities = entities;
    this.clock = clock;
  }

  /// A run that nobody drives is cancelled at once; a driver sees the flag with its next commit, at
  /// the latest. Cancelling again changes nothing.
  void cancel(String id) {
    var run = lookups.lock(id);
    if (run.status() == RunStatus.SUCCEEDED) {
      throw new ServiceException(
          ErrorCode.RUN_ENDED, "the run has succeeded; there is nothing to cancel");
    }
    if (run.status() == RunStatus.CANCELLED) {
      return;
    }
    if (run.owned()) {
      run.requestCancel(clock.instant());
      return;
    }
    run.cancel(clock.instant());
    entities.flush();
    interrupts.cancel(id);
    events.append(id, List.of(Event.of("run.cancelled", run.superstep(), ObjectValue.empty())));
  }
}
