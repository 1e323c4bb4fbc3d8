package dev.superstep.command;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;

/// A node as LangGraph draws it.
///
/// @param id with the names of the subgraphs around it before it, each followed by a colon
record ImportedNode(String id, ImportedKind kind, ObjectValue metadata) {
  static final String START = "__start__";
  static final String END = "__end__";

  private static final String INTERRUPT = "__interrupt";

  /// What can be told of a node from the class that LangGraph names.
  enum ImportedKind {
    /// Python or JavaScript, of which the drawing knows nothing.
    CODE,
    /// A `ToolNode`.
    TOOLS,
    /// A compiled graph that was not opened.
    GRAPH
  }

  boolean isStart() {
    return name().equals(START);
  }

  boolean isEnd() {
    return name().equals(END);
  }

  /// The last part of the id.
  String name() {
    return id.substring(id.lastIndexOf(':') + 1);
  }

  /// Whether runs stop `before` or `after` it.
  boolean interrupts(String when) {
    return metadata.get(INTERRUPT) instanceof Value.Text(var said) && said.contains(when);
  }

  /// What the author has noted; LangGraph's own notes are left out.
  ObjectValue properties() {
    var kept = ObjectValue.builder();
    metadata.forEach((key, value) -> {
      if (!key.startsWith("__") && !value.equals(ObjectValue.empty())) {
        kept.put(key, value);
      }
    });
    return kept.build();
  }
}
