package dev.superstep.audit;

import dev.superstep.schedule.RecurringJob;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Binds the settings of the audit log, and has one replica at a time delete what is old.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AuditSettings.class)
class AuditConfiguration {
  private static final Duration PURGE_PERIOD = Duration.ofMinutes(1);

  @Bean
  RecurringJob purgeAudit(AuditPurge purge, AuditSettings settings) {
    return new RecurringJob("purge-audit", PURGE_PERIOD, () -> purge.purge(settings.keep()));
  }
}
