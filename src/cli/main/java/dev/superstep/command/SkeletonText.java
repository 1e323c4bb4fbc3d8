package dev.superstep.command;

import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Writes YAML line by line, with comments, which [dev.superstep.json.Yaml] does not.
final class SkeletonText {
  private static final int COMMENT_MAX = 100;
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

  /// Words that some reader of YAML takes for something else than text.
  private static final Set<String> WORDS =
      Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

  private final StringBuilder text = new StringBuilder();
  private int todos;

  /// How many places are marked.
  int todos() {
    return todos;
  }

  void line(int indent, String line) {
    text.append(" ".repeat(indent)).append(line).append('\n');
  }

  /// @param what is to be done there
  void todo(int indent, String line, String what) {
    todos++;
    line(indent, "%s # TODO: %s".formatted(line, comment(what)));
  }

  @Override
  public String toString() {
    return text.toString();
  }

  /// As YAML and JSON have it, on one line.
  static String quoted(String scalar) {
    boolean plain =
        PLAIN.matcher(scalar).matches() && !WORDS.contains(scalar.toLowerCase(Locale.ROOT));
    return plain ? scalar : Json.write(Value.of(scalar));
  }

  /// One name alone, or a list.
  static String names(Collection<String> names) {
    return names.size() == 1
        ? quoted(names.iterator().next())
        : names.stream().map(SkeletonText::quoted).collect(Collectors.joining(", ", "[", "]"));
  }

  /// A word of the author's cannot end the comment.
  static String comment(String words) {
    var line = words.replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}\\uFEFF]+", " ").strip();
    return line.length() <= COMMENT_MAX ? line : line.substring(0, COMMENT_MAX) + "…";
  }
}
