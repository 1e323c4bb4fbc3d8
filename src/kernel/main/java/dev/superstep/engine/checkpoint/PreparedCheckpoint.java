package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.TaskError;

/// A checkpoint that an API call wants to write, or why it cannot.
public sealed interface PreparedCheckpoint {

  /// @param write ready to be stored; its time is set by the store
  record Ready(Commit.Write write) implements PreparedCheckpoint {}

  /// @param error what is wrong with the input or change; nothing may be stored
  record Refused(TaskError error) implements PreparedCheckpoint {}
}
