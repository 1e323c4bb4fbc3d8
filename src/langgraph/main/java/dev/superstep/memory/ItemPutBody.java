package dev.superstep.memory;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The request to write an item. `index`, which says what to index for vector search, is ignored.
@JsonIgnoreProperties(ignoreUnknown = true)
record ItemPutBody(
    @Nullable List<String> namespace,
    @Nullable String key,
    @Nullable ObjectValue value,
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
