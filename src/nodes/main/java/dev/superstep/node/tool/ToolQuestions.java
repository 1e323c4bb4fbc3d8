package dev.superstep.node.tool;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.InterruptRequest.Expiry;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.expression.Expression;
import dev.superstep.graph.Scope;
import dev.superstep.json.KeptSchemas;
import dev.superstep.node.AnswerDeadline;
import dev.superstep.node.HistoryText;
import dev.superstep.node.QuestionAddressees;
import dev.superstep.node.tool.ToolCallJournal.JournaledQuestion;
import dev.superstep.state.Change;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.Optional;

/// The questions about tool calls, in words: `{title, text, question, tool_call, description}`.
///
/// @param title of a question for approval, over the call as `input`
/// @param text the same
/// @param deadline of a question for approval: the others are about calls that were made
/// @param mayAnswer who may answer them; a policy may be stricter
/// @param addressees whom they are for, over the call as `input`; not those for a token
record ToolQuestions(
    Optional<Expression> title,
    Optional<Expression> text,
    Optional<AnswerDeadline> deadline,
    MayAnswer mayAnswer,
    QuestionAddressees addressees,
    KeptSchemas schemas) {
  static final String APPROVAL = "tool_approval";
  static final String OUTCOME_UNKNOWN = "tool_outcome_unknown";
  static final String CHANGED = "tool_changed";
  static final String REPEATED = "tool_call_repeated";
  static final String TOKEN_REQUIRED = "caller_token_required";
  private static final int SHOWN_MAX = 500;

  /// The question as it is asked.
  ///
  /// @param made the call that another run has made, where the reason is that one
  InterruptRequest of(NodeCall task, ToolCallPlan.Ask ask, Optional<ObjectValue> made) {
    var asked =
        switch (ask.question()) {
          case APPROVAL -> approval(task, ask);
          case CHANGED -> changed(task, ask);
          case OUTCOME -> outcomeUnknown(ask);
          case REPEATED -> repeated(ask, made.orElseThrow());
          case TOKEN -> tokenRequired(ask);
        };
    if (ask.question() == JournaledQuestion.TOKEN) {
      return asked.by(MayAnswer.STARTER_WITH_TOKEN);
    }
    return asked
        .by(mayAnswer.or(ask.policy().mayAnswer()))
        .to(addressees.evaluate(task.with("input", ask.call().json())));
  }

  private InterruptRequest approval(NodeCall task, ToolCallPlan.Ask ask) {
    var words = "May '%s' be called?".formatted(ask.call().name());
    var scope = task.with("input", ask.call().json());
    var asked =
        question(
            APPROVAL,
            ask,
            title.map(it -> HistoryText.of(it.evaluate(scope))).orElse(words),
            text.map(it -> HistoryText.of(it.evaluate(scope))).orElse(words),
            Optional.empty());
    return withDeadline(asked, scope, ask.policy().requiresApproval());
  }

  /// Nobody but a person approves what a server has made of its tool.
  private InterruptRequest changed(NodeCall task, ToolCallPlan.Ask ask) {
    var name = ask.call().name();
    var words =
        """
        '%s' is not what it was when version %d of graph '%s' was posted: its MCP server has \
        changed what it says of it. It says now: %s
        Call it? Posting the graph again accepts the change for all runs of the version.\
        """
            .formatted(
                name,
                task.run().version(),
                Tenant.shown(task.run().graph()),
                shown(ask.tool().description().text()));
    var title = "'%s' has changed. Call it?".formatted(name);
    return withDeadline(
        question(CHANGED, ask, title, words, Optional.empty()),
        task.with("input", ask.call().json()),
        true);
  }

  private InterruptRequest withDeadline(InterruptRequest asked, Scope scope, boolean personal) {
    return new InterruptRequest(
        asked.reason(),
        asked.payload(),
        asked.change(),
        asked.schema(),
        deadline.map(it -> expiry(it.expiry(scope, check(asked)), personal)));
  }

  /// Where a person has to approve, a definition's default cannot: the task fails when nobody
  /// answers.
  private static Expiry expiry(Expiry expiry, boolean personal) {
    return personal
        ? new Expiry(expiry.after(), expiry.defaultAnswer().filter(it -> !calls(it)))
        : expiry;
  }

  private static boolean calls(Value answer) {
    return answer instanceof ObjectValue object && ApprovalDecision.read(object).calls();
  }

  private ValueCheck check(InterruptRequest asked) {
    return asked.schema().map(schemas::compile).orElse(ValueCheck.NONE);
  }

  private static InterruptRequest outcomeUnknown(ToolCallPlan.Ask ask) {
    var words =
        "'%s' may have been called already, and must not be called twice. Call it?"
            .formatted(ask.call().name());
    return question(OUTCOME_UNKNOWN, ask, words, words, Optional.empty());
  }

  /// @param made the call that another run has made
  private static InterruptRequest repeated(ToolCallPlan.Ask ask, ObjectValue made) {
    var name = ask.call().name();
    var returned =
        made.findText("content")
            .map(it ->
                (made.has("is_error") ? "It failed: %s" : "It returned: %s").formatted(shown(it)))
            .orElse("What it returned is not known.");
    var words =
        """
        Run %s called '%s' with the same arguments on %s. %s This run repeats a part of that one, \
        and '%s' must not be called twice unasked. Use that result, call it again, or refuse?\
        """
            .formatted(
                made.textOrEmpty("run_id"), name, made.textOrEmpty("called_at"), returned, name);
    return question(REPEATED, ask, "Call '%s' again?".formatted(name), words, Optional.of(made));
  }

  /// Any answer will do: its token is what counts.
  private static InterruptRequest tokenRequired(ToolCallPlan.Ask ask) {
    var words =
        """
        '%s' is called with the token of who has started the run. It is not here any more, or \
        somebody has edited what is called. If you want this call, answer null with a fresh token \
        in the header Authorization.\
        """
            .formatted(ask.call().name());
    var payload =
        payload(ask, "'%s' needs a token of yours".formatted(ask.call().name()), words)
            .plus("subject", ask.subject().orElse(""));
    return InterruptRequest.of(TOKEN_REQUIRED, payload);
  }

  private static String shown(String text) {
    return text.codePointCount(0, text.length()) <= SHOWN_MAX
        ? text
        : text.substring(0, text.offsetByCodePoints(0, SHOWN_MAX)) + "…";
  }

  private static InterruptRequest question(
      String reason, ToolCallPlan.Ask ask, String title, String words, Optional<ObjectValue> made) {
    var tool = ask.tool().description();
    var payload = payload(ask, title, words);
    var schema =
        made.map(it -> ApprovalDecision.schema(tool, ask.call(), it.has("content")))
            .orElseGet(() -> ApprovalDecision.schema(tool, ask.call()));
    return new InterruptRequest(
        reason,
        made.map(it -> payload.plus("made", it)).orElse(payload),
        Change.NONE,
        Optional.of(schema),
        Optional.empty());
  }

  private static ObjectValue payload(ToolCallPlan.Ask ask, String title, String words) {
    return ObjectValue.of("title", title)
        .plus("text", words)
        .plus("question", words)
        .plus("tool_call", ask.call().json())
        .plus("description", ask.tool().description().text());
  }
}
