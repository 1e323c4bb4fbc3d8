package dev.superstep.run;

import dev.superstep.checkpoint.EventLog;
import dev.superstep.engine.Event;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.WakeUps;
import dev.superstep.state.ObjectValue;
import jakarta.persistence.EntityManager;
import java.util.List;
import org.springframework.stereotype.Component;

/// Makes a run claimable again. The caller holds the lock of the run.
@Component
class Restart {
  private final Threads threads;
  private final EntityManager entities;
  private final EventLog events;
  private final WakeUps wakeUps;
  private final DatabaseClock clock;

  Restart(
      Threads threads,
      EntityManager entities,
      EventLog events,
      WakeUps wakeUps,
      DatabaseClock clock) {
    this.threads = threads;
    this.entities = entities;
    this.events = events;
    this.wakeUps = wakeUps;
    this.clock = clock;
  }

  void queue(RunEntity run) {
    var thread = run.origin().threadId();
    if (thread != null && !run.status().active()) {
      threads.lockFree(thread);
    }
    var now = clock.instant();
    run.queue(now);
    entities.flush();
    events.append(run.id(), List.of(Event.of("run.resumed", run.superstep(), ObjectValue.empty())));
    wakeUps.schedule(run.id(), run.wake(), now, run.origin().priority());
  }
}
