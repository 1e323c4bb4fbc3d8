package dev.superstep.wide;

import dev.superstep.schedule.RecurringJob;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WideSettings.class)
class WideConfiguration {

  @Bean
  RecurringJob reconcileSlices(SliceOwners owners, @Value("${superstep.lease:6s}") Duration lease) {
    return new RecurringJob("reconcile-slices", lease, owners::reconcile);
  }
}
