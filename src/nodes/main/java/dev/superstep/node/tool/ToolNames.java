package dev.superstep.node.tool;

import dev.superstep.graph.Pointer;
import dev.superstep.node.NodeConfig;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;

/// Checks `config.tools` of a node: names that are no templates must be known when the definition
/// is posted.
public final class ToolNames {
  /// The code of names that graph and server both have.
  public static final String TAKEN = "tool_name_taken";

  private ToolNames() {}

  /// The error for a name that graph and server both have.
  public static String taken(String name) {
    return "this server has a tool '%s' itself; give the graph's own another name".formatted(name);
  }

  public static void check(NodeConfig config, Tools tools, ToolPermits permits) {
    if (config.find("tools").orElse(Value.NULL) instanceof ListValue names) {
      for (int i = 0; i < names.size(); i++) {
        if (names.get(i) instanceof Value.Text(var name) && !name.contains("{{")) {
          var at = Pointer.child("tools", i);
          if (!tools.mayHave(name) && !tools.isTaken(name)) {
            config.refuse(
                at,
                "unknown_tool",
                "this server has no tool '%s'; it has %s".formatted(name, tools.names()));
          }
          permits
              .refusal(tools, name, config.graph().name())
              .ifPresent(it -> config.refuse(at, ToolPermits.NOT_ALLOWED, it));
        }
      }
    }
  }
}
