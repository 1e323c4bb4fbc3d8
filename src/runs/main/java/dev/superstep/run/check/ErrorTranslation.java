package dev.superstep.run.check;

import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.Pointer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Translates an engine error about an input or change into an API error with a pointer.
public final class ErrorTranslation {
  private ErrorTranslation() {}

  /// An error of the input or change as a whole, whose members are the channels.
  ///
  /// @param pointer to it in the request
  public static ServiceException of(ErrorCode code, String pointer, TaskError error) {
    var channel = text(error, "channel");
    var place = channel == null ? pointer : Pointer.child(pointer, channel);
    return at(code, place, error);
  }

  /// An error of a change that cannot be folded: the pointer is into the first part that names the
  /// channel, in the order in which the parts are folded (E4).
  public static ServiceException ofChange(Change change, TaskError error) {
    if (error.code().equals("invalid_context")) {
      return at(ErrorCode.INVALID_VALUE, "/context", error);
    }
    return at(ErrorCode.INVALID_CHANGE, "/change" + part(change, error), error);
  }

  private static String part(Change change, TaskError error) {
    var channel = text(error, "channel");
    if (channel == null) {
      return error.code().equals("reducer_failed") ? "/remove_messages" : "";
    }
    int removed = change.remove().indexOf(channel);
    if (removed >= 0) {
      return "/remove/" + removed;
    }
    return Pointer.child(change.overwrite().has(channel) ? "/overwrite" : "/update", channel);
  }

  private static ServiceException at(ErrorCode code, String place, TaskError error) {
    var inner = text(error, "pointer");
    return new ServiceException(
        code,
        error.message(),
        List.of(
            new FieldError(inner == null ? place : place + inner, error.code(), error.message())));
  }

  private static @Nullable String text(TaskError error, String key) {
    return error.details().get(key) instanceof Value.Text(var text) ? text : null;
  }
}
