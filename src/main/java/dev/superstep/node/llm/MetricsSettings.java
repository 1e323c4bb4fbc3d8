package dev.superstep.node.llm;

import dev.superstep.settings.Setting;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How much is told apart in metrics.
///
/// @param nodesMax nodes of graphs whose calls of models a process counts apart; those of all
///   others are counted together
@ConfigurationProperties("superstep.metrics")
record MetricsSettings(@DefaultValue("1000") int nodesMax) {
  MetricsSettings {
    new Setting("superstep.metrics.nodes-max").within(0, 1_000_000, nodesMax);
  }
}
