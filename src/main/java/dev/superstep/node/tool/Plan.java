package dev.superstep.node.tool;

import dev.superstep.node.tool.Journal.Result;
import dev.superstep.state.ObjectValue;

/// What is to become of one call.
sealed interface Plan {
  /// The call as the model made it, or as a person changed it.
  Call call();

  /// It has its result.
  record Ended(Call call, Result result) implements Plan {}

  record Run(Call call, Tool tool, ObjectValue arguments, ToolPolicy policy) implements Plan {}

  /// A person has to say something first.
  record Ask(Call call, Tool tool, Journal.Question question) implements Plan {}
}
