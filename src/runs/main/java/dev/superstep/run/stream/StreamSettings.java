package dev.superstep.run.stream;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// Limits of the event streams of a replica.
///
/// @param max streams open at a time
/// @param pendingMax size of the live events that wait for one client; a client with more is
///   disconnected
/// @param heartbeat how often a comment shows that a silent stream is alive
@ConfigurationProperties("superstep.streams")
record StreamSettings(
    @DefaultValue("2000") int max,
    @DefaultValue("1MB") DataSize pendingMax,
    @DefaultValue("15s") Duration heartbeat) {
  private static final Duration HEARTBEAT_MIN = Duration.ofMillis(10);
  private static final Duration HEARTBEAT_MAX = Duration.ofSeconds(30);

  StreamSettings {
    new Setting("superstep.streams.max").within(1, 1_000_000, max);
    new Setting("superstep.streams.pending-max").size(pendingMax);
    new Setting("superstep.streams.heartbeat").within(HEARTBEAT_MIN, HEARTBEAT_MAX, heartbeat);
  }
}
