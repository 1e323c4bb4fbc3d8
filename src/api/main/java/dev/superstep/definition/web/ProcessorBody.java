package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.context.ContextProcessor;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;

/// A context processor in the catalog of this server.
@Schema(
    name = "ContextProcessor",
    description = "A processor for nodes of context_type custom:<name>")
record ProcessorBody(
    @Schema(example = "recent_history") String name,
    String description,
    @Schema(description = "Whether its result depends on nothing but context and configuration")
        boolean pure,
    @JsonProperty("config_schema")
        @Schema(description = "JSON Schema of `processor_config`; {} if it does not say")
        ObjectValue configSchema) {

  static ProcessorBody of(String name, ContextProcessor it) {
    return new ProcessorBody(name, it.description(), it.pure(), it.configSchema());
  }
}
