package dev.superstep.run.start;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.checkpoint.row.EventLog;
import dev.superstep.checkpoint.row.Interrupts;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.drive.AfterCommit;
import dev.superstep.run.drive.ParentNotifier;
import dev.superstep.run.store.RunTreeLocks;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.value.ObjectValue;
import jakarta.persistence.EntityManager;
import java.util.List;
import org.springframework.stereotype.Component;

/// Cancels runs, in the caller's transaction.
@Component
class Canceller {
  private final RunTreeLocks runTreeLocks;
  private final ParentNotifier parentNotifier;
  private final AfterCommit afterCommit;
  private final Interrupts interrupts;
  private final EventLog events;
  private final EntityManager entities;
  private final DatabaseClock clock;
  private final AuditLog audit;

  Canceller(
      RunTreeLocks runTreeLocks,
      ParentNotifier parentNotifier,
      AfterCommit afterCommit,
      Interrupts interrupts,
      EventLog events,
      EntityManager entities,
      DatabaseClock clock,
      AuditLog audit) {
    this.audit = audit;
    this.runTreeLocks = runTreeLocks;
    this.parentNotifier = parentNotifier;
    this.afterCommit = afterCommit;
    this.interrupts = interrupts;
    this.events = events;
    this.entities = entities;
    this.clock = clock;
  }

  /// A run without a driver is cancelled at once; a driver sees the flag with its next commit, at
  /// the latest. Its descendants are cancelled with it, and its parent is notified (E41).
  /// Cancelling again changes nothing.
  public void cancel(String id) {
    if (end(id)) {
      audit.record(AuditAction.RUN_CANCEL, id);
    }
  }

  /// Likewise, for no call, so that nothing is recorded.
  ///
  /// @return whether it had not been cancelled before
  boolean end(String id) {
    var ancestors = runTreeLocks.ancestors(id);
    var run = ancestors.getLast();
    if (run.status() == RunStatus.SUCCEEDED) {
      throw new ServiceException(
          ErrorCode.RUN_ENDED, "the run has succeeded; there is nothing to cancel");
    }
    if (run.status() == RunStatus.CANCELLED) {
      return false;
    }
    end(run);
    for (var below : runTreeLocks.descendants(id)) {
      if (below.status().active()) {
        end(below);
        afterCommit.publish(below.id(), below.owner());
      }
    }
    if (ancestors.size() > 1 && run.status() == RunStatus.CANCELLED) {
      var parent = ancestors.get(ancestors.size() - 2);
      runTreeLocks.links().find(id).ifPresent(it -> parentNotifier.notify(parent, it));
    }
    afterCommit.publish(id, run.owner());
    return true;
  }

  private void end(RunEntity run) {
    if (run.owned()) {
      run.requestCancel(clock.instant());
      return;
    }
    run.cancel(clock.instant());
    entities.flush();
    interrupts.cancel(run.id());
    events.append(
        run.id(), List.of(Event.of("run.cancelled", run.superstep(), ObjectValue.empty())));
  }
}
