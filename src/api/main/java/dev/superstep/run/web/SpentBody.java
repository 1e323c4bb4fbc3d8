package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.engine.run.Usage;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/// What a task, a node or a run has spent on models.
@Schema(name = "Spent", description = "Calls of models, their tokens and what they cost")
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
class SpentBody {
  @JsonProperty("model_calls")
  @Schema(example = "3")
  final long modelCalls;

  @JsonProperty("input_tokens")
  @Schema(example = "1204")
  final long inputTokens;

  @JsonProperty("output_tokens")
  @Schema(example = "310")
  final long outputTokens;

  @JsonProperty("total_tokens")
  @Schema(example = "1514")
  final long totalTokens;

  @Schema(
      description =
          "A decimal number in the unit of the prices, by those that were in force when the models"
              + " answered; absent: not known, because no model has a price",
      example = "0.000921")
  final @Nullable String cost;

  @JsonProperty("unpriced_calls")
  @Schema(
      description =
          "Calls whose cost is not known, so that `cost` is too low; absent: none, or no cost",
      example = "1")
  final @Nullable Long unpricedCalls;

  SpentBody(Usage usage) {
    modelCalls = usage.calls();
    inputTokens = usage.inputTokens();
    outputTokens = usage.outputTokens();
    totalTokens = usage.totalTokens();
    boolean known = !usage.cost().isNothing();
    cost = known ? usage.cost().text() : null;
    unpricedCalls = known && usage.unpricedCalls() > 0 ? usage.unpricedCalls() : null;
  }
}
