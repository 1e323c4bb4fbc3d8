package dev.superstep.database;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How many connections each kind of work may have. That of API calls is
/// `spring.datasource.hikari.maximum-pool-size`, which `superstep.pools.web-max` sets.
///
/// @param engineMax for loading runs, holds and signals
/// @param commitsMax for supersteps and recorded outcomes; one for each writer and one more
/// @param schedulerMax for wake-ups and heartbeats
/// @param listenerMax for notifications
/// @param waitMax for how long to wait for a free connection; API calls wait so long only while the
///   database answers
/// @param silenceMax after how much silence within a statement a connection counts as broken
@ConfigurationProperties("superstep.pools")
record PoolSettings(
    @DefaultValue("8") int engineMax,
    @DefaultValue("4") int commitsMax,
    @DefaultValue("6") int schedulerMax,
    @DefaultValue("1") int listenerMax,
    @DefaultValue("30s") Duration waitMax,
    @DefaultValue("30s") Duration silenceMax) {
  private static final Duration WAIT_MIN = Duration.ofMillis(250);
  private static final Duration WAIT_MAX = Duration.ofHours(1);

  PoolSettings {
    new Setting("superstep.pools.engine-max").within(1, 10_000, engineMax);
    new Setting("superstep.pools.commits-max").within(1, 10_000, commitsMax);
    new Setting("superstep.pools.scheduler-max").within(1, 10_000, schedulerMax);
    new Setting("superstep.pools.listener-max").within(1, 10_000, listenerMax);
    new Setting("superstep.pools.wait-max").within(WAIT_MIN, WAIT_MAX, waitMax);
    new Setting("superstep.pools.silence-max").within(Duration.ofSeconds(1), WAIT_MAX, silenceMax);
  }
}
