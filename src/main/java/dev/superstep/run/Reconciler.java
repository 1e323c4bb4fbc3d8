package dev.superstep.run;

import dev.superstep.schedule.WakeUps;
import java.util.HashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Finds runs that should be moving and are not, whatever the reason: wake-ups that were lost, and
/// owners that are no replica any more, and children whose driver died before it could tell the
/// parent. Nothing else depends on it finding anything.
@Component
class Reconciler {
  private static final Logger log = LoggerFactory.getLogger(Reconciler.class);
  private static final int PAGE = 1000;

  private final Claims claims;
  private final WakeUps wakeUps;
  private final LeftNews news;
  private final ChildLinks links;
  private final Parents parents;
  private final ThreadQueue threads;

  Reconciler(
      Claims claims,
      WakeUps wakeUps,
      LeftNews news,
      ChildLinks links,
      Parents parents,
      ThreadQueue threads) {
    this.claims = claims;
    this.wakeUps = wakeUps;
    this.news = news;
    this.links = links;
    this.parents = parents;
    this.threads = threads;
  }

  void reconcile() {
    // The owners are read first: a replica is known before it owns anything.
    var owners = new HashSet<>(claims.owners());
    var replicas = wakeUps.replicas();
    owners.removeAll(replicas);
    news.sweep();
    for (var owner : owners) {
      var runs = claims.requeueOwnedBy(owner);
      log.warn("{} runs of replica {}, which is gone, are queued again", runs.size(), owner);
    }
    var next = claims.rescheduleOverdue(null, PAGE);
    while (next.isPresent()) {
      next = claims.rescheduleOverdue(next.get(), PAGE);
    }
    links.untold(PAGE).forEach(this::tell);
    threads.stuck(PAGE).forEach(this::startNext);
  }

  /// A driver that has ended a run starts the one that waits for its thread. If it dies in between,
  /// another replica has to.
  private void startNext(String thread) {
    try {
      threads.startNextOf(thread);
    } catch (RuntimeException e) { // whatever is wrong with one thread, the others go on
      log.warn("The next run of thread {} cannot begin yet", thread, e);
    }
  }

  /// A driver tells the parent when it has brought a child to rest. If it dies in between, somebody
  /// else has to.
  private void tell(String child) {
    try {
      parents.tell(child);
    } catch (DataAccessException | TransactionException e) {
      log.warn("The parent of run {} does not know how it stands yet", child, e);
    }
  }
}
