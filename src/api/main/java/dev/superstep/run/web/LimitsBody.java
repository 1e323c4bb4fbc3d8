package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.graph.Limits;
import dev.superstep.problem.DurationText;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Limits in requests that start, fork or resume.
@Schema(name = "Limits", description = "Limits of a run, over those of its graph")
record LimitsBody(
    @JsonProperty("max_supersteps")
        @Schema(description = "Node supersteps", minimum = "1", example = "50")
        @Nullable Integer superstepsMax,
    @JsonProperty("max_concurrency") @Schema(description = "Tasks at a time", minimum = "1")
        @Nullable Integer concurrencyMax,
    @JsonProperty("max_dispatches") @Schema(description = "Dispatches of the run", minimum = "1")
        @Nullable Integer dispatchesMax,
    @JsonProperty("max_model_calls")
        @Schema(description = "Requests to models; compare `usage`", minimum = "1", example = "20")
        @Nullable Integer modelCallsMax,
    @JsonProperty("max_tokens")
        @Schema(
            description =
                "Tokens in and out. Checked before each request: those under way may exceed it",
            minimum = "1",
            example = "100000")
        @Nullable Long tokensMax,
    @Schema(
            description =
                "Wall time, interrupted and failed time not counted: `<n>(ms|s|m|h|d)`"
                    + " or ISO 8601",
            example = "1h")
        @Nullable String timeout) {

  public static LimitsBody of(Limits limits) {
    return new LimitsBody(
        limits.superstepsMax().orElse(null),
        limits.concurrencyMax().orElse(null),
        limits.dispatchesMax().orElse(null),
        limits.modelCallsMax().orElse(null),
        limits.tokensMax().orElse(null),
        limits.timeout().map(DurationText::write).orElse(null));
  }

  static Limits read(@Nullable LimitsBody body, BodyChecks bodyChecks) {
    return body == null ? Limits.NONE : body.read(bodyChecks);
  }

  private Limits read(BodyChecks bodyChecks) {
    return new Limits(
        Optional.ofNullable(superstepsMax),
        Optional.ofNullable(concurrencyMax),
        Optional.ofNullable(dispatchesMax),
        Optional.ofNullable(modelCallsMax),
        Optional.ofNullable(tokensMax),
        bodyChecks.duration("/limits/timeout", timeout));
  }
}
