package dev.superstep.definition;

import dev.superstep.state.ObjectValue;
import java.util.List;

/// Checks the `tools` that graphs declare.
@FunctionalInterface
public interface ToolDefinitions {

  /// What is wrong beyond the form; pointers begin at `tools`. No effects.
  List<Problem> check(ObjectValue tools);
}
