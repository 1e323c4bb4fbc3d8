package dev.superstep.problem;

import dev.superstep.graph.Violations;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// A failure that the client can act on.
public final class ServiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Set<ErrorCode> COSTS =
      EnumSet.of(ErrorCode.OVERLOADED, ErrorCode.QUOTA_EXCEEDED, ErrorCode.LIMIT_EXCEEDED);

  private final ErrorCode code;
  private final transient List<FieldError> errors;
  private final transient Map<String, Object> members;

  /// @param detail what happened and what to do, for people
  public ServiceException(ErrorCode code, String detail) {
    this(code, detail, List.of());
  }

  public ServiceException(ErrorCode code, String detail, List<FieldError> errors) {
    this(code, detail, errors, Map.of());
  }

  /// @param members more members of the problem document, plain JSON data
  public ServiceException(
      ErrorCode code, String detail, List<FieldError> errors, Map<String, Object> members) {
    super(detail);
    this.code = code;
    this.errors = List.copyOf(errors);
    this.members = Map.copyOf(members);
  }

  /// One wrong field: its code is that of the whole answer.
  public static ServiceException at(String pointer, ErrorCode code, String message) {
    var where = pointer.isEmpty() ? "the body" : pointer;
    return new ServiceException(
        code, where + ": " + message, List.of(new FieldError(pointer, code, message)));
  }

  /// @throws ServiceException with everything that is wrong with a request, if anything is: the
  ///   code of the only kind, else `invalid_request`
  public static void throwIfAny(Violations violations) {
    var errors = FieldError.of(violations.errors());
    if (errors.isEmpty()) {
      return;
    }
    var first = errors.getFirst();
    var same = errors.stream().allMatch(it -> it.code().equals(first.code()));
    var code = same ? ErrorCode.find(first.code()) : Optional.<ErrorCode>empty();
    var detail =
        errors.size() == 1
            ? first.pointer() + ": " + first.message()
            : "%d things are wrong with the request; errors lists them".formatted(errors.size());
    throw new ServiceException(code.orElse(ErrorCode.INVALID_REQUEST), detail, errors);
  }

  /// The same failure in other words.
  public ServiceException said(UnaryOperator<String> words) {
    if (words.apply(detail()).equals(detail())
        && errors.stream().allMatch(it -> words.apply(it.message()).equals(it.message()))) {
      return this;
    }
    var said =
        new ServiceException(
            code,
            words.apply(detail()),
            errors.stream()
                .map(it -> new FieldError(it.pointer(), it.code(), words.apply(it.message())))
                .toList(),
            members);
    said.initCause(this);
    return said;
  }

  public ErrorCode code() {
    return code;
  }

  /// Whether what was asked for costs more than may be spent on it, now or ever: it is not said
  /// that anything is wrong with what is stored.
  public boolean isOverCost() {
    return COSTS.contains(code);
  }

  public String detail() {
    return String.valueOf(getMessage());
  }

  public List<FieldError> errors() {
    return errors;
  }

  public Map<String, Object> members() {
    return members;
  }
}
