package dev.superstep.database;

import javax.sql.DataSource;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The health of the database is that of the primary pool. Spring Boot would ask all of them, and
/// the listener's connection is never free.
@Configuration(proxyBeanMethods = false)
class HealthConfiguration {
  @Bean
  DataSourceHealthIndicator dbHealthContributor(DataSource primary) {
    return new DataSourceHealthIndicator(primary);
  }
}
