package dev.superstep.run.trigger;

import dev.superstep.schedule.RecurringJob;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Has one replica at a time start what is due.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({TriggerSettings.class, HookSettings.class})
class TriggerConfiguration {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  @Bean
  RecurringJob startSchedules(ScheduledStarts starts) {
    return new RecurringJob("start-schedules", PERIOD, starts::startDue);
  }
}
