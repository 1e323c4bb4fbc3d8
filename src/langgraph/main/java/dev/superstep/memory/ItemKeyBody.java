package dev.superstep.memory;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Which item is meant.
@JsonIgnoreProperties(ignoreUnknown = true)
record ItemKeyBody(@Nullable List<String> namespace, @Nullable String key) {

  Namespace place() {
    return Namespace.of(Objects.requireNonNullElse(namespace, List.of()), "/namespace");
  }

  String name() {
    return Objects.requireNonNullElse(key, "");
  }
}
