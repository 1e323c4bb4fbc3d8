package dev.superstep.run.view;

import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// A conversation: its newest run, and the state from which the next one would start.
///
/// @param head whose state that is; empty: nothing of the thread is committed
public record ThreadView(String id, RunSummary lastRun, Optional<Head> head, ObjectValue state) {

  public record Head(String run, int checkpoint) {}
}
