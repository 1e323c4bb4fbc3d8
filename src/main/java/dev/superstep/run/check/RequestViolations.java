package dev.superstep.run.check;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import java.util.ArrayList;
import java.util.List;

/// Collects everything that is wrong with a request, so that one error can report it.
public final class RequestViolations {
  private final List<FieldError> errors = new ArrayList<>();

  void add(FieldError error) {
    errors.add(error);
  }

  public void add(String pointer, ErrorCode code, String message) {
    errors.add(new FieldError(pointer, code, message));
  }

  /// @throws ServiceException with all of them: the code of the only kind, else `invalid_request`
  public void throwIfAny() {
    if (errors.isEmpty()) {
      return;
    }
    var first = errors.getFirst();
    var same = errors.stream().allMatch(it -> it.code().equals(first.code()));
    var code = same ? codeOf(first) : ErrorCode.INVALID_REQUEST;
    var detail =
        errors.size() == 1
            ? first.pointer() + ": " + first.message()
            : "%d things are wrong with the request; errors lists them".formatted(errors.size());
    throw new ServiceException(code, detail, errors);
  }

  private static ErrorCode codeOf(FieldError error) {
    for (var code : ErrorCode.values()) {
      if (code.code().equals(error.code())) {
        return code;
      }
    }
    return ErrorCode.INVALID_REQUEST;
  }
}
