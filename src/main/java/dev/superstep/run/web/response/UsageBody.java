package dev.superstep.run.web.response;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.engine.budget.Spending;
import dev.superstep.engine.budget.Usage;
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
record UsageBody(
    @JsonProperty("model_calls") @Schema(example = "3") long modelCalls,
    @JsonProperty("input_tokens") @Schema(example = "1204") long inputTokens,
    @JsonProperty("output_tokens") @Schema(example = "310") long outputTokens,
    @JsonProperty("total_tokens") @Schema(example = "1514") long totalTokens,
    @Schema(description = "Those that have called a model, by id") List<NodeUsageBody> nodes) {

  static UsageBody of(Spending spent) {
    var total = spent.total();
    return new UsageBody(
        total.calls(),
        total.inputTokens(),
        total.outputTokens(),
        total.totalTokens(),
        spent.nodes().entrySet().stream()
            .map(it -> NodeUsageBody.of(it.getKey().value(), it.getValue()))
            .sorted(Comparator.comparing(NodeUsageBody::node))
            .toList());
  }

  @Schema(name = "NodeUsage")
  record NodeUsageBody(
      @Schema(description = "A compaction counts as `__compact__:<channel>`", example = "research")
          String node,
      @JsonProperty("model_calls") @Schema(example = "3") long modelCalls,
      @JsonProperty("input_tokens") @Schema(example = "1204") long inputTokens,
      @JsonProperty("output_tokens") @Schema(example = "310") long outputTokens,
      @JsonProperty("total_tokens") @Schema(example = "1514") long totalTokens) {

    private static NodeUsageBody of(String node, Usage usage) {
      return new NodeUsageBody(
          node, usage.calls(), usage.inputTokens(), usage.outputTokens(), usage.totalTokens());
    }
  }
}
