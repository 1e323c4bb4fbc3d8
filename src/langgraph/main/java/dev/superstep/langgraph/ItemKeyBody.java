package dev.superstep.langgraph;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.superstep.memory.Namespace;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Which item is meant.
@JsonIgnoreProperties(ignoreUnknown = true)
@Schema(name = "ItemKey", description = "Which item is meant")
record ItemKeyBody(
    @Schema(example = "[\"users\", \"ana\"]") @Nullable List<String> namespace,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED, example = "food") @Nullable String key) {

  Namespace place() {
    return Namespace.of(Objects.requireNonNullElse(namespace, List.of()), "/namespace");
  }

  String name() {
    return Objects.requireNonNullElse(key, "");
  }
}
