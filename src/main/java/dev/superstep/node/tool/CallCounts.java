package dev.superstep.node.tool;

/// Counts the calls of a tool by a run and its descendants, and those of one message by all nodes.
public interface CallCounts {
  /// Of a process that makes no calls.
  CallCounts NONE =
      new CallCounts() {
        @Override
        public boolean takeOfRun(String run, String tool, int max) {
          return false;
        }

        @Override
        public boolean takeOfMessage(String run, ToolCall toolCall, int max) {
          return false;
        }
      };

  /// Counts one call more of a run, and of those that it was begun by and has begun.
  ///
  /// @return whether it may be made; else nothing is counted
  boolean takeOfRun(String run, String tool, int max) throws InterruptedException;

  /// Counts one call more of a message of this run.
  ///
  /// @return whether it may be made; else nothing is counted
  boolean takeOfMessage(String run, ToolCall toolCall, int max) throws InterruptedException;
}
