package dev.superstep.node.tool;

import dev.superstep.engine.NodeCall;
import dev.superstep.node.tool.Journal.Question;
import dev.superstep.node.tool.Journal.Result;
import dev.superstep.node.tool.Tool.Execution;
import dev.superstep.node.tool.Toolbox.Match;

/// Decides about each call from what is known of it.
record Planning(NodeCall task, Toolbox toolbox, Approval approval, Journal journal) {

  Plan plan(Call call) {
    var decision = journal.decision(Question.APPROVAL, call);
    if (decision.isPresent()) {
      return decided(call, decision.get());
    }
    return switch (toolbox.match(task, call)) {
      case Match.Mistake(var message) -> new Plan.Ended(call, new Result(message, true));
      case Match.Found(var tool, _) when isAsked(call) ->
          new Plan.Ask(call, tool, Question.APPROVAL);
      case Match.Found found -> known(call, found);
    };
  }

  /// What has a result was not asked about, or has been answered: an expression that says otherwise
  /// by now does not matter.
  private boolean isAsked(Call call) {
    return journal.result(call).isEmpty()
        && !journal.isStarted(call)
        && approval.concerns(call, task);
  }

  private Plan decided(Call call, Decision decision) {
    return switch (decision) {
      case Decision.Approve _ -> matched(call);
      case Decision.Edit(var arguments) -> matched(call.edited(arguments));
      case Decision.Reject(var reason) -> new Plan.Ended(call, rejected(reason));
      case Decision.Reply(var message) -> new Plan.Ended(call, new Result(message, false));
    };
  }

  private Plan matched(Call call) {
    return switch (toolbox.match(task, call)) {
      case Match.Mistake(var message) -> new Plan.Ended(call, new Result(message, true));
      case Match.Found found -> known(call, found);
    };
  }

  private Plan known(Call call, Match.Found found) {
    var result = journal.result(call);
    if (result.isPresent()) {
      return new Plan.Ended(call, result.get());
    }
    var tool = found.tool();
    boolean unknown =
        tool.description().execution() == Execution.AT_MOST_ONCE && journal.isStarted(call);
    if (!unknown) {
      return new Plan.Run(call, tool, found.arguments());
    }
    var decision = journal.decision(Question.OUTCOME, call);
    if (decision.isEmpty()) {
      return new Plan.Ask(call, tool, Question.OUTCOME);
    }
    return switch (decision.get()) {
      case Decision.Approve _ -> new Plan.Run(call, tool, found.arguments());
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
