package dev.superstep.audit;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// What the audit log records, and for how long.
///
/// @param keep how long events are kept
@ConfigurationProperties("superstep.audit")
public record AuditSettings(
    @DefaultValue("true") boolean enabled, @DefaultValue("365d") Duration keep) {
  private static final Duration MAX = Duration.ofDays(36_500);

  public AuditSettings {
    new Setting("superstep.audit.keep").within(Duration.ofSeconds(1), MAX, keep);
  }
}
