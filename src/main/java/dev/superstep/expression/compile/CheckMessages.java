package dev.superstep.expression.compile;

import dev.superstep.expression.function.Operators;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Rewrites errors of the type checker as a sentence.
final class CheckMessages {
  private static final Pattern UNDECLARED =
      Pattern.compile("undeclared reference to '(.*)' \\(in container '.*'\\)");
  private static final Pattern OVERLOAD =
      Pattern.compile(
          "(?s)found no matching overload for '(.*)' applied to '(.*?)' \\(candidates: (.*)\\)");
  private static final Pattern OPERATOR = Pattern.compile("_?([!=<>+*/%&|?:-]+|\\[_\\])_?.*");
  private static final Pattern NO_LONG = Pattern.compile("(?s)^For input string: \"(.*?)\".*");
  private static final Set<String> MACROS =
      Set.of("map", "filter", "all", "exists", "exists_one", "existsOne", "sortBy");
  private static final Map<String, String> TYPES =
      Map.of(
          "google.protobuf.Timestamp", "timestamp",
          "google.protobuf.Duration", "duration",
          "list(%A0)", "list",
          "map(%A1, %B2)", "map",
          "%A0", "any");

  /// What other languages call it.
  private static final Map<String, String> FOREIGN =
      Map.of(
          "True", "true",
          "False", "false",
          "None", "null",
          "nil", "null",
          "undefined", "null",
          "len", "size(x)",
          "length", "size(x)",
          "count", "size(x)");

  private static final String HAS = "'has' is written has(x.y), with one field";

  private CheckMessages() {}

  /// Whether the names behind it are unknown only because of it.
  static boolean isMacro(String message) {
    var undeclared = UNDECLARED.matcher(message);
    return undeclared.matches() && MACROS.contains(undeclared.group(1));
  }

  static String sentence(String message) {
    var undeclared = UNDECLARED.matcher(message);
    if (undeclared.matches()) {
      return undeclared(undeclared.group(1));
    }
    var overload = OVERLOAD.matcher(message);
    if (overload.matches()) {
      return overload(overload.group(1), overload.group(2), overload.group(3));
    }
    if (message.equals("invalid argument to has() macro")) {
      return HAS;
    }
    return NO_LONG.matcher(message).replaceFirst("$1 is no number of 64 bits");
  }

  private static String undeclared(String name) {
    if (MACROS.contains(name)) {
      return "'%s' is written list.%s(item, expression)".formatted(name, name);
    }
    if (name.equals("prompts")) {
      return "'prompts' is no variable: declare the text under 'prompts', and give it a segment of"
          + " its own, {{ prompts.name }}";
    }
    return name.equals("has")
        ? HAS
        : "there is no variable or function '%s' here (undeclared reference)%s"
            .formatted(name, FOREIGN.containsKey(name) ? "; CEL writes " + FOREIGN.get(name) : "");
  }

  private static String overload(String function, String types, String candidates) {
    var operator = OPERATOR.matcher(function);
    if (function.equals("_?_:_")) {
      return choice(plain(types));
    }
    if (operator.matches()) {
      return "'%s' cannot be applied to %s (no matching overload); convert one of them, as in string(x)"
          .formatted(operator.group(1), plain(types));
    }
    return "'%s' cannot be called with %s (no matching overload); it takes %s"
        .formatted(function, plain(types), Operators.shorten(plain(candidates), 200));
  }

  /// @param types of the condition and both results
  private static String choice(String types) {
    return types.startsWith("(bool,") || types.startsWith("(dyn,")
        ? "what stands on both sides of ':' must be of one type: no matching overload for %s; write dyn(x) for one of them"
            .formatted(types)
        : "what stands before '?' must be true or false: no matching overload for %s"
            .formatted(types);
  }

  private static String plain(String types) {
    var text = types;
    for (var it : TYPES.entrySet()) {
      text = text.replace(it.getKey(), it.getValue());
    }
    return text.replaceAll("%[A-Z]\\d+", "any").replace("),(", ") or (");
  }
}
