package dev.superstep.budget;

import dev.superstep.schedule.RecurringJob;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Binds the budgets, and has one replica at a time delete the rows of past windows.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(BudgetSettings.class)
class BudgetConfiguration {
  private static final Duration PURGE_PERIOD = Duration.ofHours(1);

  @Bean
  RecurringJob purgeBudgets(BudgetRows rows) {
    return new RecurringJob("purge-budgets", PURGE_PERIOD, rows::purge);
  }
}
