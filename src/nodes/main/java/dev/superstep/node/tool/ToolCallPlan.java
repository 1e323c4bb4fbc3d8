package dev.superstep.node.tool;

import dev.superstep.node.tool.ToolCallJournal.JournaledResult;
import dev.superstep.secret.CallerTokens.CallerToken;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// The next action for one tool call.
sealed interface ToolCallPlan {
  /// The call as the model made it, or as a person changed it.
  ToolCall call();

  /// It has its result.
  record Ended(ToolCall call, JournaledResult result) implements ToolCallPlan {}

  /// @param token of who has started the run, if the tool needs it
  record Run(
      ToolCall call,
      Tool tool,
      ObjectValue arguments,
      ToolPolicy policy,
      Optional<CallerToken> token)
      implements ToolCallPlan {
    Run with(CallerToken held) {
      return new Run(call, tool, arguments, policy, Optional.of(held));
    }
  }

  /// A person has to decide first.
  ///
  /// @param policy why; where it requires the approval, nothing but a person approves
  /// @param subject whose token is asked for; empty: another question
  record Ask(
      ToolCall call,
      Tool tool,
      ToolCallJournal.JournaledQuestion question,
      ToolPolicy policy,
      Optional<String> subject)
      implements ToolCallPlan {
    Ask(ToolCall call, Tool tool, ToolCallJournal.JournaledQuestion question, ToolPolicy policy) {
      this(call, tool, question, policy, Optional.empty());
    }
  }
}
