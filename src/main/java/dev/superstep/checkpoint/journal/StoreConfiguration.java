package dev.superstep.checkpoint.journal;

import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.checkpoint.jdbc.Retries;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(StoreSettings.class)
class StoreConfiguration {
  /// For what is written beside the store.
  @Bean
  Retries writeRetries(StoreSettings settings) {
    return new Retries(settings.patience());
  }

  /// What one statement of many runs may hold.
  @Bean
  WriteBatcher.Bounds laneBounds(StoreSettings settings) {
    return settings.batch().bounds();
  }
}
