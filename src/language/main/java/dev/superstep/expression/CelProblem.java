package dev.superstep.expression;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.exceptions.CelRuntimeException;

/// Thrown by our CEL functions to refuse their arguments.
///
/// Never another kind of exception: for those CEL writes all arguments into the message, and
/// arguments that share structure can be of astronomic size when written.
final class CelProblem {
  private CelProblem() {}

  public static CelRuntimeException of(String message) {
    return new CelInvalidArgumentException(message);
  }

  public static CelRuntimeException wrongType(String function, String expected, Object actual) {
    return of("%s: expected %s, not %s".formatted(function, expected, typeName(actual)));
  }

  public static String typeName(Object value) {
    return switch (value) {
      case Boolean _ -> "a boolean";
      case Long _ -> "an int";
      case Double _ -> "a double";
      case String _ -> "a string";
      case java.util.List<?> _ -> "a list";
      case java.util.Map<?, ?> _ -> "a map";
      case java.util.Optional<?> _ -> "an optional (use orValue)";
      case dev.cel.common.values.NullValue _ -> "null";
      default -> "a value of another type";
    };
  }
}
