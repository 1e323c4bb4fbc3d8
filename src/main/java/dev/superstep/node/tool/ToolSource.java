package dev.superstep.node.tool;

import java.util.List;

/// Provides tools to the server.
public interface ToolSource {

  /// What there is now; a source that cannot be reached has nothing new to say.
  List<Tool> tools();
}
