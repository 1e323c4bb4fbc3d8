package dev.superstep.prompt;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.context.Trace;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One item of a prompt context, whether a node sees it, and why (P17).
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    name = "ContextItem",
    description = "An item of a prompt context, and why it is seen or not")
public record ContextItem(
    @Schema(allowableValues = {"variables", "metadata", "history"}) String part,
    @Schema(
            description = "The key, under the name it has at last; of history the entry's id",
            example = "tool.api_key")
        String key,
    @JsonProperty("node_id") @Schema(description = "Of history: the node that wrote it")
        @Nullable String nodeId,
    @Schema(description = "Whether the node sees it") boolean kept,
    @JsonProperty("decided_by")
        @Schema(description = "The step that settled it; absent: nothing touched the item")
        @Nullable ContextStep decidedBy,
    @Schema(description = "What happened to it on its way, in order") List<ContextStep> steps) {

  public static ContextItem of(Trace.Item item) {
    return new ContextItem(
        item.part().key(),
        item.key(),
        item.nodeId(),
        item.isKept(),
        item.decision().map(ContextStep::of).orElse(null),
        item.steps().stream().map(ContextStep::of).toList());
  }
}
