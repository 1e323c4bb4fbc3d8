package dev.superstep.run;

import dev.superstep.state.value.ObjectValue;
import java.util.List;

/// The committed state at a checkpoint.
///
/// @param pendingResults tasks of the superstep that is held, not part of the state
public record StateView(
    int checkpoint,
    int superstep,
    ObjectValue state,
    String stateHash,
    List<TaskView> pendingResults) {
  public StateView {
    pendingResults = List.copyOf(pendingResults);
  }
}
