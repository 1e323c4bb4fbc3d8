package dev.superstep.definition;

import dev.superstep.context.ContextRuleReader;
import dev.superstep.state.MergeFunction;
import java.util.Map;

/// What definitions refer to by name.
///
/// @param merges merge functions by bean name
/// @param contexts with the transforms and processors of prompt contexts
record Registered(
    NodeTypes types,
    Map<String, MergeFunction> merges,
    Summarizers summarizers,
    ContextRuleReader contexts,
    ToolDefinitions tools) {
  Registered {
    merges = Map.copyOf(merges);
  }
}
