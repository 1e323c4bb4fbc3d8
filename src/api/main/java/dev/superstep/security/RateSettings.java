package dev.superstep.security;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How many requests a replica answers.
///
/// @param tenant a second, of all callers of a tenant; 0: any number
/// @param caller a second, of one key or subject; 0: any number
/// @param burst how long one may save up for requests that come at once
@ConfigurationProperties("superstep.rates")
record RateSettings(
    @DefaultValue("0") int tenant,
    @DefaultValue("0") int caller,
    @DefaultValue("2s") Duration burst) {
  private static final int RATE_MAX = 1_000_000;

  RateSettings {
    new Setting("superstep.rates.tenant").within(0, RATE_MAX, tenant);
    new Setting("superstep.rates.caller").within(0, RATE_MAX, caller);
    new Setting("superstep.rates.burst").within(Duration.ofSeconds(1), Duration.ofHours(1), burst);
  }
}
