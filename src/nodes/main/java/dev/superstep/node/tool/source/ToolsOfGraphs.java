package dev.superstep.node.tool.source;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.node.tool.Tools;
import org.springframework.stereotype.Component;

/// The tools that the nodes of a graph may offer and run: the server's, and the graph's own.
@Component
public final class ToolsOfGraphs {
  private final Tools server;
  private final DefinedTools defined;

  ToolsOfGraphs(Tools server, DefinedTools defined) {
    this.server = server;
    this.defined = defined;
  }

  public Tools of(GraphOutline graph) {
    return server.with(defined.of(graph.tools()));
  }
}
