package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.type.NodeType;
import dev.superstep.problem.DurationText;
import dev.superstep.state.value.ObjectValue;
import org.jspecify.annotations.Nullable;

/// A node type in answers of the API.
record NodeTypeBody(
    String name,
    String description,
    boolean available,
    @JsonProperty("default_timeout") @Nullable String defaultTimeout,
    @JsonProperty("config_schema") ObjectValue configSchema) {

  static NodeTypeBody of(NodeType type) {
    return new NodeTypeBody(
        type.name(),
        type.description(),
        type.available(),
        type.defaultTimeout().map(DurationText::write).orElse(null),
        type.configSchema());
  }
}
