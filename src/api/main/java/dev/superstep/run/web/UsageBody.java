package dev.superstep.run.web;

import dev.superstep.engine.run.Spending;
import dev.superstep.engine.run.Usage;
import java.util.Comparator;
import java.util.List;

/// What a run has spent on models, per node and in all.
final class UsageBody extends SpentBody {
  final List<NodeUsageBody> nodes;

  private UsageBody(Usage total, List<NodeUsageBody> nodes) {
    super(total);
    this.nodes = nodes;
  }

  static UsageBody of(Spending spent) {
    return new UsageBody(
        spent.total(),
        spent.nodes().entrySet().stream()
            .map(it -> new NodeUsageBody(it.getKey().value(), it.getValue()))
            .sorted(Comparator.comparing(it -> it.node))
            .toList());
  }

  static final class NodeUsageBody extends SpentBody {
    final String node;

    NodeUsageBody(String node, Usage usage) {
      super(usage);
      this.node = node;
    }
  }
}
