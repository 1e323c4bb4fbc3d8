package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.prompt.ContextFailure;
import dev.superstep.prompt.ContextItem;
import dev.superstep.run.NodeContextView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The prompt context of one task, with the reason for each item.
@Schema(name = "NodeContext", description = "What a task receives of the prompt context")
record NodeContextBody(
    @Schema(description = "The one on which the task runs, or ran") int checkpoint,
    @JsonProperty("task_id") @Schema(example = "2:research") String taskId,
    @JsonProperty("context_type")
        @Schema(description = "How its node takes contexts", example = "llm_context")
        String contextType,
    @Schema(description = "What led the context to it; none: it gets the run's whole context")
        List<WayBody> ways,
    ContextBody context,
    List<ContextItem> items,
    @Schema(description = "Conditions that failed and counted as false")
        List<ContextFailure> failures) {

  public static NodeContextBody of(NodeContextView view) {
    var explained = view.explained();
    return new NodeContextBody(
        view.checkpoint(),
        explained.task().toString(),
        explained.type(),
        explained.origins().stream().map(WayBody::of).toList(),
        ContextBody.of(explained.context()),
        explained.items().stream().map(ContextItem::of).toList(),
        explained.failures().stream().map(ContextFailure::of).toList());
  }

  @Schema(name = "ContextWay", description = "How a task was activated")
  record WayBody(
      @Schema(description = "Absent: a node named it by goto or dispatch") @Nullable String edge,
      @JsonProperty("source_task")
          @Schema(description = "In mode chain: the task whose context it is")
          @Nullable String sourceTask) {
    static WayBody of(ActivationOrigin activationOrigin) {
      var source = activationOrigin.source();
      return new WayBody(
          activationOrigin.edge().equals(ActivationOrigin.NO_EDGE) ? null : activationOrigin.edge(),
          source == null ? null : source.toString());
    }
  }
}
