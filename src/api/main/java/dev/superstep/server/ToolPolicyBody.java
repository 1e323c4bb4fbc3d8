package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.node.tool.ToolPermits;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A tool policy in answers of the API.
@Schema(name = "ToolPolicy", description = "What the operator says about calls of a tool")
@JsonInclude(JsonInclude.Include.NON_NULL)
record ToolPolicyBody(
    @ArraySchema(
            arraySchema =
                @Schema(
                    requiredMode = RequiredMode.REQUIRED,
                    description =
                        "Patterns of the names of graphs that may use the tool; none: all may"),
            schema = @Schema(example = "billing-*"))
        List<String> graphs,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description =
                "`always`: a person approves each call, whatever the definition says. `defined`:"
                    + " the definition decides",
            allowableValues = {"always", "defined"})
        String approval,
    @JsonProperty("calls_per_run_max")
        @Schema(
            description = "Most calls of a run and of all runs that it has begun",
            example = "20")
        @Nullable Integer callsPerRunMax,
    @JsonProperty("calls_per_message_max")
        @Schema(description = "Most calls of one assistant message", example = "3")
        @Nullable Integer callsPerMessageMax,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "Whether calls are refused because of their arguments")
        boolean conditional) {

  static ToolPolicyBody of(ToolPermits.Terms terms) {
    return new ToolPolicyBody(
        terms.graphs(),
        terms.asks() ? "always" : "defined",
        orNull(terms.perRunMax()),
        orNull(terms.perMessageMax()),
        terms.conditional());
  }

  private static @Nullable Integer orNull(OptionalInt value) {
    return value.isPresent() ? value.getAsInt() : null;
  }
}
