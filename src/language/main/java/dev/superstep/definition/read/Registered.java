package dev.superstep.definition.read;

import dev.superstep.context.ContextRuleReader;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.definition.type.ResultCache;
import dev.superstep.definition.type.Summarizers;
import dev.superstep.definition.type.ToolDefinitions;
import dev.superstep.state.MergeFunction;
import java.util.Map;

/// The registries that definitions refer to by name.
///
/// @param merges merge functions by bean name
/// @param contexts with the transforms and processors of prompt contexts
public record Registered(
    NodeTypes types,
    Map<String, MergeFunction> merges,
    Summarizers summarizers,
    ContextRuleReader contexts,
    ToolDefinitions tools,
    ResultCache results) {
  public Registered {
    merges = Map.copyOf(merges);
  }
}
