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
record NodeContextBody(
    int checkpoint,
    @JsonProperty("task_id") String taskId,
    @JsonProperty("context_type") String contextType,
    List<WayBody> ways,
    ContextBody context,
    List<ContextItem> items,
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

  @Schema(name = "ContextWay")
  record WayBody(@Nullable String edge, @JsonProperty("source_task") @Nullable String sourceTask) {
    static WayBody of(ActivationOrigin activationOrigin) {
      var source = activationOrigin.source();
      return new WayBody(
          activationOrigin.edge().equals(ActivationOrigin.NO_EDGE) ? null : activationOrigin.edge(),
          source == null ? null : source.toString());
    }
  }
}
