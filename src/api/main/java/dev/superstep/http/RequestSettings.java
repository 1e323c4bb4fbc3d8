package dev.superstep.http;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// Limits of request bodies.
///
/// @param bodyMax bytes of a request body; longer ones are refused with 413
/// @param bodiesMax bytes of all request bodies that are held at a time, but for the first 16 KB of
///   each; those that do not fit are refused with 503. At least one of `bodyMax` always fits
/// @param bodyTime for the whole of a body to arrive; slower ones are refused with 408
@ConfigurationProperties("superstep.requests")
record RequestSettings(
    @DefaultValue("8MB") DataSize bodyMax,
    @DefaultValue("64MB") DataSize bodiesMax,
    @DefaultValue("60s") Duration bodyTime) {
  private static final Duration TIME_MIN = Duration.ofMillis(100);
  private static final Duration TIME_MAX = Duration.ofHours(1);

  RequestSettings {
    new Setting("superstep.requests.body-max", "SUPERSTEP_REQUESTS_BODY_MAX").size(bodyMax);
    new Setting("superstep.requests.bodies-max", "SUPERSTEP_REQUESTS_BODIES_MAX").size(bodiesMax);
    new Setting("superstep.requests.body-time", "SUPERSTEP_REQUESTS_BODY_TIME")
        .within(TIME_MIN, TIME_MAX, bodyTime);
  }
}
