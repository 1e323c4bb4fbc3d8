package dev.superstep.langgraph.thread;

import dev.superstep.run.RunSummary;
import dev.superstep.state.value.ObjectValue;

/// How clients of this API know the run that has committed a checkpoint. A resume is a run of its
/// own for them.
public interface RunNaming {
  NamedRun name(RunSummary run, int checkpoint);

  /// @param run id that clients know
  /// @param metadata that they gave it
  record NamedRun(String run, String assistant, ObjectValue metadata) {}
}
