package dev.superstep.wide;

import dev.superstep.schedule.RecurringJob;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Binds the settings of wide supersteps, and schedules the search for slices without an owner.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WideSettings.class)
class WideConfiguration {

  /// The owners of slices are looked up lazily: the scheduler is created with its jobs.
  @Bean
  RecurringJob reconcileSlices(
      ObjectProvider<SliceOwners> owners, @Value("${superstep.lease:6s}") Duration lease) {
    return new RecurringJob("reconcile-slices", lease, () -> owners.getObject().reconcile());
  }
}
