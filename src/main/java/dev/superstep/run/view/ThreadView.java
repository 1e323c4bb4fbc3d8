package dev.superstep.run.view;

import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// A thread with the state from which the next run would start.
///
/// @param head the run of that state; empty: the thread has no committed checkpoint
public record ThreadView(ThreadSummary summary, Optional<Head> head, ObjectValue state) {

  public record Head(String run, int checkpoint) {}
}
