package dev.superstep.checkpoint.work;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// @param poll how often a replica looks for tasks that claims wait for and that were queued on
///   another one
/// @param expiry how often a replica looks for leases and time-outs that are over
/// @param claimMax most tasks of one claim
/// @param lostMax how many workers may be lost with a task before that is a time-out of its node
/// @param keep how long a task that has ended can still be told of by its id
@ConfigurationProperties("superstep.workers")
public record WorkSettings(
    @DefaultValue("250ms") Duration poll,
    @DefaultValue("1s") Duration expiry,
    @DefaultValue("100") int claimMax,
    @DefaultValue("4") int lostMax,
    @DefaultValue("1h") Duration keep) {

  public WorkSettings {
    new Setting("superstep.workers.poll").within(Duration.ofMillis(1), Duration.ofHours(1), poll);
    new Setting("superstep.workers.expiry")
        .within(Duration.ofMillis(1), Duration.ofHours(1), expiry);
    new Setting("superstep.workers.claim-max").within(1, 1_000, claimMax);
    new Setting("superstep.workers.lost-max").within(1, 1_000, lostMax);
    new Setting("superstep.workers.keep").within(Duration.ZERO, Duration.ofDays(366), keep);
  }
}
