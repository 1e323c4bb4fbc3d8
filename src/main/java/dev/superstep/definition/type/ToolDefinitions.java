package dev.superstep.definition.type;

import dev.superstep.definition.DefinitionProblem;
import dev.superstep.state.value.ObjectValue;
import java.util.List;

/// Checks the `tools` that graphs declare.
@FunctionalInterface
public interface ToolDefinitions {

  /// Errors beyond the schema; pointers begin at `tools`. No effects.
  List<DefinitionProblem> check(ObjectValue tools);
}
