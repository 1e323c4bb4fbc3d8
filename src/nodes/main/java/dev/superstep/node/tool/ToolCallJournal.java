package dev.superstep.node.tool;

import dev.superstep.engine.node.SideEffects;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// Journal of each tool call, stored before the barrier (E10.3): a person's decision, the start of
/// an at-most-once call, and its result.
record ToolCallJournal(SideEffects parts) {
  private static final String STARTED = "started/";
  private static final String COUNTED = "counted/";
  private static final String RESULT = "result/";
  private static final String AWAITS = "awaits/";
  private static final String MADE = "made/";
  private static final String ASKED_BY = "interrupt";
  private static final String ASKS_ABOUT_CHANGE = "asks_about_change/";
  private static final String ASKS = "asks";
  private static final String TOKEN_QUESTIONS = "token_questions/";

  /// The result of a call.
  ///
  /// @param code why the operator's policy refused it; empty: it did not
  record JournaledResult(String content, boolean erred, String code) {

    JournaledResult(String content, boolean erred) {
      this(content, erred, "");
    }

    static JournaledResult refused(String code, String message) {
      return new JournaledResult(message, true, code);
    }

    static JournaledResult read(Value stored) {
      var object = (ObjectValue) stored;
      return new JournaledResult(
          object.textOrEmpty("content"), object.has("is_error"), object.textOrEmpty("code"));
    }

    private ObjectValue stored() {
      var object = ObjectValue.of("content", content);
      object = erred ? object.plus("is_error", Value.TRUE) : object;
      return code.isEmpty() ? object : object.plus("code", code);
    }
  }

  /// Which question about a call it is.
  enum JournaledQuestion {
    APPROVAL("approval/"),
    OUTCOME("outcome/"),
    REPEATED("repeated/"),
    CHANGED("changed/"),
    /// The answer is the token itself, which is nowhere stored.
    TOKEN("token/");

    private final String prefix;

    JournaledQuestion(String prefix) {
      this.prefix = prefix;
    }
  }

  Optional<ApprovalDecision> decision(JournaledQuestion question, ToolCall toolCall) {
    return stored(question, toolCall).map(ApprovalDecision::read);
  }

  /// What people have decided before the call: about a tool that has changed, who approves it
  /// leaves the call to whoever approves that.
  Optional<ApprovalDecision> approval(ToolCall toolCall) {
    var changed = decision(JournaledQuestion.CHANGED, toolCall);
    return changed
        .filter(it -> !(it instanceof ApprovalDecision.Approve))
        .or(() -> decision(JournaledQuestion.APPROVAL, toolCall))
        .or(() -> changed);
  }

  /// Whether this question about the call was answered by the answer to that interrupt.
  boolean isAnsweredBy(String interrupt, JournaledQuestion question, ToolCall toolCall) {
    return stored(question, toolCall)
        .filter(it -> Value.of(interrupt).equals(it.get(ASKED_BY)))
        .isPresent();
  }

  private Optional<ObjectValue> stored(JournaledQuestion question, ToolCall toolCall) {
    return parts.find(question.prefix + toolCall.effect()).map(ObjectValue.class::cast);
  }

  void decided(JournaledQuestion question, ToolCall toolCall, String interrupt, ObjectValue answer)
      throws InterruptedException {
    parts.record(question.prefix + toolCall.effect(), answer.plus(ASKED_BY, interrupt));
  }

  /// Whether a person is or was asked about the call because its tool has changed.
  boolean hasAskedAboutChange(ToolCall toolCall) {
    return parts.find(ASKS_ABOUT_CHANGE + toolCall.effect()).isPresent();
  }

  void asksAboutChange(ToolCall toolCall) throws InterruptedException {
    if (!hasAskedAboutChange(toolCall)) {
      parts.record(ASKS_ABOUT_CHANGE + toolCall.effect(), Value.TRUE);
    }
  }

  /// Keeps which call a question shows: its answer is about that one, whatever becomes of the
  /// state.
  void asks(JournaledQuestion question, ToolCall toolCall) throws InterruptedException {
    if (parts.find(ASKS).filter(questionName(question, toolCall)::equals).isEmpty()) {
      parts.record(ASKS, questionName(question, toolCall));
    }
  }

  /// Whether this is what was asked last. A release before did not keep it.
  boolean isAsked(JournaledQuestion question, ToolCall toolCall) {
    return parts.find(ASKS).map(questionName(question, toolCall)::equals).orElse(true);
  }

  /// Takes in that who has started the run has answered, with a token, what was asked last.
  ///
  /// @return whether a token was asked for
  boolean confirmed(String interrupt) throws InterruptedException {
    if (parts.find(ASKS).orElse(Value.NULL) instanceof Value.Text(var asked)
        && asked.startsWith(JournaledQuestion.TOKEN.prefix)) {
      if (parts.find(asked).isEmpty()) {
        parts.record(asked, ObjectValue.of(ASKED_BY, interrupt));
      }
      return true;
    }
    return false;
  }

  /// Whether who has started the run was shown this very call, and sent a token for it.
  boolean isConfirmed(ToolCall toolCall) {
    return stored(JournaledQuestion.TOKEN, toolCall).isPresent();
  }

  /// How often who has started the run was asked for a token.
  long tokenQuestions(ToolCall toolCall) {
    return parts.find(TOKEN_QUESTIONS + toolCall.effect()).orElse(Value.of(0))
            instanceof Value.Int(var times)
        ? times
        : 0;
  }

  void tokenQuestions(ToolCall toolCall, long times) throws InterruptedException {
    parts.record(TOKEN_QUESTIONS + toolCall.effect(), Value.of(times));
  }

  private static Value questionName(JournaledQuestion question, ToolCall toolCall) {
    return Value.of(question.prefix + toolCall.effect());
  }

  boolean isStarted(ToolCall toolCall) {
    return parts.find(STARTED + toolCall.effect()).isPresent();
  }

  void started(ToolCall toolCall) throws InterruptedException {
    parts.record(STARTED + toolCall.effect(), Value.TRUE);
  }

  /// Whether its tool has replied, and its result comes from outside (E51).
  boolean isAwaiting(ToolCall toolCall) {
    return parts.find(AWAITS + toolCall.effect()).isPresent();
  }

  void awaits(ToolCall toolCall) throws InterruptedException {
    parts.record(AWAITS + toolCall.effect(), Value.TRUE);
  }

  /// Whether it has been counted among the calls of its run.
  boolean isCounted(ToolCall toolCall) {
    return parts.find(COUNTED + toolCall.effect()).isPresent();
  }

  void counted(ToolCall toolCall) throws InterruptedException {
    parts.record(COUNTED + toolCall.effect(), Value.TRUE);
  }

  /// The same call as another run has made it, if a person is or was asked about that.
  Optional<ObjectValue> made(ToolCall toolCall) {
    return parts.find(MADE + toolCall.effect()).map(ObjectValue.class::cast);
  }

  void made(ToolCall toolCall, ObjectValue made) throws InterruptedException {
    parts.record(MADE + toolCall.effect(), made);
  }

  Optional<JournaledResult> result(ToolCall toolCall) {
    return parts.find(RESULT + toolCall.effect()).map(JournaledResult::read);
  }

  void ended(ToolCall toolCall, JournaledResult result) throws InterruptedException {
    parts.record(RESULT + toolCall.effect(), result.stored());
  }

  String idempotencyKey(ToolCall toolCall) {
    return parts.idempotencyKey(toolCall.effect());
  }
}
