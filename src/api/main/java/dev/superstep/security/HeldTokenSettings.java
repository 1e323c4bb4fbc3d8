package dev.superstep.security;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// What this process keeps of the tokens of requests, for tools that are called on behalf of who
/// has started a run.
///
/// @param keep how long at most; a token that ends sooner is not kept longer
/// @param max how many
@ConfigurationProperties("superstep.auth.caller-tokens")
record HeldTokenSettings(@DefaultValue("1h") Duration keep, @DefaultValue("2000") int max) {
  private static final String PREFIX = "superstep.auth.caller-tokens.";
  private static final Duration KEEP_MAX = Duration.ofDays(1);
  private static final int MAX = 1_000_000;

  HeldTokenSettings {
    new Setting(PREFIX + "keep").within(Duration.ofSeconds(1), KEEP_MAX, keep);
    new Setting(PREFIX + "max").within(1, MAX, max);
  }
}
