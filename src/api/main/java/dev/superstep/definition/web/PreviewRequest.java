package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The request for a preview of a prompt context: nothing is stored or run.
@Schema(name = "PreviewContext", description = "A prompt context, and what it is led through")
record PreviewRequest(
    @Schema(requiredMode = RequiredMode.REQUIRED) @Nullable ContextInput context,
    @Schema(description = "Absent: everything arrives") @Nullable EdgeInput edge,
    @Schema(description = "Several instead of edge; what they pass is merged")
        @Nullable List<EdgeInput> edges,
    @Schema(description = "Absent: what arrives is the answer") @Nullable NodeInput node,
    @Schema(
            description = "What conditions see besides the context: state, input, run, node, …",
            example = "{\"state\": {\"priority\": \"high\"}}")
        @Nullable ObjectValue scope) {

  ObjectValue scopeOrNone() {
    return scope == null ? ObjectValue.empty() : scope;
  }

  /// The edges that lead to the node; empty: everything arrives.
  List<EdgeInput> allEdges() {
    var several = edges == null ? List.<EdgeInput>of() : edges;
    return edge == null ? several : List.of(edge);
  }

  @Schema(name = "PreviewedContext", description = "A prompt context to try filters on")
  record ContextInput(
      @Nullable String template,
      @Schema(description = "Objects become dotted keys") @Nullable ObjectValue variables,
      @Schema(description = "Entries with id, node_id, prompt, response, superstep, metadata")
          @Nullable ListValue history,
      @Schema(description = "Objects become dotted keys") @Nullable ObjectValue metadata) {}

  @Schema(name = "PreviewedEdge", description = "What an edge's definition says about contexts")
  record EdgeInput(
      @Schema(example = "edge_1") @Nullable String id,
      @Schema(
              allowableValues = {"sequence", "conditional", "error"},
              description = "Gives the default filter")
          @Nullable String type,
      @JsonProperty("context_filter") @Schema(ref = "#/components/schemas/EdgeContextFilter")
          @Nullable ObjectValue contextFilter) {

    ObjectValue definition() {
      return with(with(ObjectValue.empty(), "type", type), "context_filter", contextFilter);
    }
  }

  @Schema(name = "PreviewedNode", description = "What a node's definition says about contexts")
  record NodeInput(
      @Schema(example = "think") @Nullable String id,
      @Schema(example = "llm", description = "Gives the default context type and filter")
          @Nullable String type,
      @JsonProperty("context_type") @Schema(example = "llm_context") @Nullable String contextType,
      @JsonProperty("context_filter") @Schema(ref = "#/components/schemas/ContextFilter")
          @Nullable ObjectValue contextFilter,
      @JsonProperty("context_filters") @Schema(description = "Several filters, as in a definition")
          @Nullable ListValue contextFilters,
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
