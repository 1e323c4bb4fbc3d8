package dev.superstep.langgraph;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.superstep.memory.ItemWrite;
import dev.superstep.memory.Namespace;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The request to write an item. `index`, which says what to index for vector search, is ignored.
@JsonIgnoreProperties(ignoreUnknown = true)
@Schema(name = "ItemPut", description = "An item to be written, in place of one of this key")
record ItemPutBody(
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            description = "Labels without dots, from the outermost on",
            example = "[\"users\", \"ana\"]")
        @Nullable List<String> namespace,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED, example = "food") @Nullable String key,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED, example = "{\"likes\": \"pizza\"}")
        @Nullable ObjectValue value,
    @Schema(description = "Minutes until it expires; absent: never", example = "1440")
        @Nullable Double ttl) {
  private static final double MINUTE_MS = 60_000;

  ItemWrite read() {
    if (value == null) {
      throw ServiceException.at("/value", ErrorCode.INVALID_VALUE, "must be an object");
    }
    return new ItemWrite(
        Namespace.of(Objects.requireNonNullElse(namespace, List.of()), "/namespace"),
        Objects.requireNonNullElse(key, ""),
        value,
        Optional.ofNullable(ttl).map(it -> Duration.ofMillis(Math.round(it * MINUTE_MS))));
  }
}
