package dev.superstep.run.drive;

import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.store.ChildLinks;
import dev.superstep.run.store.ChildLinks.ChildStanding;
import dev.superstep.run.store.ChildLinks.Link;
import dev.superstep.run.store.RunRows;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Notifies parents of the status of their children (E41). A notification is counted like an
/// answer, so that no hold of the parent commits without it. Notifying twice is harmless; a child
/// whose parent was not notified is found by [Reconciler].
@Component
public class ParentNotifier {
  private final ChildLinks links;
  private final RunRows runs;
  private final RunRequeuer runRequeuer;
  private final AfterCommit afterCommit;

  ParentNotifier(ChildLinks links, RunRows runs, RunRequeuer runRequeuer, AfterCommit afterCommit) {
    this.links = links;
    this.runs = runs;
    this.runRequeuer = runRequeuer;
    this.afterCommit = afterCommit;
  }

  @EventListener
  @Transactional
  public void notify(RunDriverThread.ChildMoved moved) {
    notify(moved.run());
  }

  @Transactional
  public void notify(String child) {
    links
        .find(child)
        .ifPresent(link ->
            runs.lock(link.parent())
                .ifPresentOrElse(
                    it -> notify(it, link),
                    () -> links.recordNotified(child, links.standing(child))));
  }

  /// The caller has locked the parent, and written what it has changed of the child.
  public void notify(RunEntity parent, Link link) {
    var child = links.standing(link.child());
    if (!child.status().atRest()) {
      requeueInterrupted(parent);
      return;
    }
    links.recordNotified(link.child(), child);
    if (wakes(link, child)) {
      parent.countAnswers(1);
      if (sleeps(parent)) {
        runRequeuer.requeue(parent);
      }
      afterCommit.publish(parent.id(), parent.owner());
    }
  }

  /// A parent that would only sleep again is not woken: else a thousand children would load it a
  /// thousand times.
  private boolean wakes(Link link, ChildStanding child) {
    int most = link.wakesBelow();
    return child.status() != RunStatus.SUCCEEDED
        || links.moving(link.parent(), link.task(), most + 1) <= most;
  }

  /// A child proceeds without an answer, because its interrupt has expired: the parent may have
  /// nothing left to wait for.
  public void requeueInterrupted(RunEntity parent) {
    if (parent.status() == RunStatus.INTERRUPTED && sleeps(parent)) {
      runRequeuer.requeue(parent);
      afterCommit.publish(parent.id(), parent.owner());
    }
  }

  /// A late notification of a child must not take a run past a breakpoint: that is for people
  /// (E38).
  private static boolean sleeps(RunEntity parent) {
    return parent.resting() && parent.status() != RunStatus.FAILED && parent.breakpoint().isEmpty();
  }
}
