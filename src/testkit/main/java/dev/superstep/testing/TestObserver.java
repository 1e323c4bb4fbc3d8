package dev.superstep.testing;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.node.NodeCall;

/// Sees what a run in memory does, on its thread.
public interface TestObserver {

  /// A node is about to be called. What this throws fails the task.
  void called(NodeCall call);

  /// Called before each write. What this throws ends the run.
  void check();

  default void committed(Commit commit) {}
}
