package dev.superstep.engine;

import java.time.Instant;

/// How one attempt of a task ended (E30). A node that throws is [Failed]; nothing a node does
/// escapes as an exception.
public sealed interface Outcome {

  record Done(NodeResult result) implements Outcome {}

  record Failed(TaskError error) implements Outcome {}

  record Interrupted(InterruptRequest request) implements Outcome {}

  /// The node asks to be run again at `dueAt`; its call then says [NodeCall#woken].
  record Waiting(Instant dueAt) implements Outcome {}
}
