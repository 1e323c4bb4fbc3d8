package dev.superstep.run.store;

import dev.superstep.problem.Setting;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Limits of nesting of runs (E41).
///
/// @param nestingMax how many runs may stand between a run and the one that a client started, that
///   one included; deeper ones fail as `nesting_too_deep`
/// @param runsMax how many runs may be begun below one that a client started, over its life; more
///   fail as `too_many_child_runs`. A superstep that begins several at once may exceed it by those
@ConfigurationProperties("superstep.subgraphs")
record SubgraphSettings(@DefaultValue("8") int nestingMax, @DefaultValue("10000") int runsMax) {
  SubgraphSettings {
    new Setting("superstep.subgraphs.nesting-max").within(1, 1_000, nestingMax);
    new Setting("superstep.subgraphs.runs-max").within(1, 100_000_000, runsMax);
  }
}
