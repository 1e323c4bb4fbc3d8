package dev.superstep.prompt;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.context.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One item of a prompt context, whether a node sees it, and why (P17).
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ContextItem(
    String part,
    String key,
    @JsonProperty("node_id") @Nullable String nodeId,
    boolean kept,
    @JsonProperty("decided_by") @Nullable ContextStep decidedBy,
    List<ContextStep> steps) {

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
