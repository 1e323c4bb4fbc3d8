package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.graph.Limits;
import dev.superstep.problem.DurationText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Limits in requests that start, fork or resume.
record LimitsBody(
    @JsonProperty("max_supersteps") @Nullable Integer superstepsMax,
    @JsonProperty("max_concurrency") @Nullable Integer concurrencyMax,
    @JsonProperty("max_dispatches") @Nullable Integer dispatchesMax,
    @JsonProperty("max_model_calls") @Nullable Integer modelCallsMax,
    @JsonProperty("max_tokens") @Nullable Long tokensMax,
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
