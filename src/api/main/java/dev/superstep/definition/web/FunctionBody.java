package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.FunctionSource;
import dev.superstep.definition.FunctionSource.Purity;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;

/// A function in answers of the API.
@Schema(name = "FunctionInfo")
record FunctionBody(
    String name,
    String kind,
    String description,
    boolean pure,
    @JsonProperty("arguments_schema") ObjectValue argumentsSchema) {

  static FunctionBody of(FunctionSource.FunctionDescription function) {
    return new FunctionBody(
        function.name(),
        function.kind(),
        function.description(),
        function.pure() == Purity.PURE,
        function.argumentsSchema());
  }
}
