package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.context.ContextProcessor;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;

/// A context processor in the catalog of this server.
@Schema(name = "ContextProcessor")
record ProcessorBody(
    String name,
    String description,
    boolean pure,
    @JsonProperty("config_schema") ObjectValue configSchema) {

  static ProcessorBody of(String name, ContextProcessor it) {
    return new ProcessorBody(name, it.description(), it.pure(), it.configSchema());
  }
}
