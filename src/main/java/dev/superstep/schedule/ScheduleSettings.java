package dev.superstep.schedule;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How replicas keep an eye on each other.
///
/// @param lease time after which a silent replica is taken for dead and its runs are taken over
/// @param drain time that runs get to reach a checkpoint when the process is asked to end
/// @param poll how often to look for due work that nobody announced
/// @param hints whether replicas tell each other by NOTIFY what they have done
@ConfigurationProperties("superstep")
record ScheduleSettings(
    @DefaultValue("6s") Duration lease,
    @DefaultValue("20s") Duration drain,
    @DefaultValue("250ms") Duration poll,
    @DefaultValue("true") boolean hints) {
  /// The least number db-scheduler allows is 4; more of them make the search for the dead, which
  /// runs every two heartbeats, more frequent.
  static final int HEARTBEATS_PER_LEASE = 6;

  Duration heartbeat() {
    return lease.dividedBy(HEARTBEATS_PER_LEASE);
  }
}
