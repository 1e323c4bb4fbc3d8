package dev.superstep.http;

import dev.superstep.settings.Setting;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// What a request may cost.
///
/// @param bodyMax bytes of a request body; longer ones are refused with 413
@ConfigurationProperties("superstep.requests")
record RequestSettings(@DefaultValue("8MB") DataSize bodyMax) {
  RequestSettings {
    new Setting("superstep.requests.body-max", "SUPERSTEP_REQUESTS_BODY_MAX").size(bodyMax);
  }
}
