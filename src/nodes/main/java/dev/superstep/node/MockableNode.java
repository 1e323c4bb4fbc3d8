package dev.superstep.node;

import dev.superstep.engine.node.NodeRunner;

/// A node that calls out of the service, or runs code that may. Tests of definitions run it on
/// answers of their own.
public interface MockableNode extends NodeRunner {

  /// This node, which gets from `answers` what it would get from outside. All else it does is as in
  /// a run; it calls nothing.
  NodeRunner answeredBy(Answers answers);
}
