package dev.superstep.prompt;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// Settings of the cache of prompt-context views (P16).
///
/// @param bytesMax size of the views that are kept, counted as JSON; 0: keep none
/// @param idle time after which an unused view is dropped
@ConfigurationProperties("superstep.context.cache")
record CacheSettings(@DefaultValue("32MB") DataSize bytesMax, @DefaultValue("10m") Duration idle) {
  private static final Duration IDLE_MIN = Duration.ofSeconds(1);
  private static final Duration IDLE_MAX = Duration.ofDays(1);

  CacheSettings {
    if (bytesMax.toBytes() != 0) {
      new Setting("superstep.context.cache.bytes-max").size(bytesMax);
    }
    new Setting("superstep.context.cache.idle").within(IDLE_MIN, IDLE_MAX, idle);
  }
}
