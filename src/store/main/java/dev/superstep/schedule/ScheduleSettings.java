package dev.superstep.schedule;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Timing of membership, draining, polls and notifications of replicas.
///
/// @param lease time after which a silent replica is taken for dead and its runs are taken over
/// @param drain time that runs get to reach a checkpoint when the process is asked to end
/// @param grace how long requests are answered as before when the process is asked to end, with
///   readiness down, so that load balancers notice first
/// @param poll how often to poll for due work without a notification
/// @param hints whether replicas notify each other by NOTIFY
@ConfigurationProperties("superstep")
record ScheduleSettings(
    @DefaultValue("6s") Duration lease,
    @DefaultValue("20s") Duration drain,
    @DefaultValue("0s") Duration grace,
    @DefaultValue("250ms") Duration poll,
    @DefaultValue("true") boolean hints) {
  /// The least number db-scheduler allows is 4; more of them make the search for the dead, which
  /// runs every two heartbeats, more frequent.
  public static final int HEARTBEATS_PER_LEASE = 6;

  private static final Duration POLL_MIN = Duration.ofMillis(1);
  private static final Duration LEASE_MIN = Duration.ofMillis(100);
  private static final Duration LEASE_MAX = Duration.ofHours(1);
  private static final Duration POLL_MAX = Duration.ofDays(1);

  public ScheduleSettings {
    new Setting("superstep.lease").within(LEASE_MIN, LEASE_MAX, lease);
    new Setting("superstep.drain").within(Duration.ZERO, LEASE_MAX, drain);
    new Setting("superstep.grace").within(Duration.ZERO, LEASE_MAX, grace);
    new Setting("superstep.poll").within(POLL_MIN, POLL_MAX, poll);
  }

  public Duration heartbeat() {
    return lease.dividedBy(HEARTBEATS_PER_LEASE);
  }
}
