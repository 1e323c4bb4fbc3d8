package dev.superstep.run.drive;

import dev.superstep.checkpoint.row.EventLog;
import dev.superstep.checkpoint.row.Interrupts;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunError;
import dev.superstep.run.store.RunRows;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Fails claimed runs that must not or cannot be driven; a person can resume them.
@Component
class RunFailer {
  private final RunRows runs;
  private final Interrupts interrupts;
  private final EventLog events;
  private final DatabaseClock clock;

  RunFailer(RunRows runs, Interrupts interrupts, EventLog events, DatabaseClock clock) {
    this.runs = runs;
    this.interrupts = interrupts;
    this.events = events;
    this.clock = clock;
  }

  /// Fails the run, or cancels it if that was asked for.
  ///
  /// @throws LeaseLostException if the run was claimed again since
  @Transactional
  public void fail(Lease lease, RunError error) {
    var run =
        runs.lock(lease.run())
            .filter(it -> it.epoch() == lease.epoch())
            .orElseThrow(() -> new LeaseLostException(lease));
    run.giveUp(error, clock.instant());
    if (run.cancelRequested()) {
      interrupts.cancel(lease.run());
      events.append(lease.run(), List.of(Event.of("run.cancelled", ObjectValue.empty())));
      return;
    }
    var data =
        ObjectValue.of("code", Value.of(error.error().code()))
            .plus("message", Value.of(error.error().message()));
    events.append(lease.run(), List.of(Event.of("run.failed", data)));
  }
}
