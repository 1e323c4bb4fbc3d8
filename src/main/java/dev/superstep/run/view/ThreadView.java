package dev.superstep.run.view;

import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// A thread: its newest run, and the state from which the next one would start.
///
/// @param head the run of that state; empty: the thread has no committed checkpoint
public record ThreadView(String id, RunSummary lastRun, Optional<Head> head, ObjectValue state) {

  public record Head(String run, int checkpoint) {}
}
