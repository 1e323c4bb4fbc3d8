package dev.superstep.node.llm;

import dev.superstep.problem.Setting;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Limits the cardinality of metrics.
///
/// @param nodesMax nodes whose model calls a process counts separately; calls of further nodes are
///   counted together
@ConfigurationProperties("superstep.metrics")
record MetricsSettings(@DefaultValue("1000") int nodesMax) {
  /// The same as when nothing is set.
  static final MetricsSettings UNSET = new MetricsSettings(1_000);

  MetricsSettings {
    new Setting("superstep.metrics.nodes-max").within(0, 1_000_000, nodesMax);
  }
}
