package dev.superstep.run.trigger;

import dev.superstep.problem.Setting;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// Bounds of webhooks that start runs.
///
/// @param bodyMax bytes of what a sender may send
@ConfigurationProperties("superstep.hooks")
record HookSettings(@DefaultValue("1MB") DataSize bodyMax) {
  static final String BODY_MAX = "superstep.hooks.body-max";

  HookSettings {
    new Setting(BODY_MAX).size(bodyMax);
  }
}
