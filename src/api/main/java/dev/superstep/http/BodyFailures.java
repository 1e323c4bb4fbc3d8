package dev.superstep.http;

import dev.superstep.graph.Pointer;
import dev.superstep.graph.Violation;
import dev.superstep.json.JsonException;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.PropertyBindingException;
import tools.jackson.databind.exc.ValueInstantiationException;

/// Describes what is wrong with a request body, and where.
final class BodyFailures {
  private BodyFailures() {}

  static ServiceException translate(HttpMessageNotReadableException failure) {
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof ServiceException known) {
        return known;
      }
    }
    return failure.getCause() instanceof JacksonException jackson
        ? translate(jackson)
        : new ServiceException(
            ErrorCode.UNREADABLE_BODY, "the body is missing or cannot be read; send a JSON object");
  }

  static ServiceException translate(JacksonException failure) {
    var pointer = pointer(failure.getPath());
    return switch (failure) {
      case JsonException text -> translate(text.problems());
      case PropertyBindingException unknown ->
          ServiceException.at(
              pointer,
              ErrorCode.UNKNOWN_FIELD,
              "there is no field '%s' here%s"
                  .formatted(unknown.getPropertyName(), known(unknown.getKnownPropertyIds())));
      case ValueInstantiationException refused
          when refused.getCause() instanceof IllegalArgumentException reason ->
          ServiceException.at(
              pointer, ErrorCode.INVALID_VALUE, String.valueOf(reason.getMessage()));
      case MismatchedInputException mismatch ->
          ServiceException.at(pointer, ErrorCode.WRONG_TYPE, expected(mismatch.getTargetType()));
      case InputCoercionException _ ->
          ServiceException.at(
              pointer, ErrorCode.WRONG_TYPE, "must be an integer that is not so large");
      default -> unreadable(failure, pointer);
    };
  }

  private static ServiceException translate(List<Violation> problems) {
    var errors = problems.stream().map(BodyFailures::error).toList();
    var codes = problems.stream().map(BodyFailures::code).distinct().toList();
    var code = codes.size() == 1 ? codes.getFirst() : ErrorCode.INVALID_REQUEST;
    var first = errors.getFirst();
    var more = errors.size() == 1 ? "" : " (and %d more)".formatted(errors.size() - 1);
    return new ServiceException(
        code,
        (first.pointer().isEmpty() ? "the body" : first.pointer()) + ": " + first.message() + more,
        errors);
  }

  private static FieldError error(Violation problem) {
    return FieldError.of(
        code(problem) == ErrorCode.UNREADABLE_BODY
            ? problem.saying("no well-formed JSON")
            : problem);
  }

  private static ErrorCode code(Violation problem) {
    return switch (problem.code()) {
      case "malformed_json", "malformed_yaml" -> ErrorCode.UNREADABLE_BODY;
      case "too_large" -> ErrorCode.BODY_TOO_LARGE;
      case "duplicate_key" -> ErrorCode.DUPLICATE_KEY;
      case "number_not_representable" -> ErrorCode.NUMBER_NOT_REPRESENTABLE;
      case "nul_character" -> ErrorCode.NUL_CHARACTER;
      case "lone_surrogate" -> ErrorCode.LONE_SURROGATE;
      case "too_deep" -> ErrorCode.TOO_DEEP;
      case "wrong_type" -> ErrorCode.WRONG_TYPE;
      default -> ErrorCode.INVALID_REQUEST;
    };
  }

  private static ServiceException unreadable(JacksonException failure, String pointer) {
    var location = failure.getLocation();
    var message = "the body is no well-formed JSON";
    if (location == null || location.getLineNr() < 1) {
      return ServiceException.at(pointer, ErrorCode.UNREADABLE_BODY, message);
    }
    int line = location.getLineNr();
    int column = Math.max(1, location.getColumnNr());
    return new ServiceException(
        ErrorCode.UNREADABLE_BODY,
        "%s (line %d, column %d)".formatted(message, line, column),
        List.of(new FieldError(pointer, ErrorCode.UNREADABLE_BODY.code(), message, line, column)));
  }

  private static String known(@Nullable Collection<Object> names) {
    return names == null || names.isEmpty()
        ? ""
        : "; known are "
            + names.stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
  }

  private static String expected(@Nullable Type type) {
    if (!(type instanceof Class<?> target)) {
      return "has the wrong type";
    }
    if (target.isEnum()) {
      return "must be one of "
          + Arrays.stream(target.getEnumConstants())
              .map(it -> String.valueOf(it).toLowerCase(Locale.ROOT))
              .collect(Collectors.joining(", "));
    }
    if (target == Instant.class) {
      return "must be a time such as 2026-01-31T12:00:00Z";
    }
    return "must be " + name(target);
  }

  private static String name(Class<?> target) {
    if (CharSequence.class.isAssignableFrom(target)) {
      return "a string";
    }
    if (target == Boolean.class || target == boolean.class) {
      return "true or false";
    }
    if (Number.class.isAssignableFrom(target) || target.isPrimitive()) {
      return target == Double.class || target == double.class ? "a number" : "an integer";
    }
    return Collection.class.isAssignableFrom(target) ? "a list" : "an object";
  }

  private static String pointer(List<JacksonException.Reference> path) {
    var pointer = "";
    for (var it : path) {
      pointer =
          it.getPropertyName() == null
              ? Pointer.child(pointer, it.getIndex())
              : Pointer.child(pointer, it.getPropertyName());
    }
    return pointer;
  }
}
