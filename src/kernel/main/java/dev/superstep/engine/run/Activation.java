package dev.superstep.engine.run;

import dev.superstep.graph.NodeId;

/// A node to run in the next superstep (E6).
public sealed interface Activation {
  NodeId node();

  record Plain(NodeId node) implements Activation {}

  record Sent(Dispatch dispatch) implements Activation {
    @Override
    public NodeId node() {
      return dispatch.node();
    }
  }
}
