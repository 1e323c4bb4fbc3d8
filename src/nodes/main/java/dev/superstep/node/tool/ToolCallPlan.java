package dev.superstep.node.tool;

import dev.superstep.node.tool.ToolCallJournal.JournaledResult;
import dev.superstep.state.value.ObjectValue;

/// The next action for one tool call.
sealed interface ToolCallPlan {
  /// The call as the model made it, or as a person changed it.
  ToolCall call();

  /// It has its result.
  record Ended(ToolCall call, JournaledResult result) implements ToolCallPlan {}

  record Run(ToolCall call, Tool tool, ObjectValue arguments, ToolPolicy policy)
      implements ToolCallPlan {}

  /// A person has to decide first.
  ///
  /// @param policy why; where it requires the approval, nothing but a person approves
  record Ask(
      ToolCall call, Tool tool, ToolCallJournal.JournaledQuestion question, ToolPolicy policy)
      implements ToolCallPlan {}
}
