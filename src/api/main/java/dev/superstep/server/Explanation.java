package dev.superstep.server;

import dev.superstep.http.Problem;
import dev.superstep.problem.ErrorCode;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// What a code means.
///
/// @param code one that ends in `*` stands for all that begin so
/// @param what what has happened
/// @param causes the usual ones
/// @param remedy what to do
/// @param example one document that has it
record Explanation(
    String code,
    List<CodeSource> found,
    String what,
    List<String> causes,
    String remedy,
    ObjectValue example) {
  private static final String API = "/v1/";
  private static final String GRAPHS = "/v1/graphs";

  public Explanation {
    found = List.copyOf(found);
    causes = List.copyOf(causes);
  }

  public String title() {
    var words = code.replace("_*", "").replace('_', ' ');
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  /// The status of answers that have it as a whole.
  public Optional<Integer> status() {
    return found.contains(CodeSource.REQUEST)
        ? ErrorCode.find(code).map(it -> it.status().value())
        : Optional.empty();
  }

  boolean covers(String asked) {
    return code.endsWith("*")
        ? asked.startsWith(code.substring(0, code.length() - 1))
        : code.equals(asked);
  }

  /// An example of what clients get.
  ///
  /// @param at a path of the API, a pointer, or a node
  static ObjectValue example(String code, CodeSource source, String at, String message) {
    return switch (source) {
      case REQUEST -> refused(code, at, message);
      case DEFINITION -> problem(ErrorCode.INVALID_DEFINITION, GRAPHS, mistake(code, at, message));
      case WARNING ->
          ObjectValue.of("name", Value.of("review"))
              .plus("version", Value.of(1))
              .plus("warnings", ListValue.of(mistake(code, at, message)));
      case RUN, TEST ->
          ObjectValue.of("id", Value.of("r-1"))
              .plus("status", Value.of("failed"))
              .plus("error", error(code, at, message));
      case TOOL ->
          ObjectValue.of("role", Value.of("tool"))
              .plus("tool_call_id", Value.of("c-1"))
              .plus("is_error", Value.TRUE)
              .plus("content", Value.of(message));
    };
  }

  private static ObjectValue refused(String code, String at, String message) {
    var known = ErrorCode.find(code).orElse(ErrorCode.INVALID_EXPRESSION);
    return at.startsWith(API)
        ? problem(known, at, message)
        : problem(known, GRAPHS, mistake(code, at, message));
  }

  private static ObjectValue problem(ErrorCode code, String instance, ObjectValue mistake) {
    return problem(
            code,
            instance,
            code == ErrorCode.INVALID_DEFINITION
                ? "1 problem(s), the first at '%s': %s"
                    .formatted(text(mistake, "pointer"), text(mistake, "message"))
                : "%s: %s".formatted(text(mistake, "pointer"), text(mistake, "message")))
        .plus("errors", ListValue.of(mistake));
  }

  private static ObjectValue problem(ErrorCode code, String instance, String detail) {
    return ObjectValue.of("type", Value.of(code.type().toString()))
        .plus("title", Value.of(code.title()))
        .plus("status", Value.of(code.status().value()))
        .plus("detail", Value.of(detail))
        .plus("instance", Value.of(instance))
        .plus("code", Value.of(code.code()))
        .plus("help", Value.of(Problem.help(code)));
  }

  private static ObjectValue mistake(String code, String pointer, String message) {
    return ObjectValue.of("pointer", Value.of(pointer))
        .plus("code", Value.of(code))
        .plus("message", Value.of(message));
  }

  private static ObjectValue error(String code, String node, String message) {
    var error = ObjectValue.of("code", Value.of(code)).plus("message", Value.of(message));
    return node.isEmpty() ? error : error.plus("node", Value.of(node));
  }

  private static String text(ObjectValue object, String key) {
    return object.get(key) instanceof Value.Text(var text) ? text : "";
  }
}
