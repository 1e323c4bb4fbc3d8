package dev.superstep.run.web;

import dev.superstep.engine.run.Spending;
import dev.superstep.engine.run.Usage;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Comparator;
import java.util.List;

/// What a run has spent on models, per node and in all.
@Schema(
    name = "Usage",
    description =
        "What the run has spent on models: what `max_model_calls` and `max_tokens` limit."
            + " A call counts when it is made, its tokens when the answer is there,"
            + " and what runs of `subgraph` nodes have spent when they end")
final class UsageBody extends SpentBody {
  @Schema(description = "Those that have called a model, by id")
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

  @Schema(name = "NodeUsage")
  static final class NodeUsageBody extends SpentBody {
    @Schema(description = "A compaction counts as `__compact__:<channel>`", example = "research")
    final String node;

    NodeUsageBody(String node, Usage usage) {
      super(usage);
      this.node = node;
    }
  }
}
