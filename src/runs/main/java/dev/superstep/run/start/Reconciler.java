package dev.superstep.run.start;

import dev.superstep.run.drive.ParentNotifier;
import dev.superstep.run.drive.RunClaims;
import dev.superstep.run.drive.SignalInbox;
import dev.superstep.run.store.ChildLinks;
import dev.superstep.schedule.WakeUps;
import java.util.HashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Finds runs that should proceed but do not: wake-ups that were lost, owners that are no longer
/// replicas, and children whose driver died before it could notify the parent. It is a safety net
/// that nothing else depends on.
@Component
public class Reconciler {
  private static final Logger log = LoggerFactory.getLogger(Reconciler.class);
  private static final int PAGE = 1000;

  private final RunClaims runClaims;
  private final WakeUps wakeUps;
  private final SignalInbox signalInbox;
  private final ChildLinks links;
  private final ParentNotifier parentNotifier;
  private final ThreadQueue threadQueue;

  Reconciler(
      RunClaims runClaims,
      WakeUps wakeUps,
      SignalInbox signalInbox,
      ChildLinks links,
      ParentNotifier parentNotifier,
      ThreadQueue threadQueue) {
    this.runClaims = runClaims;
    this.wakeUps = wakeUps;
    this.signalInbox = signalInbox;
    this.links = links;
    this.parentNotifier = parentNotifier;
    this.threadQueue = threadQueue;
  }

  public void reconcile() {
    // The owners are read first: a replica is known before it owns anything.
    var owners = new HashSet<>(runClaims.owners());
    var replicas = wakeUps.replicas();
    owners.removeAll(replicas);
    signalInbox.sweep();
    for (var owner : owners) {
      var runs = runClaims.requeueOwnedBy(owner);
      log.warn("{} runs of replica {}, which is gone, are queued again", runs.size(), owner);
    }
    var next = runClaims.rescheduleOverdue(null, PAGE);
    while (next.isPresent()) {
      next = runClaims.rescheduleOverdue(next.get(), PAGE);
    }
    links.withUnnotifiedParent(PAGE).forEach(this::notifyParent);
    threadQueue.stuck(PAGE).forEach(this::startNext);
  }

  /// A driver that has ended a run starts the next one of its thread. If it dies in between,
  /// another replica has to.
  private void startNext(String thread) {
    try {
      threadQueue.startNextOf(thread);
    } catch (RuntimeException e) { // a broken thread must not stop the rest
      log.warn("The next run of thread {} cannot begin yet", thread, e);
    }
  }

  /// A driver notifies the parent when its child has come to rest. If it dies in between, another
  /// replica has to.
  private void notifyParent(String child) {
    try {
      parentNotifier.notify(child);
    } catch (RuntimeException e) { // one that cannot be woken must not stop the rest
      log.warn("The parent of run {} could not be notified yet", child, e);
    }
  }
}
