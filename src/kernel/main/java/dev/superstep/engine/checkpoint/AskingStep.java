package dev.superstep.engine.checkpoint;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// The step in which a task has asked last. It is kept with the side effects of the task: the
/// answer to a step does not begin the steps of the task anew, as all else does that makes its
/// generation grow.
///
/// @param ordinal of the step
/// @param generation of the steps: an answer is one to a question of its own generation
public record AskingStep(int ordinal, String name, int generation) {
  /// Reserved: no node records a side effect of that name.
  private static final String PART = "__steps";

  private static final String ANSWERED = "answered";
  private static final String ANSWER = "answer";
  private static final String ANSWERS = "answers";
  private static final String ASKED = "asked";
  private static final String ORDINAL = "ordinal";
  private static final String NAME = "name";
  private static final String GENERATION = "generation";

  /// The task has asked a question.
  ///
  /// @param step empty: not in a step
  public static ObjectValue asking(ObjectValue parts, Optional<AskingStep> step) {
    var kept = parts.objectOrEmpty(PART);
    if (step.isPresent()) {
      var asked =
          ObjectValue.of(ORDINAL, step.get().ordinal())
              .plus(NAME, Value.of(step.get().name()))
              .plus(GENERATION, step.get().generation());
      return parts.plus(PART, kept.plus(ASKED, asked));
    }
    return kept.has(ASKED) ? parts.plus(PART, kept.minus(ASKED)) : parts;
  }

  /// The payload of a task for workers, with the step in which the worker before has asked and its
  /// answer.
  public static ObjectValue answeredIn(ObjectValue payload, StepRecord step) {
    return step.end().orElse(null) instanceof StepRecord.StepEnd.StepResult(var answer)
        ? payload.plus(
            ANSWERED,
            ObjectValue.of(ORDINAL, step.ordinal())
                .plus(NAME, Value.of(step.name()))
                .plus(ANSWER, answer))
        : payload;
  }

  /// What [#answeredIn(ObjectValue, StepRecord)] has put there.
  public static Optional<StepRecord> answeredIn(ObjectValue payload) {
    var step = payload.objectOrEmpty(ANSWERED);
    return step.get(ORDINAL) instanceof Value.Int(var ordinal)
        ? Optional.of(
            new StepRecord(
                Math.toIntExact(ordinal),
                step.textOrEmpty(NAME),
                StepRecord.StepKind.ASK,
                Optional.of(new StepRecord.StepEnd.StepResult(step.getOr(ANSWER, Value.NULL)))))
        : Optional.empty();
  }

  /// What the task has asked last is answered.
  public static ObjectValue answered(ObjectValue parts) {
    return in(parts).isPresent()
        ? parts.plus(PART, parts.objectOrEmpty(PART).plus(ANSWERS, answersIn(parts) + 1))
        : parts;
  }

  /// How many of the answers to the task were answers to its steps.
  public static int answersIn(ObjectValue parts) {
    return parts.objectOrEmpty(PART).get(ANSWERS) instanceof Value.Int(var number)
        ? Math.toIntExact(number)
        : 0;
  }

  /// The step in which the task has asked last; empty: it has asked otherwise, or not.
  public static Optional<AskingStep> in(ObjectValue parts) {
    var asked = parts.objectOrEmpty(PART).objectOrEmpty(ASKED);
    return asked.get(ORDINAL) instanceof Value.Int(var ordinal)
            && asked.get(GENERATION) instanceof Value.Int(var generation)
        ? Optional.of(
            new AskingStep(
                Math.toIntExact(ordinal), asked.textOrEmpty(NAME), Math.toIntExact(generation)))
        : Optional.empty();
  }
}
