package dev.superstep.run.event;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// Bounds of events from outside.
///
/// @param keep for how long a run that begins to wait may take one that does not say
/// @param keepMax for how long one may say
/// @param keptMax events that a tenant may have
/// @param sizeMax bytes of one
@ConfigurationProperties("superstep.events")
public record EventSettings(
    @DefaultValue("1h") Duration keep,
    @DefaultValue("7d") Duration keepMax,
    @DefaultValue("10000") int keptMax,
    @DefaultValue("256KB") DataSize sizeMax) {
  private static final Duration MOST = Duration.ofDays(366);

  public EventSettings {
    new Setting("superstep.events.keep").within(Duration.ZERO, MOST, keep);
    new Setting("superstep.events.keep-max").within(keep, MOST, keepMax);
    new Setting("superstep.events.kept-max").within(1, 100_000_000, keptMax);
    new Setting("superstep.events.size-max").size(sizeMax);
  }
}
