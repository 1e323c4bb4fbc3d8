package dev.superstep.json;

import java.util.List;
import java.util.regex.Pattern;

/// Says what is wrong with a text that is no YAML, and what to write instead. The parser's own
/// words speak of its tokens and of what it was scanning.
final class YamlMessages {
  private static final Pattern FOUND = Pattern.compile("(?s).*found '?(.+?)'?(?:\\(\\d+\\))?");
  private static final Pattern START = Pattern.compile("(?s)found character '(.+?)' that cannot.*");

  private static final String MOVED =
      "this cannot begin behind a key in its line; move it to the next, and indent it";

  /// MessageRule by rule, the first that fits: what the parser was at, what it says, what it means.
  private static final List<MessageRule> RULES =
      List.of(
          new MessageRule("", "\\t(TAB)", "YAML is indented with spaces; replace the tab"),
          new MessageRule(
              "",
              "mapping values are not allowed",
              "no key can stand here: indent the line like its neighbours, or put a text that holds"
                  + " ': ' in quotes"),
          new MessageRule("", "mapping keys are not allowed", MOVED),
          new MessageRule("", "sequence entries are not allowed", MOVED),
          new MessageRule("flow sequence", "", "a ']' or a comma is missing before this"),
          new MessageRule("flow mapping", "", "a '}' or a comma is missing before this"),
          new MessageRule("flow node", "", "a value is missing before this; remove the comma"),
          new MessageRule(
              "quoted scalar", "end of stream", "a string is not closed; add its quote"),
          new MessageRule(
              "quoted scalar", "document separator", "a string is not closed; add its quote"),
          new MessageRule(
              "double-quoted",
              "unknown escape",
              "YAML has no such escape; write \\\\ for a backslash, or use single quotes"),
          new MessageRule(
              "double-quoted",
              "hexadecimal",
              "an escape \\x, \\u or \\U needs its 2, 4 or 8 digits"),
          new MessageRule(
              "block scalar",
              "",
              "nothing but a comment may follow | or >; begin the text in the next line"),
          new MessageRule(
              "simple key",
              "",
              "a ':' is missing: text that stands alone belongs to a key, or is indented further"),
          new MessageRule(
              "block collection",
              "'?'",
              "a key stands where the list goes on; indent one like the other"),
          new MessageRule(
              "block mapping",
              "<scalar>",
              "text follows a string in quotes; put all of it within the quotes"),
          new MessageRule(
              "block",
              "<block mapping start>",
              "this line is indented unlike its neighbours; align it"),
          new MessageRule(
              "block",
              "<block sequence start>",
              "this line is indented unlike its neighbours; align it"),
          new MessageRule(
              "block", "'-'", "a list goes on where a key should stand; indent it further"),
          new MessageRule(
              "", "special characters", "the text holds a control character; remove it"),
          new MessageRule(
              "",
              "<document start>",
              "only one document is allowed; remove '...' or what begins with '%'"),
          new MessageRule(
              "anchor",
              "",
              "an anchor is '&' and a name of letters and digits; quote a text that begins so"),
          new MessageRule(
              "alias",
              "",
              "an alias is '*' and a name of letters and digits; quote a text that begins so"),
          new MessageRule("tag", "", "a text that begins with '!' is put in quotes"),
          new MessageRule("directive", "", "a line must not begin with '%'; remove it"));

  private record MessageRule(String context, String problem, String sentence) {
    boolean fits(String context, String problem) {
      return context.contains(this.context) && problem.contains(this.problem);
    }
  }

  private YamlMessages() {}

  /// @param context what the parser was at
  /// @param problem what it found
  static String sentence(String context, String problem) {
    var start = START.matcher(problem);
    if (start.matches() && !start.group(1).startsWith("\\t")) {
      return "a text cannot begin with '%s'; put it in quotes".formatted(start.group(1));
    }
    return RULES.stream()
        .filter(it -> it.fits(context, problem))
        .map(MessageRule::sentence)
        .findFirst()
        .orElseGet(() -> unexpected(problem));
  }

  private static String unexpected(String problem) {
    var found = FOUND.matcher(problem);
    return found.matches() && !found.group(1).startsWith("<")
        ? "'%s' cannot stand here; put a text that begins with it in quotes"
            .formatted(found.group(1))
        : "no YAML can go on like this; check the indentation and what stands before it";
  }
}
