package dev.superstep.expression;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Rewrites errors of the parser as a sentence: what was found, and what to write instead.
final class SyntaxMessages {
  private static final Pattern COMPLAINT =
      Pattern.compile(
          "(?s)(?:mismatched input|extraneous input|no viable alternative at input) '(.*?)'"
              + "(?: expecting (.*))?");
  private static final Pattern MISSING = Pattern.compile("(?s)missing '(.*)' at '(.*)'");
  private static final Pattern UNREADABLE =
      Pattern.compile("(?s)token recognition error at: '(.*)'");
  private static final Pattern RESERVED = Pattern.compile("reserved identifier: (\\w+)");
  private static final Pattern LAST_WORD = Pattern.compile("(\\w+|[=!&|<>+*/-]+|\\S)\\s*$");

  /// A string that is closed in another line.
  private static final Pattern LINES =
      Pattern.compile("'[^'\\\\\n]*\n[^']*'|\"[^\"\\\\\n]*\n[^\"]*\"");

  private static final Pattern ACCESS = Pattern.compile("[\\w)\\]]\\?\\.[A-Za-z_]");
  private static final String END = "<EOF>";
  static final String BRACES =
      "conditions, routes and other expressions are CEL without braces; write state.x instead of"
          + " {{ state.x }}";

  /// Operators and words of other languages that authors write by mistake.
  private static final Map<String, String> FOREIGN =
      Map.ofEntries(
          Map.entry("and", "&&"),
          Map.entry("AND", "&&"),
          Map.entry("&", "&&"),
          Map.entry("or", "||"),
          Map.entry("OR", "||"),
          Map.entry("|", "||"),
          Map.entry("not", "!"),
          Map.entry("NOT", "!"),
          Map.entry("<>", "!="),
          Map.entry("=", "=="),
          Map.entry("is", "=="),
          Map.entry("=<", "<="),
          Map.entry("None", "null"));

  private static final String NO_ARROW =
      "CEL has no '%s'; write list.map(item, expression) for a function, >= to compare, : in a map";
  private static final String OPTIONAL = "CEL has no '%s'; write x.?y, or x.?y.orValue(z)";

  /// The same for what the parser takes for two operators.
  private static final Map<String, String> FOREIGN_PAIRS =
      Map.of(
          "<>", "CEL writes != for '<>'",
          "->", NO_ARROW.formatted("->"),
          "??", OPTIONAL.formatted("??"),
          "?:", OPTIONAL.formatted("?:"));

  private final String source;

  SyntaxMessages(String source) {
    this.source = source;
  }

  /// Whether the parser complains about the text itself; what follows such a complaint comes from
  /// it.
  static boolean isSyntax(String message) {
    return COMPLAINT.matcher(message).matches()
        || MISSING.matcher(message).matches()
        || UNREADABLE.matcher(message).matches()
        || RESERVED.matcher(message).matches();
  }

  /// @param at where it complains
  String sentence(String complaint, Position at) {
    // The parser formats what it quotes.
    var message = complaint.replace("%%", "%");
    if (source.contains("{{")) {
      return BRACES;
    }
    var unreadable = UNREADABLE.matcher(message);
    if (unreadable.matches()) {
      return unreadable(unreadable.group(1).strip(), at);
    }
    var reserved = RESERVED.matcher(message);
    if (reserved.matches()) {
      return reserved(reserved.group(1));
    }
    var missing = MISSING.matcher(message);
    if (missing.matches()) {
      return missing(missing);
    }
    var found = COMPLAINT.matcher(message);
    if (!found.matches()) {
      return message;
    }
    var expected = found.group(2) == null ? "" : found.group(2);
    return found.group(1).equals(END) || found.group(1).equals(source.strip())
        ? ends(expected)
        : stands(found.group(1), expected, before(at));
  }

  private static String reserved(String word) {
    return word.equals("if")
        ? "CEL has no 'if'; write condition ? a : b"
        : "'%s' is a reserved word of CEL and no name; leave it out, or write x['%s']"
            .formatted(word, word);
  }

  private static String missing(Matcher missing) {
    return missing.group(2).equals(END)
        ? "the expression ends too early: a '%s' is missing".formatted(missing.group(1))
        : "a '%s' is missing before '%s'".formatted(missing.group(1), missing.group(2));
  }

