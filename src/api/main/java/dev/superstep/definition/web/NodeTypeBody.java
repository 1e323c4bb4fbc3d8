package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.type.NodeType;
import dev.superstep.problem.DurationText;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import org.jspecify.annotations.Nullable;

/// A node type in answers of the API.
@Schema(name = "NodeType", description = "A kind of node that definitions can use")
record NodeTypeBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "human") String name,
    @Schema(requiredMode = RequiredMode.REQUIRED) String description,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "Whether this server can run it; other types are declared only")
        boolean available,
    @JsonProperty("default_timeout")
        @Schema(
            description = "Time-out of an attempt that declares none; absent: there is none",
            example = "5m")
        @Nullable String defaultTimeout,
    @JsonProperty("config_schema")
        @Schema(requiredMode = RequiredMode.REQUIRED, description = "JSON Schema of `config`")
        ObjectValue configSchema) {

  static NodeTypeBody of(NodeType type) {
    return new NodeTypeBody(
        type.name(),
        type.description(),
        type.available(),
        type.defaultTimeout().map(DurationText::write).orElse(null),
        type.configSchema());
  }
}
