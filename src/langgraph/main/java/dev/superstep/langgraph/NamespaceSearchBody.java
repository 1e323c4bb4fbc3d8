package dev.superstep.langgraph;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.superstep.memory.NamespaceSearch;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The request to list namespaces.
@JsonIgnoreProperties(ignoreUnknown = true)
@Schema(name = "NamespaceSearch", description = "Which namespaces are wanted")
record NamespaceSearchBody(
    @Schema(
            description = "Labels they begin with; `*` stands for any label",
            example = "[\"users\", \"*\"]")
        @Nullable List<String> prefix,
    @Schema(description = "Labels they end with; `*` stands for any label", example = "[\"notes\"]")
        @Nullable List<String> suffix,
    @Schema(description = "Deeper ones are cut to so many labels") @Nullable Integer maxDepth,
    @Schema(defaultValue = "100") @Nullable Integer limit,
    @Schema(defaultValue = "0") @Nullable Integer offset) {
  private static final int LIMIT = 100;

  NamespaceSearch read() {
    return new NamespaceSearch(
        Objects.requireNonNullElse(prefix, List.of()),
        Objects.requireNonNullElse(suffix, List.of()),
        maxDepth == null ? OptionalInt.empty() : OptionalInt.of(maxDepth),
        Objects.requireNonNullElse(limit, LIMIT),
        Objects.requireNonNullElse(offset, 0));
  }
}
