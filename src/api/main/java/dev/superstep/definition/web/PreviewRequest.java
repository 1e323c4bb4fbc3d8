package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The request for a preview of a prompt context: nothing is stored or run.
@Schema(name = "PreviewContext")
record PreviewRequest(
    @Nullable ContextInput context,
    @Nullable EdgeInput edge,
    @Nullable List<EdgeInput> edges,
    @Nullable NodeInput node,
    @Nullable ObjectValue scope) {

  ObjectValue scopeOrNone() {
    return scope == null ? ObjectValue.empty() : scope;
  }

  /// The edges that lead to the node; empty: everything arrives.
  List<EdgeInput> allEdges() {
    var several = edges == null ? List.<EdgeInput>of() : edges;
    return edge == null ? several : List.of(edge);
  }

  @Schema(name = "PreviewedContext")
  record ContextInput(
      @Nullable String template,
      @Nullable ObjectValue variables,
      @Nullable ListValue history,
      @Nullable ObjectValue metadata) {}

  @Schema(name = "PreviewedEdge")
  record EdgeInput(
      @Nullable String id,
      @Nullable String type,
      @JsonProperty("context_filter") @Schema(ref = "#/components/schemas/EdgeContextFilter")
          @Nullable ObjectValue contextFilter) {

    ObjectValue definition() {
      return with(with(ObjectValue.empty(), "type", type), "context_filter", contextFilter);
    }
  }

  @Schema(name = "PreviewedNode")
  record NodeInput(
      @Nullable String id,
      @Nullable String type,
      @JsonProperty("context_type") @Nullable String contextType,
      @JsonProperty("context_filter") @Schema(ref = "#/components/schemas/ContextFilter")
          @Nullable ObjectValue contextFilter,
      @JsonProperty("context_filters") @Nullable ListValue contextFilters,
      @JsonProperty("processor_config") @Nullable ObjectValue processorConfig,
      @JsonProperty("required_context") @Nullable List<String> requiredContext) {

    ObjectValue definition() {
      var node = with(with(ObjectValue.empty(), "type", type), "context_type", contextType);
      node = with(with(node, "context_filter", contextFilter), "processor_config", processorConfig);
      node = contextFilters == null ? node : node.plus("context_filters", contextFilters);
      return requiredContext == null
          ? node
          : node.plus(
              "required_context", ListValue.of(requiredContext.stream().map(Value::of).toList()));
    }
  }

  private static ObjectValue with(ObjectValue object, String key, @Nullable String text) {
    return text == null ? object : object.plus(key, Value.of(text));
  }

  private static ObjectValue with(ObjectValue object, String key, @Nullable ObjectValue value) {
    return value == null ? object : object.plus(key, value);
  }
}
