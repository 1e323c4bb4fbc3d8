package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.FunctionSource;
import dev.superstep.definition.FunctionSource.Purity;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;

/// A function in answers of the API.
@Schema(name = "FunctionInfo", description = "A registered function that definitions can name")
record FunctionBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "summarize") String name,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description =
                "What calls it: a node, a channel to merge two values, or a compaction to"
                    + " summarise messages",
            allowableValues = {"node", "merge", "summary"})
        String kind,
    @Schema(requiredMode = RequiredMode.REQUIRED) String description,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "Whether calling it again does no harm")
        boolean pure,
    @JsonProperty("arguments_schema")
        @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "JSON Schema of its arguments; {} if it does not say")
        ObjectValue argumentsSchema) {

  static FunctionBody of(FunctionSource.FunctionDescription function) {
    return new FunctionBody(
        function.name(),
        function.kind(),
        function.description(),
        function.pure() == Purity.PURE,
        function.argumentsSchema());
  }
}
