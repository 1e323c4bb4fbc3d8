package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.node.tool.ToolPermits;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A tool policy in answers of the API.
@JsonInclude(JsonInclude.Include.NON_NULL)
record ToolPolicyBody(
    List<String> graphs,
    String approval,
    @JsonProperty("calls_per_run_max") @Nullable Integer callsPerRunMax,
    @JsonProperty("calls_per_message_max") @Nullable Integer callsPerMessageMax,
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
