package dev.superstep.checkpoint;

/// Names a checkpoint.
///
/// @param checkpoint its number, or [#BEFORE_INPUT]
public record CheckpointRef(String run, int checkpoint) {
  /// Stands for the state that a run of a thread began with, before its input: that of the
  /// checkpoint where it began, or none.
  public static final int BEFORE_INPUT = -1;

  public static CheckpointRef beforeInput(String run) {
    return new CheckpointRef(run, BEFORE_INPUT);
  }

  public boolean isBeforeInput() {
    return checkpoint == BEFORE_INPUT;
  }
}
