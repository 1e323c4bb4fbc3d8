package dev.superstep.node.tool;

import java.util.List;

/// Provides tools to the server.
public interface ToolSource {

  /// The current tools; an unreachable source returns its last known ones.
  List<Tool> tools();

  /// Begins to fetch the current tools, if those that are known are old. Does not wait for them.
  default void refresh() {}

  /// Whether there are no others; not known where a definition is read away from its server.
  default boolean isComplete() {
    return true;
  }
}
