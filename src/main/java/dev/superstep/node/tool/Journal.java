package dev.superstep.node.tool;

import dev.superstep.engine.Parts;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.Optional;

/// What is known of each call, on disk before the barrier (E10.3): what a person decided, that an
/// at-most-once call has begun, and what came of it.
record Journal(Parts parts) {
  private static final String STARTED = "started/";
  private static final String COUNTED = "counted/";
  private static final String RESULT = "result/";
  private static final String ASKED_BY = "interrupt";

  /// What came of a call.
  ///
  /// @param code why the operator's policy did not let it be made; empty: it did
  record Result(String content, boolean erred, String code) {

    Result(String content, boolean erred) {
      this(content, erred, "");
    }

    static Result refused(String code, String message) {
      return new Result(message, true, code);
    }

    private static Result read(Value stored) {
      var object = (ObjectValue) stored;
      return new Result(text(object, "content"), object.has("is_error"), text(object, "code"));
    }

    private static String text(ObjectValue object, String key) {
      return object.get(key) instanceof Value.Text(var text) ? text : "";
    }

    private ObjectValue stored() {
      var object = ObjectValue.of("content", Value.of(content));
      object = erred ? object.plus("is_error", Value.TRUE) : object;
      return code.isEmpty() ? object : object.plus("code", Value.of(code));
    }
  }

  /// Which question about a call it is.
  enum Question {
    APPROVAL("approval/"),
    OUTCOME("outcome/");

    private final String prefix;

    Question(String prefix) {
      this.prefix = prefix;
    }
  }

  Optional<Decision> decision(Question question, Call call) {
    return stored(question, call).map(Decision::read);
  }

  /// Whether this question about the call was answered by the answer to that interrupt.
  boolean isAnsweredBy(String interrupt, Question question, Call call) {
    return stored(question, call)
        .filter(it -> Value.of(interrupt).equals(it.get(ASKED_BY)))
        .isPresent();
  }

  private Optional<ObjectValue> stored(Question question, Call call) {
    return parts.find(question.prefix + call.effect()).map(ObjectValue.class::cast);
  }

  void decided(Question question, Call call, String interrupt, ObjectValue answer)
      throws InterruptedException {
    parts.keep(question.prefix + call.effect(), answer.plus(ASKED_BY, Value.of(interrupt)));
  }

  boolean isStarted(Call call) {
    return parts.find(STARTED + call.effect()).isPresent();
  }

  void started(Call call) throws InterruptedException {
    parts.keep(STARTED + call.effect(), Value.TRUE);
  }

  /// Whether it has been counted among the calls of its run.
  boolean isCounted(Call call) {
    return parts.find(COUNTED + call.effect()).isPresent();
  }

  void counted(Call call) throws InterruptedException {
    parts.keep(COUNTED + call.effect(), Value.TRUE);
  }

  Optional<Result> result(Call call) {
    return parts.find(RESULT + call.effect()).map(Result::read);
  }

  void ended(Call call, Result result) throws InterruptedException {
    parts.keep(RESULT + call.effect(), result.stored());
  }

  String idempotencyKey(Call call) {
    return parts.idempotencyKey(call.effect());
  }
}
