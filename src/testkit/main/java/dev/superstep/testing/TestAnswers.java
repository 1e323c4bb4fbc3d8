package dev.superstep.testing;

import dev.superstep.graph.Node;
import dev.superstep.node.Answers;

/// What one test gives, and in whose place.
public interface TestAnswers extends Answers {

  /// Whether the test speaks in place of the node, whatever it would do itself.
  boolean replaces(Node node);

  /// Whether the node's own code runs, although it might call out.
  boolean runs(Node node);
}
