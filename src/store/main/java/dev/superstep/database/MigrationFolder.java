package dev.superstep.database;

import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.stereotype.Component;

/// Has Flyway apply the migrations of this jar. They are not in Flyway's own folder, where an
/// application that embeds Superstep has its own.
@Component
public final class MigrationFolder implements FlywayConfigurationCustomizer {
  public static final String LOCATION = "classpath:dev/superstep/migration";

  @Override
  public void customize(FluentConfiguration configuration) {
    configuration.locations(LOCATION);
  }
}
