package dev.superstep.engine;

import dev.superstep.context.PromptContext;
import dev.superstep.state.GraphState;
import java.util.List;
import java.util.Optional;

/// How large a run becomes with the tasks of a superstep: its state and its prompt context, which
/// checkpoints keep like a channel (P1, E15).
final class RunSize {
  private final Frame frame;
  private final ContextFold fold;
  private Optional<PromptContext> context;

  RunSize(Frame frame) {
    this.frame = frame;
    fold = new ContextFold(frame.program().graph(), frame.run().ordinal());
    context = frame.at().context();
  }

  /// @param state with the changes of these tasks and of those before them
  /// @param records the next ones of the superstep, in task order
  long with(GraphState state, List<TaskRecord> records) {
    var limit = frame.program().contexts().history();
    context = context.map(it -> limit.bound(fold.fold(it, records, frame.at().stamp().at())));
    return Checkpoint.sizeBytes(state, context);
  }
}
