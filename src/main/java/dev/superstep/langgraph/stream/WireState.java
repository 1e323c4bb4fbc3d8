package dev.superstep.langgraph.stream;

import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import java.util.List;

/// Writes states and changes of one graph as the clients of this API read them.
public interface WireState {
  ObjectValue state(ObjectValue channels);

  /// What a task has changed: channel → value.
  ObjectValue change(Change change);

  /// The messages that a change adds, as they are stored.
  List<ObjectValue> messages(Change change);

  ObjectValue message(ObjectValue stored);

  /// Of the graph of a run.
  interface Source {
    WireState of(String graph, int version);
  }
}
