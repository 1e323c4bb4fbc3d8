package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.context.FailedCondition;
import dev.superstep.context.Step;
import dev.superstep.context.Trace;
import dev.superstep.engine.Way;
import dev.superstep.run.NodeContextView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

@Schema(name = "NodeContext", description = "What a task receives of the prompt context (P17)")
record NodeContextBody(
    @Schema(description = "The one on which the task runs, or ran") int checkpoint,
    @JsonProperty("task_id") @Schema(example = "2:research") String taskId,
    @JsonProperty("context_type")
        @Schema(description = "How its node takes contexts", example = "llm_context")
        String contextType,
    @Schema(description = "What led the context to it; none: it gets the run's whole context")
        List<WayBody> ways,
    ContextBody context,
    List<ItemBody> items,
    @Schema(description = "Conditions that failed and counted as false")
        List<FailureBody> failures) {

  static NodeContextBody of(NodeContextView view) {
    var explained = view.explained();
    return new NodeContextBody(
        view.checkpoint(),
        explained.task().toString(),
        explained.type(),
        explained.ways().stream().map(WayBody::of).toList(),
        ContextBody.of(explained.context()),
        explained.items().stream().map(ItemBody::of).toList(),
        explained.failures().stream().map(FailureBody::of).toList());
  }

  @Schema(name = "ContextWay", description = "How a task was activated (P11)")
  record WayBody(
      @Schema(description = "Absent: a node named it by goto or dispatch") @Nullable String edge,
      @JsonProperty("source_task")
          @Schema(description = "In mode chain: the task whose context it is")
          @Nullable String sourceTask) {
    static WayBody of(Way way) {
      var source = way.source();
      return new WayBody(
          way.edge().equals(Way.NO_EDGE) ? null : way.edge(),
          source == null ? null : source.toString());
    }
  }

  @Schema(name = "ContextItem", description = "A part of the context, and what became of it")
  record ItemBody(
      @Schema(allowableValues = {"variables", "metadata", "history"}) String part,
      @Schema(description = "Of history: the id of the entry") String key,
      @JsonProperty("node_id") @Schema(description = "Of history") @Nullable String nodeId,
      boolean kept,
      List<StepBody> steps) {
    static ItemBody of(Trace.Item item) {
      return new ItemBody(
          item.part().key(),
          item.key(),
          item.nodeId(),
          item.isKept(),
          item.steps().stream().map(StepBody::of).toList());
    }
  }

  @Schema(name = "ContextStep", description = "A decision about an item, in the order of its way")
  record StepBody(
      @Schema(allowableValues = {"edge", "type", "processor", "filter", "default_filter"})
          String stage,
      @Schema(description = "The edge or node that decided") String source,
      @Schema(allowableValues = {"kept", "dropped", "transformed", "renamed", "added"})
          String action,
      @Schema(description = "Pointer into the filter, or a type", example = "/rules/2") String rule,
      String because) {
    static StepBody of(Step step) {
      return new StepBody(
          step.stage().key(), step.source(), step.action().key(), step.rule(), step.because());
    }
  }

  @Schema(name = "ContextFailure", description = "A condition that failed")
  record FailureBody(String rule, String condition, String message) {
    static FailureBody of(FailedCondition failure) {
      return new FailureBody(failure.rule(), failure.condition(), failure.message());
    }
  }
}
