package dev.superstep.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.superstep.graph.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One thing that is wrong with the content of a request.
///
/// @param pointer JSON pointer into the body; `?name` names a query parameter, `{name}` a part of
///   the path, `` the whole body
/// @param code stable, snake_case
/// @param message what is wrong and what to do
/// @param line from 1, where the text of a body or an expression has one
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FieldError(
    String pointer, String code, String message, @Nullable Integer line, @Nullable Integer column) {

  public FieldError(String pointer, String code, String message) {
    this(pointer, code, message, null, null);
  }

  public FieldError(String pointer, ErrorCode code, String message) {
    this(pointer, code.code(), message);
  }

  public static FieldError of(Violation violation) {
    return new FieldError(
        violation.pointer(),
        violation.code(),
        violation.message(),
        violation.line() < 1 ? null : violation.line(),
        violation.column() < 1 ? null : violation.column());
  }

  public static List<FieldError> of(List<Violation> violations) {
    return violations.stream().map(FieldError::of).toList();
  }

  /// The pointer of a part of the path.
  public static String pathPart(String name) {
    return "{" + name + "}";
  }

  /// The pointer of a query parameter.
  public static String parameter(String name) {
    return "?" + name;
  }
}
