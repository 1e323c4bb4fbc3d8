package dev.superstep.engine.run;

import dev.superstep.state.value.Value;

/// How a task of a worker ended (E52).
public sealed interface WorkerEnd {

  /// @param result as the worker gave it: nobody has checked it
  record Returned(Value result) implements WorkerEnd {}

  /// It asks within its code, and goes on with the answer (E53).
  ///
  /// @param ordinal of the step in which it does
  /// @param question as the worker gave it: nobody has checked it
  record StepQuestion(int ordinal, String name, Value question) implements WorkerEnd {}

  /// The worker says so, or it was not heard of in time.
  record Failed(TaskError error) implements WorkerEnd {}
}
