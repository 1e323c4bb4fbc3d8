package dev.superstep.definition.read;

import dev.superstep.engine.run.TaskError;
import dev.superstep.expression.Template;

/// What one mocked call gives.
public sealed interface MockResult {

  /// @param value over what the node sees
  record GivenResult(Template value) implements MockResult {}

  /// The call fails.
  record Failing(TaskError error) implements MockResult {}
}
