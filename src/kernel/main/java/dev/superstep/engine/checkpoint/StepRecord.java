package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// A step of a task as it is recorded (E53).
///
/// @param ordinal its place among the steps of the task, from 0
/// @param end empty: it is one that may be made once only, and has begun
public record StepRecord(int ordinal, String name, StepKind kind, Optional<StepEnd> end) {

  public enum StepKind {
    RUN,
    /// May be made once only: that it begins is recorded, too.
    ONCE,
    /// Its result is the time until which it sleeps.
    SLEEP,
    /// Its result is the answer of a person.
    ASK,
    /// A call on the thread of the node, known by its name wherever it comes.
    CALL,
    /// Such a call beside that thread.
    SIDE,
    /// Such a call within another one: with the record of that one it is not made again.
    INNER;

    /// Whether it is known by its name, and not by its place.
    public boolean isNamed() {
      return this == CALL || this == SIDE || this == INNER;
    }

    /// Whether code that begins this one has its result from a record of the other.
    boolean agreesWith(StepKind recorded) {
      return this == recorded || (isPlaced() && recorded.isPlaced());
    }

    private boolean isPlaced() {
      return this == RUN || this == ONCE;
    }
  }

  /// How a step ended.
  public sealed interface StepEnd {
    record StepResult(Value result) implements StepEnd {}

    record StepFailure(TaskError error) implements StepEnd {

      /// Of a call that is not made again, so that its failure stays.
      public StepFailure forGood() {
        return new StepFailure(
            new TaskError(
                error.code(), error.message(), Retryable.NO, Optional.empty(), error.details()));
      }
    }
  }

  /// The same, if it has failed for good.
  public StepRecord forGood() {
    return new StepRecord(
        ordinal, name, kind, end.map(it -> it instanceof StepEnd.StepFailure f ? f.forGood() : it));
  }

  /// Whether it is the record of a step that code begins at this place.
  public boolean isOf(String begun, StepKind as) {
    return name.equals(begun) && as.agreesWith(kind);
  }
}
