package dev.superstep.schedule;

import dev.superstep.database.Pools;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/// Part of readiness, as `db`: the last result of the watch, which asks twice a second. A probe
/// does not ask again: while the database is away it would wait for a connection.
@Component("dbHealthContributor")
final class DatabaseHealth implements HealthIndicator {
  private final DatabaseContact contact;

  DatabaseHealth(DatabaseContact contact) {
    this.contact = contact;
  }

  @Override
  public Health health() {
    return contact.answers(Pools.SILENCE_MAX)
        ? Health.up().build()
        : Health.down().withDetail("database", "does not answer").build();
  }
}
