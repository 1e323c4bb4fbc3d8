package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.graph.Identifiers;
import dev.superstep.graph.Location;
import dev.superstep.graph.NodeId;
import java.util.regex.Pattern;

/// Checks names in a definition (E8).
public final class Names {
  private static final Pattern GRAPH = Pattern.compile("[a-z][a-z0-9_-]{0,63}");
  private static final Pattern TRIGGER = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,39}");
  private static final Pattern TOOL = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern ERROR_CODE = Pattern.compile("[a-z][a-z0-9_]{0,63}");
  private static final Pattern ERROR_CODES = Pattern.compile("[a-z][a-z0-9_]{0,63}\\*?|\\*");

  private Names() {}

  static boolean graph(String name, Location at) {
    return accepts(
        GRAPH, name, at, "a graph: a lower-case letter, then up to 63 of a-z, 0-9, '_' and '-'");
  }

  static boolean channel(String name, Location at) {
    return free(name, at) && named(name, at, "a channel");
  }

  static boolean param(String name, Location at) {
    return free(name, at) && named(name, at, "a param");
  }

  static boolean prompt(String name, Location at) {
    return free(name, at) && named(name, at, "a prompt");
  }

  static boolean tool(String name, Location at) {
    return free(name, at) && accepts(TOOL, name, at, "a tool: 1 to 64 letters, digits, '_' or '-'");
  }

  /// Short, so that the ids of its runs have room for it.
  static boolean trigger(String name, Location at) {
    return accepts(
        TRIGGER, name, at, "a trigger: a letter, then up to 39 letters, digits, '_' or '-'");
  }

  /// The id of a node or an edge that the author declares.
  static boolean declared(String id, Location at) {
    return free(id, at) && reference(id, at);
  }

  /// A mention of a node, which may be one of the reserved two.
  static boolean reference(String id, Location at) {
    if (NodeId.isValid(id)) {
      return true;
    }
    at.error(
        Codes.INVALID_NAME,
        "'%s' is no id: a letter, then up to 63 letters, digits, '_' or '-'".formatted(shown(id)));
    return false;
  }

  /// A mention of a node, or `*` for all of them.
  static boolean breakpoint(String id, Location at) {
    return id.equals("*") || reference(id, at);
  }

  /// Whether a text may name a channel; reserved names are not told apart.
  public static boolean isChannel(String name) {
    return Identifiers.isName(name);
  }

  /// Whether a text may be an error code.
  public static boolean isErrorCode(String code) {
    return ERROR_CODE.matcher(code).matches();
  }

  static boolean errorCodes(String pattern, Location at) {
    if (ERROR_CODES.matcher(pattern).matches()) {
      return true;
    }
    at.error(
        Codes.INVALID_VALUE,
        "'%s' matches no error code: write one like http_503, or a prefix like http_*"
            .formatted(shown(pattern)));
    return false;
  }

  private static boolean free(String name, Location at) {
    if (name.startsWith("__")) {
      at.error(
          Codes.RESERVED_NAME,
          "'%s' is reserved, as all names that begin with two underscores; choose another"
              .formatted(shown(name)));
      return false;
    }
    return true;
  }

  private static boolean named(String name, Location at, String what) {
    return accepts(Identifiers.isName(name), name, at, what + ": " + Identifiers.NAME_FORM);
  }

  private static boolean accepts(Pattern pattern, String name, Location at, String what) {
    return accepts(pattern.matcher(name).matches(), name, at, what);
  }

  private static boolean accepts(boolean right, String name, Location at, String what) {
    if (right) {
      return true;
    }
    at.error(Codes.INVALID_NAME, "'%s' cannot name %s".formatted(shown(name), what));
    return false;
  }

  private static String shown(String name) {
    return name.length() <= 80 ? name : name.substring(0, 80) + "…";
  }
}
