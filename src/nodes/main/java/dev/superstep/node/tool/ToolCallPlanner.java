package dev.superstep.node.tool;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.node.tool.Tool.Execution;
import dev.superstep.node.tool.ToolCallJournal.JournaledQuestion;
import dev.superstep.node.tool.ToolCallJournal.JournaledResult;
import dev.superstep.node.tool.Toolbox.Match;
import dev.superstep.secret.CallerTokenCodes;
import dev.superstep.secret.CallerTokens.TokenSearch;
import dev.superstep.state.value.ObjectValue;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Decides the next action for each tool call from its journal.
///
/// @param unmade effects that no other run has made: they are looked up once in an attempt
/// @param tokens by effect: an attempt has one or not, whatever happens meanwhile; empty: none is
///   looked for
record ToolCallPlanner(
    NodeCall task,
    Toolbox toolbox,
    Approval approval,
    ToolCallJournal toolCallJournal,
    CallCounts counts,
    Set<String> unmade,
    Optional<Map<String, TokenSearch>> tokens) {
  /// How often a token is asked for before one call: another replica may go on with the run each
  /// time.
  static final int TOKEN_QUESTIONS_MAX = 8;

  ToolCallPlanner(NodeCall task, Toolbox toolbox, Approval approval, CallCounts counts) {
    this(
        task,
        toolbox,
        approval,
        new ToolCallJournal(task.parts()),
        counts,
        new HashSet<>(),
        Optional.of(new HashMap<>()));
  }

  /// As it stood when a person was asked: an answer to another question is not one about a tool
  /// that has changed since, or about a token that has ended.
  ToolCallPlanner asAsked() {
    return new ToolCallPlanner(
        task,
        toolbox.with(ToolPins.NONE),
        approval,
        toolCallJournal,
        counts,
        unmade,
        Optional.empty());
  }

  ToolCallPlan plan(ToolCall toolCall) throws InterruptedException {
    var planned = planWithoutToken(toolCall);
    return planned instanceof ToolCallPlan.Run run && tokens.isPresent()
        ? withToken(toolCall, run, tokens.get())
        : planned;
  }

  private ToolCallPlan planWithoutToken(ToolCall toolCall) throws InterruptedException {
    var changed = toolCallJournal.decision(JournaledQuestion.CHANGED, toolCall);
    if (changed.isPresent()) {
      return aboutChanged(toolCall, changed.get());
    }
    var decision = toolCallJournal.decision(JournaledQuestion.APPROVAL, toolCall);
    if (decision.isPresent()) {
      return decided(toolCall, decision.get());
    }
    return next(toolCall, EnumSet.of(JournaledQuestion.CHANGED, JournaledQuestion.APPROVAL));
  }

  /// @param open what a person may still be asked before the call
  private ToolCallPlan next(ToolCall toolCall, Set<JournaledQuestion> open)
      throws InterruptedException {
    var result = toolCallJournal.result(toolCall);
    if (result.isPresent()) {
      return new ToolCallPlan.Ended(toolCall, result.get());
    }
    return switch (toolbox.match(task, toolCall)) {
      case Match.Mistake(var mistake) -> new ToolCallPlan.Ended(toolCall, mistake);
      case Match.FoundTool found
          when open.contains(JournaledQuestion.CHANGED) && isChanged(toolCall, found) ->
          ask(toolCall, found, JournaledQuestion.CHANGED);
      case Match.FoundTool found
          when open.contains(JournaledQuestion.APPROVAL) && isAsked(toolCall, found.policy()) ->
          ask(toolCall, found, JournaledQuestion.APPROVAL);
      case Match.FoundTool found -> known(toolCall, found);
    };
  }

  private static ToolCallPlan ask(
      ToolCall toolCall, Match.FoundTool found, JournaledQuestion question) {
    return new ToolCallPlan.Ask(toolCall, found.tool(), question, found.policy());
  }

  /// Whether its server has changed the tool and nobody has been asked: also when a person has
  /// approved the call of what it was before.
  private boolean isChanged(ToolCall toolCall, Match.FoundTool found) throws InterruptedException {
    return !toolCallJournal.isStarted(toolCall)
        && (toolCallJournal.hasAskedAboutChange(toolCall)
            || toolbox.pins().isChanged(task.run(), found.tool().description()));
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
        || toolCalls.stream().anyMatch(it -> toolCallJournal.approval(it).isPresent());
  }

  private ToolCallPlan decided(ToolCall toolCall, ApprovalDecision approvalDecision)
      throws InterruptedException {
    return switch (approvalDecision) {
      case ApprovalDecision.Approve _, ApprovalDecision.UseResult _ -> matched(toolCall);
      case ApprovalDecision.Edit(var arguments) -> matched(toolCall.edited(arguments));
      case ApprovalDecision.Reject(var reason) ->
          new ToolCallPlan.Ended(toolCall, rejected(reason));
      case ApprovalDecision.Reply(var message) ->
          new ToolCallPlan.Ended(toolCall, new JournaledResult(message, false));
    };
  }

  /// Who lets a changed tool be called, with these arguments or others, has seen what it says now.
  private ToolCallPlan aboutChanged(ToolCall toolCall, ApprovalDecision decision)
      throws InterruptedException {
    return switch (decision) {
      case ApprovalDecision.Approve _, ApprovalDecision.UseResult _ -> next(toolCall, Set.of());
      case ApprovalDecision.Edit(var arguments) -> next(toolCall.edited(arguments), Set.of());
      case ApprovalDecision.Reject _, ApprovalDecision.Reply _ -> decided(toolCall, decision);
    };
  }

  /// The call as a person approved or edited it: the operator's policy applies to it as to any
  /// other call.
  private ToolCallPlan matched(ToolCall toolCall) throws InterruptedException {
    var changed = toolCallJournal.decision(JournaledQuestion.CHANGED, toolCall);
    return changed.isPresent()
        ? aboutChanged(toolCall, changed.get())
        : next(toolCall, EnumSet.of(JournaledQuestion.CHANGED));
  }

  /// A call that may be made once only, and has been begun or made by a run whose history this one
  /// repeats, waits for a person.
  private ToolCallPlan known(ToolCall toolCall, Match.FoundTool found) throws InterruptedException {
    var run =
        new ToolCallPlan.Run(
            toolCall, found.tool(), found.arguments(), found.policy(), Optional.empty());
    if (found.tool().description().execution() != Execution.AT_MOST_ONCE
        || toolCallJournal.isAwaiting(toolCall)) {
      return run;
    }
    if (toolCallJournal.isStarted(toolCall)) {
      return question(JournaledQuestion.OUTCOME, run);
    }
    return made(toolCall).isPresent() ? question(JournaledQuestion.REPEATED, run) : run;
  }

  /// A call on behalf of who has started the run waits for that one's token. What others may have
  /// changed is shown to that one first, whose answer is about this very call.
  private ToolCallPlan withToken(
      ToolCall toolCall, ToolCallPlan.Run run, Map<String, TokenSearch> searches)
      throws InterruptedException {
    return switch (token(run, searches)) {
      case TokenSearch.NotNeeded _ -> run;
      case TokenSearch.Available(var token, var subject, var edited) -> {
        boolean asMade = !edited && run.call().effect().equals(toolCall.effect());
        yield asMade || toolCallJournal.isConfirmed(run.call())
            ? run.with(token)
            : askForToken(run, subject);
      }
      case TokenSearch.Required(var subject) -> askForToken(run, subject);
      case TokenSearch.Unusable(var code, var message) -> refused(run, code, message);
    };
  }

  private ToolCallPlan askForToken(ToolCallPlan.Run run, String subject) {
    return toolCallJournal.tokenQuestions(run.call()) < TOKEN_QUESTIONS_MAX
        ? new ToolCallPlan.Ask(
            run.call(), run.tool(), JournaledQuestion.TOKEN, run.policy(), Optional.of(subject))
        : refused(
            run,
            CallerTokenCodes.UNAVAILABLE,
            "it was asked for %d times, and never was where the call was to be made"
                .formatted(TOKEN_QUESTIONS_MAX));
  }

  private static ToolCallPlan refused(ToolCallPlan.Run run, String code, String why) {
    return new ToolCallPlan.Ended(
        run.call(),
        JournaledResult.refused(
            code,
            "'%s' is called with the token of who has started the run: %s."
                .formatted(run.call().name(), why)));
  }

  private TokenSearch token(ToolCallPlan.Run run, Map<String, TokenSearch> searches)
      throws InterruptedException {
    var toolCall = run.call();
    var found = searches.get(toolCall.effect());
    if (found == null) {
      found = run.tool().token(task.run().id());
      searches.put(toolCall.effect(), found);
    }
    return found;
  }

  private ToolCallPlan question(JournaledQuestion question, ToolCallPlan.Run run)
      throws InterruptedException {
    var toolCall = run.call();
    var decision = toolCallJournal.decision(question, toolCall);
    if (decision.isEmpty()) {
      return new ToolCallPlan.Ask(toolCall, run.tool(), question, run.policy());
    }
    return switch (decision.get()) {
      case ApprovalDecision.Approve _ -> run;
      case ApprovalDecision.Edit(var arguments) -> matched(toolCall.edited(arguments));
      case ApprovalDecision.Reject(var reason) ->
          new ToolCallPlan.Ended(toolCall, rejected(reason));
      case ApprovalDecision.Reply(var message) ->
          new ToolCallPlan.Ended(toolCall, new JournaledResult(message, false));
      case ApprovalDecision.UseResult _ ->
          new ToolCallPlan.Ended(toolCall, JournaledResult.read(made(toolCall).orElseThrow()));
    };
  }

  /// What was found stays: the answer may use a result that is erased meanwhile.
  private Optional<ObjectValue> made(ToolCall toolCall) throws InterruptedException {
    var known = toolCallJournal.made(toolCall);
    if (known.isPresent() || !unmade.add(toolCall.effect())) {
      return known;
    }
    var found = counts.madeElsewhere(task.run().id(), toolCall);
    if (found.isPresent()) {
      toolCallJournal.made(toolCall, found.get());
      unmade.remove(toolCall.effect());
    }
    return found;
  }

  private static JournaledResult rejected(String reason) {
    return new JournaledResult(
        reason.isBlank() ? "The call was rejected." : "The call was rejected: " + reason, true);
  }
}