  private String unreadable(String text, Position at) {
    if (text.startsWith("'") || text.startsWith("\"")) {
      if (LINES.matcher(source.substring(before(at).length())).lookingAt()) {
        return "a string ends in its line; write \\n"
            + " for a new one, or use three quotes on each side";
      }
      return text.indexOf('\\') >= 0
          ? "a string holds an escape that CEL does not know; write \\\\ for a backslash"
          : "the string that begins here is not closed";
    }
    if (FOREIGN.containsKey(text)) {
      return "CEL writes %s for '%s'".formatted(FOREIGN.get(text), text);
    }
    return switch (text) {
      case "=>" -> NO_ARROW.formatted(text);
      case "$" -> "'$' means nothing in CEL; write state.x for ${state.x}";
      case ";" -> "an expression is one value; leave the ';' out";
      case "“", "”", "‘", "’", "„" -> "strings stand in straight quotes, 'a' or \"a\"";
      default -> "'%s' means nothing in CEL; remove it".formatted(text);
    };
  }

  private String ends(String expected) {
    if (expected.startsWith("{'[', '{'")) {
      return "the expression ends too early: a value is missing behind '%s'"
          .formatted(lastWord(source));
    }
    if (ACCESS.matcher(source).find() && expected.contains("':'")) {
      return OPTIONAL.formatted("?.");
    }
    for (var close : List.of("']'", "'}'", "')'", "':'")) {
      if (expected.contains(close) && (!close.equals("':'") || source.contains("?"))) {
        return "the expression ends too early: a %s is missing".formatted(close);
      }
    }
    return "the expression ends too early behind '%s'; complete it".formatted(lastWord(source));
  }

  private static String stands(String found, String expected, String before) {
    var last = lastWord(before);
    return foreign(found, expected, before).orElseGet(() -> misplaced(found, expected, last));
  }

  /// What to write for something that CEL writes differently.
  private static Optional<String> foreign(String found, String expected, String before) {
    var last = lastWord(before);
    if (found.equals("not") && expected.contains("'in'")) {
      return Optional.of("CEL writes !(x in list) for 'not in'");
    }
    var word = FOREIGN.containsKey(found) && !found.equals("=") ? found : last;
    if (FOREIGN.containsKey(word)) {
      return Optional.of("CEL writes %s for '%s'".formatted(FOREIGN.get(word), word));
    }
    if (found.equals(":") && before.lastIndexOf('[') > before.lastIndexOf(']')) {
      return Optional.of("CEL has no slices; write list.slice(from, to)");
    }
    return Optional.ofNullable(FOREIGN_PAIRS.get(last + found));
  }

  private static String misplaced(String found, String expected, String last) {
    if (found.startsWith(".")) {
      return "a name must stand behind '.'; one that is a word of CEL, or has other characters, is"
          + " written x['name']";
    }
    if (expected.startsWith("{'[', '{'")) {
      return "'%s' stands where a value should".formatted(found);
    }
    if (")]}".contains(found)) {
      return "there is one '%s' too many, or its opening bracket is missing".formatted(found);
    }
    if (isQuote(last) && Character.isLetter(found.charAt(0))) {
      return "'%s' cannot follow a string; put an operator or a comma between them, or write \\%s for a quote within the string"
          .formatted(found, last);
    }
    return "%s cannot follow %s; put an operator or a comma between them, or remove it"
        .formatted(
            isQuote(found.substring(0, 1)) ? "the string " + found : "'" + found + "'",
            isQuote(last) ? "a string" : "'" + last + "'");
  }

  private static boolean isQuote(String text) {
    return text.equals("'") || text.equals("\"");
  }

  /// The text before a position.
  String before(Position at) {
    var lines = source.split("\n", -1);
    var text = new StringBuilder();
    for (int i = 0; i < at.line() - 1 && i < lines.length; i++) {
      text.append(lines[i]).append('\n');
    }
    if (at.line() <= lines.length) {
      var line = lines[at.line() - 1];
      int units = Math.min(at.column() - 1, line.codePointCount(0, line.length()));
      text.append(line, 0, line.offsetByCodePoints(0, units));
    }
    return text.toString();
  }

  private static String lastWord(String text) {
    var word = LAST_WORD.matcher(text.length() > 200 ? text.substring(text.length() - 200) : text);
    return word.find() ? word.group(1) : "";
  }
}
