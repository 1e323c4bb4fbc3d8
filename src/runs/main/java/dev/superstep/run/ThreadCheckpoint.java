package dev.superstep.run;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.engine.checkpoint.CheckpointKind;
import java.util.Optional;

/// A committed checkpoint in the history of its thread.
///
/// @param edited whether it is the edit of a state with which its run began, and behind which the
///   run did not go on by itself
/// @param parent from whose state it was made, or [CheckpointRef#BEFORE_INPUT] of a run that began
///   anew; empty: the first of the thread, or the one before is not part of the thread any more
public record ThreadCheckpoint(
    CheckpointPosition position,
    CheckpointKind kind,
    boolean edited,
    int superstep,
    String stateHash,
    Optional<CheckpointPosition> parent) {

  /// @param id ascends, as text, over the history of the thread
  public record CheckpointPosition(ThreadCheckpointId id, CheckpointRef at) {}
}
