package dev.superstep.memory;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The request to list namespaces.
@JsonIgnoreProperties(ignoreUnknown = true)
record NamespaceSearchBody(
    @Nullable List<String> prefix,
    @Nullable List<String> suffix,
    @Nullable Integer maxDepth,
    @Nullable Integer limit,
    @Nullable Integer offset) {
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
