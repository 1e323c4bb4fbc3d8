package dev.superstep.engine.node;

import dev.superstep.engine.checkpoint.AskingStep;
import dev.superstep.engine.checkpoint.ChildStart;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.WorkerTask;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.Optional;

/// How one attempt of a task ended (E30). A node that throws is [Failed]; nothing a node does
/// escapes as an exception.
public sealed interface Outcome {

  record Done(NodeResult result) implements Outcome {}

  record Failed(TaskError error) implements Outcome {}

  /// @param step in which the node asks; empty: it asks with its result
  record Interrupted(InterruptRequest request, Optional<AskingStep> step) implements Outcome {

    public Interrupted(InterruptRequest request) {
      this(request, Optional.empty());
    }
  }

  /// The node asks to be run again at `dueAt`; [NodeCall#woken] is then true.
  record Waiting(Instant dueAt) implements Outcome {}

  /// The task has to wait until `dueAt` for something that it shares with others. Then the attempt
  /// begins anew, and counts as one with this.
  ///
  /// @param kept what it has found out on its way ([SideEffects#keep])
  record Parked(Instant dueAt, ObjectValue kept) implements Outcome {}

  /// The node waits for a run that begins with this outcome. It is run again when that has ended;
  /// [NodeCall#childEnd] is then present (E41).
  record Child(ChildStart start) implements Outcome {}

  /// The node waits for a worker, who is asked with this outcome. It is run again when the worker
  /// has ended; [NodeCall#workerEnd] is then present (E52).
  record Worker(WorkerTask task) implements Outcome {}

  /// The node waits for the callback that it has opened. It is run again when that has ended;
  /// [NodeCall#callbackEnd] is then present (E51).
  record Callback(OpenCallback callback) implements Outcome {}
}
