package dev.superstep.memory;

import dev.superstep.schedule.RecurringJob;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Has one replica at a time delete what has expired.
@Configuration(proxyBeanMethods = false)
class MemoryConfiguration {
  private static final Duration PURGE_PERIOD = Duration.ofMinutes(1);

  @Bean
  RecurringJob purgeMemory(MemoryPurge purge) {
    return new RecurringJob("purge-memory", PURGE_PERIOD, purge::purge);
  }
}
