package dev.superstep.run;

import dev.superstep.engine.TaskError;
import dev.superstep.json.Pointer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.Value;
import java.util.List;

/// Turns what the engine says about an input or change into an answer with a pointer.
final class Refusals {
  private Refusals() {}

  /// @param pointer to the input or change in the request
  static ServiceException of(ErrorCode code, String pointer, TaskError error) {
    var place = pointer;
    if (error.details().get("channel") instanceof Value.Text(var channel)) {
      place = Pointer.child(pointer, channel);
    }
    if (error.details().get("pointer") instanceof Value.Text(var inner)) {
      place += inner;
    }
    return new ServiceException(
        code, error.message(), List.of(new FieldError(place, error.code(), error.message())));
  }
}
