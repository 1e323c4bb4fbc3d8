package dev.superstep.run.start;

import dev.superstep.checkpoint.StoredForm;
import dev.superstep.checkpoint.row.EventLog;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.RunError;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.drive.AfterCommit;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/// Ends runs that have waited for their thread and will have no driver. The caller holds the lock
/// of the run.
@Component
class WaitingRunEnder {
  private final EntityManager entities;
  private final EventLog events;
  private final AfterCommit afterCommit;
  private final DatabaseClock clock;

  WaitingRunEnder(
      EntityManager entities, EventLog events, AfterCommit afterCommit, DatabaseClock clock) {
    this.entities = entities;
    this.events = events;
    this.afterCommit = afterCommit;
    this.clock = clock;
  }

  /// Lets a run begin, or fails it: of one that is refused half-way nothing remains but that.
  ///
  /// @param begin whether the run has begun; else another one goes on
  boolean beginOrFail(RunEntity run, BooleanSupplier begin) {
    var before = EntitySavepoint.set(entities);
    try {
      return begin.getAsBoolean();
    } catch (ServiceException refused) {
      if (StoredForm.isNewer(refused)) {
        throw refused; // a replica of that release can begin it
      }
      before.rollBack();
      fail(run, RunError.of(refused.code().code(), refused.detail()));
      return false;
    }
  }

  /// Fails a run that could not begin.
  void fail(RunEntity run, RunError error) {
    run.fail(error, clock.instant());
    var data =
        ObjectValue.of("code", Value.of(error.error().code()))
            .plus("message", Value.of(error.error().message()));
    ended(run, Event.of("run.failed", data));
  }

  void cancel(RunEntity run) {
    run.cancel(clock.instant());
    ended(run, Event.of("run.cancelled", ObjectValue.empty()));
  }

  private void ended(RunEntity run, Event event) {
    entities.flush();
    events.append(run.id(), List.of(event));
    afterCommit.publish(run.id(), Optional.empty());
  }
}
