package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.engine.run.Usage;
import org.jspecify.annotations.Nullable;

/// What a task, a node or a run has spent on models.
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
class SpentBody {
  @JsonProperty("model_calls")
  final long modelCalls;

  @JsonProperty("input_tokens")
  final long inputTokens;

  @JsonProperty("output_tokens")
  final long outputTokens;

  @JsonProperty("total_tokens")
  final long totalTokens;

  @JsonProperty("cached_input_tokens")
  final @Nullable Long cachedInputTokens;

  @JsonProperty("cache_write_tokens")
  final @Nullable Long cacheWriteTokens;

  final @Nullable String cost;

  @JsonProperty("unpriced_calls")
  final @Nullable Long unpricedCalls;

  SpentBody(Usage usage) {
    modelCalls = usage.calls();
    inputTokens = usage.inputTokens();
    outputTokens = usage.outputTokens();
    totalTokens = usage.totalTokens();
    var cached = usage.cached();
    cachedInputTokens = cached.isNothing() ? null : cached.read();
    cacheWriteTokens = cached.isNothing() ? null : cached.written();
    boolean known = !usage.cost().isNothing();
    cost = known ? usage.cost().text() : null;
    unpricedCalls = known && usage.unpricedCalls() > 0 ? usage.unpricedCalls() : null;
  }
}
