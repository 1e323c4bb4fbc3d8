package dev.superstep.context;

import java.util.Map;

/// The registries that declarations of filters refer to, and the cache of views.
///
/// @param filters in Java, by name
public record ContextLibrary(
    ContextCondition.Compiler conditions,
    Transforms transforms,
    Processors processors,
    Map<String, JavaContextFilter> filters,
    ContextCache cache) {
  public ContextLibrary {
    filters = Map.copyOf(filters);
  }
}
