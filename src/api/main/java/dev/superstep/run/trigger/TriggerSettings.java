package dev.superstep.run.trigger;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Bounds of schedules.
///
/// @param max how many a tenant may have
/// @param intervalMin between two times of one
@ConfigurationProperties("superstep.schedules")
record TriggerSettings(@DefaultValue("1000") int max, @DefaultValue("1m") Duration intervalMin) {
  private static final int MAX = 100_000;
  private static final Duration INTERVAL_MIN = Duration.ofSeconds(1);
  private static final Duration INTERVAL_MAX = Duration.ofDays(1);

  TriggerSettings {
    new Setting("superstep.schedules.max").within(0, MAX, max);
    new Setting("superstep.schedules.interval-min").within(INTERVAL_MIN, INTERVAL_MAX, intervalMin);
  }
}
