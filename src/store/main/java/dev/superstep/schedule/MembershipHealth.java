package dev.superstep.schedule;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/// Part of liveness, as `membership`: down when this process has not become a member of the cluster
/// for several leases although the database answers, so that only a new process can help.
@Component("membershipHealthIndicator")
final class MembershipHealth implements HealthIndicator {
  private final Membership membership;

  MembershipHealth(Membership membership) {
    this.membership = membership;
  }

  @Override
  public Health health() {
    return membership.isStranded()
        ? Health.down()
            .withDetail("membership", "cannot join although the database answers")
            .build()
        : Health.up().build();
  }
}
