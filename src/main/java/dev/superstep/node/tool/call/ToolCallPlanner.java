package dev.superstep.node.tool.call;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.node.tool.Tool.Execution;
import dev.superstep.node.tool.ToolCall;
import dev.superstep.node.tool.ToolPolicy;
import dev.superstep.node.tool.call.ToolCallJournal.Question;
import dev.superstep.node.tool.call.ToolCallJournal.Result;
import dev.superstep.node.tool.call.Toolbox.Match;
import java.util.List;

/// Decides the next action for each tool call from its journal.
record ToolCallPlanner(
    NodeCall task, Toolbox toolbox, Approval approval, ToolCallJournal toolCallJournal) {

  ToolCallPlan plan(ToolCall toolCall) {
    var decision = toolCallJournal.decision(Question.APPROVAL, toolCall);
    if (decision.isPresent()) {
      return decided(toolCall, decision.get());
    }
    var result = toolCallJournal.result(toolCall);
    if (result.isPresent()) {
      return new ToolCallPlan.Ended(toolCall, result.get());
    }
    return switch (toolbox.match(task, toolCall)) {
      case Match.Mistake(var mistake) -> new ToolCallPlan.Ended(toolCall, mistake);
      case Match.Found(var tool, _, var policy) when isAsked(toolCall, policy) ->
          new ToolCallPlan.Ask(toolCall, tool, Question.APPROVAL);
      case Match.Found found -> known(toolCall, found);
    };
  }

  /// What was begun was not asked about, or has been answered: an expression that decides otherwise
  /// by now does not matter.
  private boolean isAsked(ToolCall toolCall, ToolPolicy policy) {
    return !toolCallJournal.isStarted(toolCall)
        && (policy.requiresApproval() || approval.concerns(toolCall, task));
  }

  /// Whether a person decided about any of the calls, or may have to by the definition.
  boolean mayAsk(List<ToolCall> toolCalls) {
    return approval.mayAsk()
        || toolCalls.stream()
            .anyMatch(it -> toolCallJournal.decision(Question.APPROVAL, it).isPresent());
  }

  private ToolCallPlan decided(ToolCall toolCall, ApprovalDecision approvalDecision) {
    return switch (approvalDecision) {
      case ApprovalDecision.Approve _ -> matched(toolCall);
      case ApprovalDecision.Edit(var arguments) -> matched(toolCall.edited(arguments));
      case ApprovalDecision.Reject(var reason) ->
          new ToolCallPlan.Ended(toolCall, rejected(reason));
      case ApprovalDecision.Reply(var message) ->
          new ToolCallPlan.Ended(toolCall, new Result(message, false));
    };
  }

  /// The call as a person approved or edited it: the operator's policy applies to it as to any
  /// other call.
  private ToolCallPlan matched(ToolCall toolCall) {
    var result = toolCallJournal.result(toolCall);
    if (result.isPresent()) {
      return new ToolCallPlan.Ended(toolCall, result.get());
    }
    return switch (toolbox.match(task, toolCall)) {
      case Match.Mistake(var mistake) -> new ToolCallPlan.Ended(toolCall, mistake);
      case Match.Found found -> known(toolCall, found);
    };
  }

  private ToolCallPlan known(ToolCall toolCall, Match.Found found) {
    var tool = found.tool();
    boolean unknown =
        tool.description().execution() == Execution.AT_MOST_ONCE
            && toolCallJournal.isStarted(toolCall);
    if (!unknown) {
      return new ToolCallPlan.Run(toolCall, tool, found.arguments(), found.policy());
    }
    var decision = toolCallJournal.decision(Question.OUTCOME, toolCall);
    if (decision.isEmpty()) {
      return new ToolCallPlan.Ask(toolCall, tool, Question.OUTCOME);
    }
    return switch (decision.get()) {
      case ApprovalDecision.Approve _ ->
          new ToolCallPlan.Run(toolCall, tool, found.arguments(), found.policy());
      case ApprovalDecision.Edit(var arguments) -> matched(toolCall.edited(arguments));
      case ApprovalDecision.Reject(var reason) ->
          new ToolCallPlan.Ended(toolCall, rejected(reason));
      case ApprovalDecision.Reply(var message) ->
          new ToolCallPlan.Ended(toolCall, new Result(message, false));
    };
  }

  private static Result rejected(String reason) {
    return new Result(
        reason.isBlank() ? "A person rejected the call." : "A person rejected the call: " + reason,
        true);
  }
}
