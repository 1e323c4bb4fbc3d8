package dev.superstep.engine;

import dev.superstep.engine.run.FoldErrors;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.state.Change;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The frozen state with one task's own changes, folded on first use (E22, E36).
final class OwnState {
  private final SuperstepContext superstepContext;
  private final Task task;
  private final List<Change> changes;
  private @Nullable GraphState folded;

  public OwnState(SuperstepContext superstepContext, Task task, List<Change> changes) {
    this.superstepContext = superstepContext;
    this.task = task;
    this.changes = changes;
  }

  public ObjectValue channels() {
    var state = folded;
    if (state == null) {
      state = after(superstepContext, task, changes);
      folded = state;
    }
    return state.channels();
  }

  /// @throws TaskFailedException if the changes cannot be folded
  public static GraphState after(
      SuperstepContext superstepContext, Task task, List<Change> changes) {
    if (changes.isEmpty()) {
      return superstepContext.at().state();
    }
    var fold =
        Fold.over(superstepContext.program().graph().channels(), superstepContext.at().state());
    var problem = fold.apply(changes);
    if (problem.isPresent()) {
      throw new TaskFailedException(FoldErrors.of(task.key().node().toString(), problem.get()));
    }
    return fold.state();
  }
}
