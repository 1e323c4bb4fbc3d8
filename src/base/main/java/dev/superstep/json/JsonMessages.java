package dev.superstep.json;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Says what is wrong with a text that is no JSON, and what to write instead. The parser's own
/// words speak of tokens, code points and its settings.
final class JsonMessages {
  private static final Pattern CHARACTER =
      Pattern.compile("(?s)Unexpected character \\('(.*?)' \\(code \\d+[^)]*\\)\\)(.*)");
  private static final Pattern WORD =
      Pattern.compile("(?s)(?:Unrecognized token|Non-standard token) '(.*?)'.*");
  private static final Pattern CLOSING =
      Pattern.compile("(?s)Unexpected close marker '(.)': expected '(.)'.*");
  private static final Pattern ESCAPE =
      Pattern.compile("(?s)Unrecognized character escape '(.*?)'.*");

  private static final String KEY = "a key in double quotes must stand here";

  /// What other languages call it.
  private static final Map<String, String> FOREIGN =
      Map.of("True", "true", "False", "false", "None", "null", "undefined", "null", "nil", "null");

  /// What the parser says of a number, and what it means.
  private static final List<Map.Entry<String, String>> NUMBERS =
      List.of(
          Map.entry(
              "Leading zeroes", "a number does not begin with 0; remove the zero, or quote it"),
          Map.entry("Decimal point not followed", "a digit must stand behind the decimal point"),
          Map.entry("plus signs", "a number does not begin with '+'; remove it"),
          Map.entry("follow minus sign", "a digit must stand behind '-'"),
          Map.entry("Exponent indicator", "a digit must stand behind the exponent's 'e'"));

  private JsonMessages() {}

  static String sentence(String words) {
    return number(words)
        .or(() -> character(words))
        .or(() -> word(words))
        .or(() -> string(words))
        .or(() -> end(words))
        .orElse("no JSON can go on like this; check what stands before it");
  }

  private static Optional<String> number(String words) {
    return NUMBERS.stream()
        .filter(it -> words.contains(it.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static Optional<String> character(String words) {
    var found = CHARACTER.matcher(words);
    return found.matches() ? Optional.of(stands(found.group(1), found.group(2))) : Optional.empty();
  }

  private static String stands(String found, String expected) {
    if (expected.contains("start property name")) {
      return found.equals("}") || found.equals(",")
          ? KEY + "; remove the comma before it"
          : "%s, not %s".formatted(KEY, quoted(found));
    }
    if (expected.contains("comma to separate")) {
      return "a comma is missing before " + quoted(found);
    }
    if (expected.contains("a colon")) {
      return "':' must stand between a key and its value, not " + quoted(found);
    }
    if (expected.contains("hex-digit")) {
      return "\\u is followed by four digits or letters a to f";
    }
    return switch (found) {
      case "/", "#" -> "JSON has no comments; remove it";
      case "'" -> "strings stand in double quotes";
      case "]", "}" -> "a value is missing before %s; remove the comma".formatted(quoted(found));
      default -> "a value must stand here, not " + quoted(found);
    };
  }

  private static Optional<String> word(String words) {
    var found = WORD.matcher(words);
    if (!found.matches()) {
      return Optional.empty();
    }
    var word = found.group(1);
    if (word.equals("NaN") || word.endsWith("Infinity") || word.endsWith("INF")) {
      return Optional.of("JSON has no number '%s'; send null or a string".formatted(word));
    }
    return Optional.of(
        FOREIGN.containsKey(word)
            ? "JSON writes %s for '%s'".formatted(FOREIGN.get(word), word)
            : "'%s' is no value; put it in double quotes".formatted(word));
  }

  private static Optional<String> string(String words) {
    var escape = ESCAPE.matcher(words);
    if (escape.matches()) {
      return Optional.of(
          "JSON has no escape '\\%s'; write \\\\ for a backslash".formatted(escape.group(1)));
    }
    return words.startsWith("Illegal unquoted character")
        ? Optional.of(
            "a string must not hold a line break or another control character; write \\n, or close"
                + " the string")
        : Optional.empty();
  }

  private static Optional<String> end(String words) {
    var closing = CLOSING.matcher(words);
    if (closing.matches()) {
      return Optional.of(
          "'%s' closes what was opened by another bracket; write '%s' before it"
              .formatted(closing.group(1), closing.group(2)));
    }
    return words.startsWith("Unexpected end-of-input")
        ? Optional.of("the text ends too early: " + missing(words))
        : Optional.empty();
  }

  private static String missing(String words) {
    if (words.contains("for Object")) {
      return "a '}' is missing";
    }
    return words.contains("for Array") ? "a ']' is missing" : "a string or a bracket is not closed";
  }

  private static String quoted(String found) {
    return found.equals("\"") ? "a string" : "'%s'".formatted(found);
  }
}
