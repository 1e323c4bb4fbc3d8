package dev.superstep.node.tool;

import dev.superstep.definition.GraphName;
import dev.superstep.definition.PinnedTools;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.ToolDefinitions;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The tools that the nodes of a graph may offer and run: the server's, and the graph's own.
public final class ToolsOfGraphs implements PinnedTools {
  private final Tools server;
  private final DefinedTools defined;

  ToolsOfGraphs(Tools server, DefinedTools defined) {
    this.server = server;
    this.defined = defined;
  }

  ToolDefinitions definitions() {
    return defined;
  }

  public Tools of(GraphOutline graph) {
    return server.with(defined.of(graph.tools()));
  }

  @Override
  public Map<String, String> of(ObjectValue definition) {
    var named = new HashSet<String>();
    boolean every = !collect(definition, named);
    var pins = new TreeMap<String, String>();
    if (every || !named.isEmpty()) {
      server.all().stream()
          .map(Tool::description)
          .filter(it -> ToolPins.concern(it) && (every || named.contains(it.name())))
          .forEach(it -> pins.put(it.name(), ToolPins.fingerprint(it)));
    }
    return pins;
  }

  /// @return whether the nodes name all that they may call
  private static boolean collect(ObjectValue definition, Set<String> named) {
    var graphs =
        Stream.concat(Stream.of(definition), GraphName.inlineGraphs(definition).values().stream());
    return graphs
        .flatMap(it -> it.objects("nodes").stream())
        .filter(it -> it.isText("type", "tool"))
        .map(it -> it.objectOrEmpty("config"))
        .map(it -> it.listOrEmpty("tools").asList())
        .allMatch(it -> !it.isEmpty() && it.stream().allMatch(name -> isNamed(name, named)));
  }

  private static boolean isNamed(Value tool, Set<String> named) {
    if (tool instanceof Value.Text(var name) && !name.contains("{{")) {
      named.add(name);
      return true;
    }
    return false;
  }
}
