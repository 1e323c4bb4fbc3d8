package dev.superstep.engine;

import dev.superstep.state.Change;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.ObjectValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The frozen state with one task's own changes, folded on first use (E22, E36).
final class OwnState {
  private final Frame frame;
  private final Task task;
  private final List<Change> changes;
  private @Nullable GraphState folded;

  OwnState(Frame frame, Task task, List<Change> changes) {
    this.frame = frame;
    this.task = task;
    this.changes = changes;
  }

  ObjectValue channels() {
    var state = folded;
    if (state == null) {
      state = after(frame, task, changes);
      folded = state;
    }
    return state.channels();
  }

  /// @throws TaskFailedException if the changes cannot be folded
  static GraphState after(Frame frame, Task task, List<Change> changes) {
    if (changes.isEmpty()) {
      return frame.at().state();
    }
    var fold = Fold.over(frame.program().graph().channels(), frame.at().state());
    var problem = fold.apply(changes);
    if (problem.isPresent()) {
      throw new TaskFailedException(FoldErrors.of(task.key().node().toString(), problem.get()));
    }
    return fold.state();
  }
}
