package dev.superstep.node.tool;

import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// Counts the calls of a tool by a run and its descendants, and those of one message by all nodes.
/// Keeps those that may be made once only, for runs whose history goes another way.
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

        @Override
        public void begin(String run, ToolCall toolCall) {}

        @Override
        public void end(String run, ToolCall toolCall, String content, boolean erred) {}

        @Override
        public Optional<ObjectValue> madeElsewhere(String run, ToolCall toolCall) {
          return Optional.empty();
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

  /// Keeps that a call is made that may be made once only. Its task has recorded that before.
  void begin(String run, ToolCall toolCall) throws InterruptedException;

  /// Keeps its result.
  void end(String run, ToolCall toolCall, String content, boolean erred)
      throws InterruptedException;

  /// The same call, tool and arguments, as it was made last behind the checkpoint where this run
  /// left the history of another: `{run_id, called_at, content?, is_error?}`, without content if
  /// its result is not known.
  Optional<ObjectValue> madeElsewhere(String run, ToolCall toolCall) throws InterruptedException;
}
