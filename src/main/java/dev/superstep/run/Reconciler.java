package dev.superstep.run;

import dev.superstep.schedule.WakeUps;
import java.util.HashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Finds runs that should be moving and are not, whatever the reason: wake-ups that were lost, and
/// owners that are no replica any more. Durability does not depend on it finding anything.
@Component
class Reconciler {
  private static final Logger log = LoggerFactory.getLogger(Reconciler.class);
  private static final int PAGE = 1000;

  private final Claims claims;
  private final WakeUps wakeUps;
  private final LeftNews news;

  Reconciler(Claims claims, WakeUps wakeUps, LeftNews news) {
    this.claims = claims;
    this.wakeUps = wakeUps;
    this.news = news;
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
  }
}
