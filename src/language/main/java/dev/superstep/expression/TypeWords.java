package dev.superstep.expression;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Names of types as authors know them, read from what the type checker writes.
final class TypeWords {
  /// A call's types: perhaps a receiver, and arguments.
  private static final Pattern CALL = Pattern.compile("(?s)(?:(.+?)\\.)?\\((.*)\\)");

  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("int", "an integer"),
          Map.entry("uint", "an unsigned integer"),
          Map.entry("double", "a number"),
          Map.entry("string", "a string"),
          Map.entry("bool", "true or false"),
          Map.entry("bytes", "bytes"),
          Map.entry("null", "null"),
          Map.entry("null_type", "null"),
          Map.entry("google.protobuf.Duration", "a duration"),
          Map.entry("google.protobuf.Timestamp", "a timestamp"),
          Map.entry("list", "a list"),
          Map.entry("map", "an object"),
          Map.entry("optional_type", "an optional value"),
          Map.entry("type", "a type"));

  private TypeWords() {}

  /// With its article.
  static String of(String type) {
    int parameters = type.indexOf('(');
    var name = parameters < 0 ? type : type.substring(0, parameters);
    return WORDS.getOrDefault(name.strip(), "any value");
  }

  /// @param types of a call: `(int, string)` or `string.(int)`
  static List<String> arguments(String types) {
    var call = CALL.matcher(types);
    return call.matches() ? split(call.group(2)).stream().map(TypeWords::of).toList() : List.of();
  }

  static Optional<String> receiver(String types) {
    var call = CALL.matcher(types);
    return call.matches()
        ? Optional.ofNullable(call.group(1)).map(TypeWords::of)
        : Optional.empty();
  }

  /// `(string) or (string, integer)`.
  static String signatures(String candidates) {
    var all = new LinkedHashSet<String>();
    for (var candidate : split(candidates)) {
      var bare = arguments(candidate).stream().map(it -> it.replaceFirst("^an? ", "")).toList();
      all.add("(%s)".formatted(String.join(", ", bare)));
    }
    return String.join(" or ", all);
  }

  /// At the commas outside of brackets.
  private static List<String> split(String text) {
    var parts = new ArrayList<String>();
    int open = 0;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '(' -> open++;
        case ')' -> open--;
        case ',' -> {
          if (open == 0) {
            parts.add(text.substring(from, i).strip());
            from = i + 1;
          }
        }
        default -> {}
      }
    }
    var last = text.substring(from).strip();
    if (!last.isEmpty()) {
      parts.add(last);
    }
    return parts;
  }
}
