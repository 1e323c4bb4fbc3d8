package dev.superstep.checkpoint.row;

import java.util.List;

/// A slice that one replica may execute.
///
/// @param claim how often the slice has been taken, this time included: a later claim supersedes it
/// @param checkpoint that its superstep builds on
/// @param quota most tasks at a time
/// @param tasks indexes in the superstep as planned
public record TakenSlice(
    WideSuperstep of,
    int number,
    int claim,
    String owner,
    int checkpoint,
    int quota,
    List<Integer> tasks) {
  public TakenSlice {
    tasks = List.copyOf(tasks);
  }

  @Override
  public String toString() {
    return "slice %d of %s".formatted(number, of);
  }
}
