package dev.superstep.schedule.db;

import dev.superstep.schedule.WakeHandler;
import dev.superstep.schedule.replica.DatabaseContact;
import dev.superstep.schedule.replica.Membership;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Finds replicas that have died, each by the lease in its own row, and has their runs queued
/// again.
@Component
final class DeathWatch {
  private static final Logger log = LoggerFactory.getLogger(DeathWatch.class);

  private final ReplicaRows rows;
  private final Membership membership;
  private final DatabaseContact contact;
  private final WakeHandler handler;

  DeathWatch(
      ReplicaRows rows, Membership membership, DatabaseContact contact, WakeHandler handler) {
    this.rows = rows;
    this.membership = membership;
    this.contact = contact;
    this.handler = handler;
  }

  void check() {
    for (var silent : rows.silent()) {
      boolean own = membership.name().filter(silent.id()::equals).isPresent();
      if (!own && contact.steadyFor(silent.lease())) {
        removeDead(silent.id());
      }
    }
  }

  private void removeDead(String id) {
    log.warn("Replica {} is silent: its runs are queued again", id);
    handler.replicaDied(id);
    rows.removeSilent(id);
    // What it began between the two: nothing begins under a name that has been removed.
    handler.replicaDied(id);
  }
}
