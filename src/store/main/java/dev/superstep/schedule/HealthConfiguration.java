package dev.superstep.schedule;

import dev.superstep.database.Pools;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// What probes see of the database and of this process as a member of the cluster.
@Configuration(proxyBeanMethods = false)
class HealthConfiguration {
  /// Part of readiness, as `db`: the last result of the watch, which asks twice a second. A probe
  /// does not ask again: while the database is away it would wait for a connection.
  @Bean
  HealthIndicator dbHealthContributor(DatabaseContact contact) {
    return () ->
        contact.answers(Pools.SILENCE_MAX)
            ? Health.up().build()
            : Health.down().withDetail("database", "does not answer").build();
  }

  /// Part of liveness, as `membership`: down when this process has not become a member of the
  /// cluster for several leases although the database answers, so that only a new process can help.
  @Bean
  HealthIndicator membershipHealthIndicator(Membership membership) {
    return () ->
        membership.isStranded()
            ? Health.down()
                .withDetail("membership", "cannot join although the database answers")
                .build()
            : Health.up().build();
  }

  /// Part of readiness, as `replica`: down while this process may not begin anything, because it
  /// has not joined yet, has fenced itself off, or is ending.
  @Bean
  HealthIndicator replicaHealthIndicator(Replica replica) {
    return () ->
        replica.leaving()
            ? Health.down().withDetail("replica", "leaving").build()
            : replica
                .id()
                .map(it -> Health.up().withDetail("replica", it).build())
                .orElseGet(() -> Health.down().withDetail("replica", "not a member").build());
  }
}
