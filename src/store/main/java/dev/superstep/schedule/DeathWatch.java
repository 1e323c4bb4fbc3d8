package dev.superstep.schedule;

import dev.superstep.database.Pools;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
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
  private final Counter dead;

  DeathWatch(
      ReplicaRows rows,
      Membership membership,
      DatabaseContact contact,
      WakeHandler handler,
      MeterRegistry meters) {
    this.rows = rows;
    this.membership = membership;
    this.contact = contact;
    this.handler = handler;
    dead =
        Counter.builder("superstep.replicas.dead")
            .description("Silent replicas whose runs this one has queued again")
            .register(meters);
  }

  void check() {
    if (!contact.answers(Pools.SILENCE_MAX)) {
      return;
    }
    for (var silent : rows.silent()) {
      boolean own = membership.name().filter(silent.id()::equals).isPresent();
      if (!own && contact.steadyFor(silent.lease())) {
        removeDead(silent.id());
      }
    }
  }

  private void removeDead(String id) {
    dead.increment();
    log.warn("Replica {} is silent: its runs are queued again", id);
    handler.replicaDied(id);
    rows.removeSilent(id);
    // What it began between the two: nothing begins under a name that has been removed.
    handler.replicaDied(id);
  }
}
