package dev.superstep.expression;

import java.util.List;
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
  private static final Pattern NO_FIELDS =
      Pattern.compile("type '(.*)' does not support field selection");
  private static final Pattern NO_RANGE =
      Pattern.compile(
          "(?i)expression of type '(.*)' cannot be (?:the )?range of a comprehension.*");
  private static final Pattern EXPECTED = Pattern.compile("expected type '(.*)' but found '(.*)'");
  private static final String ERROR = "*error*";
  private static final Pattern NO_LONG = Pattern.compile("(?s)^For input string: \"(.*?)\".*");
  private static final Set<String> MACROS =
      Set.of("map", "filter", "all", "exists", "exists_one", "existsOne", "sortBy");

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

  /// Whether it follows from another mistake in the same expression.
  static boolean isConsequence(String message) {
    return message.contains(ERROR);
  }

  /// @param isCall whether what is complained of is called, as a function
  static String sentence(String message, boolean isCall) {
    var undeclared = UNDECLARED.matcher(message);
    if (undeclared.matches()) {
      return undeclared(undeclared.group(1), isCall);
    }
    var overload = OVERLOAD.matcher(message);
    if (overload.matches()) {
      return overload(overload.group(1), overload.group(2), overload.group(3));
    }
    return switch (message) {
      case "invalid argument to has() macro" -> HAS;
      case "The argument must be a simple name" ->
          "the first argument names an item, as x in list.map(x, expression)";
      default -> ofTypes(message);
    };
  }

  private static String ofTypes(String message) {
    var fields = NO_FIELDS.matcher(message);
    if (fields.matches()) {
      return TypeWords.of(fields.group(1)) + " has no fields";
    }
    var range = NO_RANGE.matcher(message);
    if (range.matches()) {
      return "only a list or an object has items, this is " + TypeWords.of(range.group(1));
    }
    var expected = EXPECTED.matcher(message);
    if (expected.matches()) {
      return "must be %s, not %s"
          .formatted(TypeWords.of(expected.group(1)), TypeWords.of(expected.group(2)));
    }
    return NO_LONG.matcher(message).replaceFirst("$1 is no number of 64 bits");
  }

  private static String undeclared(String name, boolean isCall) {
    if (MACROS.contains(name)) {
      return "'%s' is written list.%s(item, expression)".formatted(name, name);
    }
    if (name.equals("prompts")) {
      return "'prompts' is no variable: declare the text under 'prompts', and give it a segment of"
          + " its own, {{ prompts.name }}";
    }
    if (name.equals("has")) {
      return HAS;
    }
    if (FOREIGN.containsKey(name)) {
      return "CEL writes %s for '%s'".formatted(FOREIGN.get(name), name);
    }
    return isCall
        ? "there is no function '%s'; docs/expressions.md has them all".formatted(name)
        : "there is no variable '%s' here; quote it if it is a text, or read channels as state.%s"
            .formatted(name, name);
  }

  private static String overload(String function, String types, String candidates) {
    var of = TypeWords.arguments(types);
    if (function.equals("_?_:_")) {
      return choice(types, of);
    }
    if (function.equals("@in")) {
      return "'in' looks into a list or an object, not into %s; in a string, write text.contains(x)"
          .formatted(of.getLast());
    }
    if (function.equals("_[_]")) {
      return "%s has no items; only a list or an object does".formatted(of.getFirst());
    }
    var operator = OPERATOR.matcher(function);
    return operator.matches()
        ? "'%s' cannot be applied to %s; %s"
            .formatted(operator.group(1), String.join(" and ", of), remedy(operator.group(1), of))
        : call(function, types, candidates);
  }

  private static String remedy(String operator, List<String> types) {
    return switch (operator) {
      case "&&", "||", "!" -> "it takes true or false";
      case "+" ->
          types.contains("a string")
              ? "convert one of them, as in string(x)"
              : "convert one of them, as in int(x)";
      case "-", "*", "/", "%" -> "it takes numbers of one type; convert, as in int(x)";
      default -> "both must be of one type; convert one of them, as in string(x)";
    };
  }

  private static String call(String function, String types, String candidates) {
    var receiver = TypeWords.receiver(types).map(" on "::concat).orElse("");
    var of = TypeWords.arguments(types);
    return "'%s' cannot be called%s %s; it takes %s"
        .formatted(
            function,
            receiver,
            of.isEmpty() ? "without an argument" : "with " + String.join(" and ", of),
            Operators.shorten(TypeWords.signatures(candidates), 200));
  }

  /// @param of the condition and both results
  private static String choice(String types, List<String> of) {
    return types.startsWith("(bool,") || types.startsWith("(dyn,")
        ? "what stands on both sides of ':' must be of one type, not %s and %s; write dyn(x) for one of them"
            .formatted(of.get(1), of.get(2))
        : "what stands before '?', or is asked of every item, must be true or false, not %s"
            .formatted(of.getFirst());
  }
}
