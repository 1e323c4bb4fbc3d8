package dev.superstep.engine;

import dev.superstep.engine.TaskRecord.Ending;
import dev.superstep.state.ObjectValue;
import java.util.Optional;

/// What goes with a task from one attempt to the next.
final class Remains {
  private Remains() {}

  /// Parts are for the attempts that follow.
  static ObjectValue parts(Ending ending, ObjectValue parts) {
    return switch (ending) {
      case Ending.Done _, Ending.Rejected _, Ending.Handled _ -> ObjectValue.empty();
      case Ending.Failed _, Ending.Waiting _, Ending.Child _, Ending.Interrupted _, Ending.Open _ ->
          parts;
    };
  }

  /// The answer goes with the task until an attempt that saw it is done, or asks again (E36).
  static Optional<Resume> answer(Ending ending, Optional<Resume> resume) {
    return switch (ending) {
      case Ending.Failed _, Ending.Waiting _, Ending.Child _, Ending.Open _ -> resume;
      case Ending.Done _, Ending.Interrupted _, Ending.Rejected _, Ending.Handled _ ->
          Optional.empty();
    };
  }

  /// How a task stands whose attempt was cut off. One that had slept has slept still: the next
  /// attempt must hear of it.
  ///
  /// @param before how it stood when the attempt began
  static Ending cutOff(Optional<Ending> before) {
    return before
        .filter(it -> it instanceof Ending.Waiting waiting && waiting.why() == TaskRecord.Why.SLEEP)
        .orElseGet(Ending.Open::new);
  }
}
