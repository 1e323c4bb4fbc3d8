package dev.superstep.run.store;

import dev.superstep.schedule.RecurringJob;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Has one replica at a time purge what is overdue.
@Configuration(proxyBeanMethods = false)
class RetentionConfiguration {
  private static final Duration BETWEEN_TURNS = Duration.ofSeconds(1);

  /// There is nothing to do without a policy. The job stays, so that a replica that has one finds
  /// its row.
  private static final Duration WITHOUT_POLICY = Duration.ofMinutes(1);

  @Bean
  RecurringJob purgeRuns(RetentionSettings settings, RetentionJob job) {
    return new RecurringJob(
        "purge-runs", settings.enabled() ? BETWEEN_TURNS : WITHOUT_POLICY, job::takeTurn);
  }
}
