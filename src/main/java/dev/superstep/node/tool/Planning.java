package dev.superstep.node.tool;

import dev.superstep.engine.NodeCall;
import dev.superstep.node.tool.Journal.Question;
import dev.superstep.node.tool.Journal.Result;
import dev.superstep.node.tool.Tool.Execution;
import dev.superstep.node.tool.Toolbox.Match;
import java.util.List;

/// Decides about each call from what is known of it.
record Planning(NodeCall task, Toolbox toolbox, Approval approval, Journal journal) {

  Plan plan(Call call) {
    var decision = journal.decision(Question.APPROVAL, call);
    if (decision.isPresent()) {
      return decided(call, decision.get());
    }
    var result = journal.result(call);
    if (result.isPresent()) {
      return new Plan.Ended(call, result.get());
    }
    return switch (toolbox.match(task, call)) {
      case Match.Mistake(var mistake) -> new Plan.Ended(call, mistake);
      case Match.Found(var tool, _, var policy) when isAsked(call, policy) ->
          new Plan.Ask(call, tool, Question.APPROVAL);
      case Match.Found found -> known(call, found);
    };
  }

  /// What was begun was not asked about, or has been answered: an expression that says otherwise by
  /// now does not matter.
  private boolean isAsked(Call call, ToolPolicy policy) {
    return !journal.isStarted(call) && (policy.asks() || approval.concerns(call, task));
  }

  /// Whether a person decided about any of the calls, or the definition says that one may have to.
  boolean mayAsk(List<Call> calls) {
    return approval.mayAsk()
        || calls.stream().anyMatch(it -> journal.decision(Question.APPROVAL, it).isPresent());
  }

  private Plan decided(Call call, Decision decision) {
    return switch (decision) {
      case Decision.Approve _ -> matched(call);
      case Decision.Edit(var arguments) -> matched(call.edited(arguments));
      case Decision.Reject(var reason) -> new Plan.Ended(call, rejected(reason));
      case Decision.Reply(var message) -> new Plan.Ended(call, new Result(message, false));
    };
  }

  /// What a person approved or edited: the operator's policy applies to it as to any other call.
  private Plan matched(Call call) {
    var result = journal.result(call);
    if (result.isPresent()) {
      return new Plan.Ended(call, result.get());
    }
    return switch (toolbox.match(task, call)) {
      case Match.Mistake(var mistake) -> new Plan.Ended(call, mistake);
      case Match.Found found -> known(call, found);
    };
  }

  private Plan known(Call call, Match.Found found) {
    var tool = found.tool();
    boolean unknown =
        tool.description().execution() == Execution.AT_MOST_ONCE && journal.isStarted(call);
    if (!unknown) {
      return new Plan.Run(call, tool, found.arguments(), found.policy());
    }
    var decision = journal.decision(Question.OUTCOME, call);
    if (decision.isEmpty()) {
      return new Plan.Ask(call, tool, Question.OUTCOME);
    }
    return switch (decision.get()) {
      case Decision.Approve _ -> new Plan.Run(call, tool, found.arguments(), found.policy());
      case Decision.Edit(var arguments) -> matched(call.edited(arguments));
      case Decision.Reject(var reason) -> new Plan.Ended(call, rejected(reason));
      case Decision.Reply(var message) -> new Plan.Ended(call, new Result(message, false));
    };
  }

  private static Result rejected(String reason) {
    return new Result(
        reason.isBlank() ? "A person rejected the call." : "A person rejected the call: " + reason,
        true);
  }
}
