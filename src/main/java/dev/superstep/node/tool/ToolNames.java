package dev.superstep.node.tool;

import dev.superstep.json.Pointer;
import dev.superstep.node.NodeConfig;
import dev.superstep.state.ListValue;
import dev.superstep.state.Value;

/// `config.tools` of a node: names that are no templates must be known when the definition is
/// posted.
public final class ToolNames {
  private ToolNames() {}

  public static void check(NodeConfig config, Tools tools) {
    if (config.find("tools").orElse(Value.NULL) instanceof ListValue names) {
      for (int i = 0; i < names.size(); i++) {
        if (names.get(i) instanceof Value.Text(var name)
            && !name.contains("{{")
            && tools.find(name).isEmpty()) {
          config.refuse(
              Pointer.child("tools", i),
              "unknown_tool",
              "this server has no tool '%s'; it has %s".formatted(name, tools.names()));
        }
      }
    }
  }
}
