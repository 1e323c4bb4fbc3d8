package dev.superstep.definition;

import dev.superstep.state.MergeFunction;
import java.util.Map;

/// What definitions refer to by name.
///
/// @param merges merge functions by bean name
record Registered(NodeTypes types, Map<String, MergeFunction> merges, Summarizers summarizers) {
  Registered {
    merges = Map.copyOf(merges);
  }
}
