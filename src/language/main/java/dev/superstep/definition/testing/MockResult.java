package dev.superstep.definition.testing;

import dev.superstep.engine.task.TaskError;
import dev.superstep.expression.compile.Template;

/// What one mocked call gives.
public sealed interface MockResult {

  /// @param value over what the node sees
  record Given(Template value) implements MockResult {}

  /// The call fails.
  record Failing(TaskError error) implements MockResult {}
}
