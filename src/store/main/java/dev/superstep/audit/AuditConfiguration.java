package dev.superstep.audit;

import dev.superstep.schedule.RecurringJob;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Binds the settings of the audit log, and has one replica at a time seal what is new and delete
/// what is old.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AuditSettings.class)
class AuditConfiguration {
  private static final Duration PURGE_PERIOD = Duration.ofMinutes(1);

  /// Twice that is how long an event waits for its seal, about.
  private static final Duration SEAL_PERIOD = Duration.ofSeconds(5);

  @Bean
  RecurringJob sealAudit(AuditSealer sealer) {
    return new RecurringJob("seal-audit", SEAL_PERIOD, sealer::takeTurn);
  }

  @Bean
  RecurringJob purgeAudit(AuditPurge purge, AuditSettings settings) {
    return new RecurringJob("purge-audit", PURGE_PERIOD, () -> purge.purge(settings.keep()));
  }
}
