package dev.superstep.schedule.replica;

import dev.superstep.database.Pools;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/// Part of readiness, as `db`: what the watch found out, twice a second. It is not asked again for
/// each probe: while the database is away a probe would wait for a connection.
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
