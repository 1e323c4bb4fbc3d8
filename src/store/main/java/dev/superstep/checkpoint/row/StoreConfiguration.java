package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.WriteBatcher;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Binds the settings of the store, and provides its retries to writes outside of it.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(StoreSettings.class)
class StoreConfiguration {
  /// For writes outside of the store.
  @Bean
  Retries writeRetries(StoreSettings settings) {
    return new Retries(settings.patience());
  }

  /// The bounds of a statement for many runs.
  @Bean
  WriteBatcher.BatchBounds laneBounds(StoreSettings settings) {
    return settings.batch().bounds();
  }
}
