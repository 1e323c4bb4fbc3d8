package dev.superstep.engine.settle;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.context.ContextFold;
import dev.superstep.engine.scope.SuperstepContext;
import dev.superstep.state.GraphState;
import java.util.List;
import java.util.Optional;

/// Measures how large a run becomes with the tasks of a superstep: its state and its prompt
/// context, which checkpoints keep like a channel (P1, E15).
final class RunSize {
  private final SuperstepContext superstepContext;
  private final ContextFold fold;
  private Optional<PromptContext> context;

  RunSize(SuperstepContext superstepContext) {
    this.superstepContext = superstepContext;
    fold = new ContextFold(superstepContext.program().graph(), superstepContext.run().ordinal());
    context = superstepContext.at().context();
  }

  /// @param state with the changes of these tasks and of those before them
  /// @param records the next ones of the superstep, in task order
  long with(GraphState state, List<TaskRecord> records) {
    var limit = superstepContext.program().contexts().history();
    context =
        context.map(it -> limit.bound(fold.fold(it, records, superstepContext.at().stamp().at())));
    return Checkpoint.sizeBytes(state, context);
  }
}
