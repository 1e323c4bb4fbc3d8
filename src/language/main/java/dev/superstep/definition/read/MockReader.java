package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.form.Names;
import dev.superstep.definition.read.Series.SeriesUse;
import dev.superstep.engine.run.TaskError;
import dev.superstep.expression.ExpressionProblem;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.Location;
import dev.superstep.graph.Pointer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads what mocks give.
final class MockReader {
  private static final String ERROR = "error";
  private static final Set<String> KEYS = Set.of("code", "message", "retryable");

  /// Codes that are retryable in a run.
  private static final Pattern RETRYABLE =
      Pattern.compile(
          "http_(408|425|429|5\\d\\d|unreachable)|node_(timeout|failed|interrupted)"
              + "|model_(rate_limited|unavailable|unreachable)");

  private final Expressions expressions;

  MockReader(Expressions expressions) {
    this.expressions = expressions;
  }

  /// The members of an object of mocks.
  Map<String, Series<MockResult>> all(Item mocks) {
    var all = new HashMap<String, Series<MockResult>>();
    mocks
        .object()
        .forEach((name, value) -> {
          var here = mocks.at(name);
          checkErrors(value, here);
          TestCaseReader.read(() -> series(value), here).ifPresent(it -> all.put(name, it));
        });
    return all;
  }

  /// A list gives its items call by call, anything else is given to every call. Problems have
  /// pointers into it.
  Series<MockResult> series(Value value) {
    if (!(value instanceof ListValue list)) {
      return new Series<>(List.of(result(value)), SeriesUse.EVERY_CALL);
    }
    var results = new ArrayList<MockResult>();
    var problems = new ArrayList<ExpressionProblem>();
    for (int i = 0; i < list.size(); i++) {
      try {
        results.add(result(list.get(i)));
      } catch (InvalidExpressionException e) {
        var pointer = Pointer.child("", i);
        e.problems().forEach(it -> problems.add(it.under(pointer)));
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidExpressionException(problems);
    }
    return new Series<>(results, SeriesUse.ONCE_EACH);
  }

  private MockResult result(Value value) {
    return isError(value)
        ? new MockResult.Failing(error((ObjectValue) value))
        : new MockResult.GivenResult(expressions.compileTemplate(value));
  }

  private static boolean isError(Value value) {
    return value instanceof ObjectValue object
        && object.size() == 1
        && object.get(ERROR) instanceof ObjectValue;
  }

  private static TaskError error(ObjectValue mock) {
    var error = mock.findObject(ERROR).orElse(mock);
    var code = error.findText("code").orElse("mocked_error");
    var message = error.findText("message").orElse("the test lets this call fail");
    boolean retryable =
        error.has("retryable") ? error.isTrue("retryable") : RETRYABLE.matcher(code).matches();
    return retryable ? TaskError.retryable(code, message) : TaskError.permanent(code, message);
  }

  private static void checkErrors(Value value, Location at) {
    if (value instanceof ListValue list) {
      for (int i = 0; i < list.size(); i++) {
        checkError(list.get(i), at.item(i));
      }
    } else {
      checkError(value, at);
    }
  }

  private static void checkError(Value value, Location at) {
    if (!isError(value)) {
      return;
    }
    var error = new Item(ObjectValue.orEmpty(value), at).in(ERROR);
    for (var key : error.object().asMap().keySet()) {
      if (!KEYS.contains(key)) {
        error.error(
            key,
            Codes.UNKNOWN_FIELD,
            "there is no key '%s' in the error of a mock%s; it has code, message, retryable"
                .formatted(key, Suggestion.among(KEYS, key)));
      }
    }
    if (error.findText("code").filter(Names::isErrorCode).isEmpty()) {
      error.refuse(
          "code", Codes.INVALID_VALUE, "must be an error code, such as http_503 or sold_out");
    }
  }
}
