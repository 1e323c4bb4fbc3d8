package dev.superstep.schedule;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/// Part of readiness, as `replica`: down while this process may not begin anything, because it has
/// not joined yet, has fenced itself off, or is ending.
@Component("replicaHealthIndicator")
final class ReplicaHealth implements HealthIndicator {
  private final Replica replica;

  ReplicaHealth(Replica replica) {
    this.replica = replica;
  }

  @Override
  public Health health() {
    if (replica.leaving()) {
      return Health.down().withDetail("replica", "leaving").build();
    }
    return replica
        .id()
        .map(it -> Health.up().withDetail("replica", it).build())
        .orElseGet(() -> Health.down().withDetail("replica", "not a member").build());
  }
}
