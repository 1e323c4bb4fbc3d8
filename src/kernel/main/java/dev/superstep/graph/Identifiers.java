package dev.superstep.graph;

/// The forms of names in a graph. They are looked at for each change of each task, so without a
/// pattern.
public final class Identifiers {
  /// The form of a name, as messages say it.
  public static final String NAME_FORM = "a letter or '_', then up to 63 letters, digits or '_'";

  private static final int CHARS_MAX = 64;

  private Identifiers() {}

  /// Whether it can name a channel, a parameter or a variable: see [#NAME_FORM].
  public static boolean isName(String text) {
    return hasForm(text, false);
  }

  /// Whether it can name a node: a letter, then up to 63 letters, digits, `_` or `-`.
  static boolean isNode(String text) {
    return hasForm(text, true);
  }

  private static boolean hasForm(String text, boolean node) {
    if (text.isEmpty() || text.length() > CHARS_MAX) {
      return false;
    }
    if (!begins(text.charAt(0), node)) {
      return false;
    }
    for (int i = 1; i < text.length(); i++) {
      if (!goesOn(text.charAt(i), node)) {
        return false;
      }
    }
    return true;
  }

  private static boolean begins(char it, boolean node) {
    return isLetter(it) || (!node && it == '_');
  }

  private static boolean goesOn(char it, boolean node) {
    return isLetter(it) || isDigit(it) || it == '_' || (node && it == '-');
  }

  private static boolean isLetter(char it) {
    return (it >= 'a' && it <= 'z') || (it >= 'A' && it <= 'Z');
  }

  private static boolean isDigit(char it) {
    return it >= '0' && it <= '9';
  }
}
