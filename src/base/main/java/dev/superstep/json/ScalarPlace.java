package dev.superstep.json;

/// The position of one string of a text, and of every character in it. Where the text folds its
/// lines, the position between two words is the end of the first.
public final class ScalarPlace {
  private static final int LONG_ESCAPE = 10;
  private final String text;
  private final int start;
  private final Style style;
  private final String value;

  enum Style {
    PLAIN,
    SINGLE,
    DOUBLE,
    LITERAL,
    FOLDED
  }

  /// A position in the text.
  ///
  /// @param line from 1
  /// @param column in code points, from 1
  public record LinePosition(int line, int column) {}

  /// @param start index of the first character, or of the quote or mark before it
  /// @param value the value of the string
  ScalarPlace(String text, int start, Style style, String value) {
    this.text = text;
    this.start = start;
    this.style = style;
    this.value = value;
  }

  /// The position in the text of a position within the string.
  ///
  /// @param line within the string, from 1
  /// @param column within that line, in code points, from 1
  public LinePosition at(int line, int column) {
    return switch (style) {
      case LITERAL -> literal(line, column);
      case FOLDED -> position(folded(units(line, column)));
      case PLAIN, SINGLE, DOUBLE -> position(index(units(line, column)));
    };
  }

  /// The characters of the string before the position.
  private int units(int line, int column) {
    int from = 0;
    for (int i = 1; i < line; i++) {
      int end = value.indexOf('\n', from);
      from = end < 0 ? value.length() : end + 1;
    }
    int rest = value.codePointCount(from, value.length());
    return value.offsetByCodePoints(from, Math.clamp(column - 1L, 0, rest));
  }

  /// The index in the text of a character of the string.
  private int index(int units) {
    int at = unquoted();
    for (int done = 0; done < units && at < text.length(); ) {
      char c = text.charAt(at);
      if (c == '\n' || c == '\r') {
        return folded(units);
      }
      int length = length(at, c);
      done += length == LONG_ESCAPE ? charsOf(at) : 1;
      at += length;
    }
    return at;
  }

  /// The index where lines are folded: folding changes white space only, so that the other
  /// characters are counted.
  private int folded(int units) {
    int wanted = (int) value.chars().limit(units).filter(it -> !isBlank(it)).count();
    int at = style == Style.FOLDED ? 1 + text.indexOf('\n', start) : unquoted();
    for (int done = 0; done < wanted && at < text.length(); ) {
      char c = text.charAt(at);
      int length = length(at, c);
      if (length == LONG_ESCAPE) {
        done += charsOf(at);
      } else if (!isBlank(said(at, length))) {
        done++;
      }
      at += length;
    }
    if (units < value.length() && !isBlank(value.charAt(units))) {
      while (at < text.length() && isBlank(said(at, length(at, text.charAt(at))))) {
        at += length(at, text.charAt(at));
      }
    }
    return at;
  }

  /// The character that stands at an index, perhaps as an escape.
  private int said(int at, int length) {
    char c = text.charAt(at);
    if (style != Style.DOUBLE || c != '\\') {
      return c;
    }
    return switch (length) {
      case 4, 6 -> Integer.parseInt(text.substring(at + 2, at + length), 16);
      case LONG_ESCAPE -> 'x';
      default -> "nrt \n\r".indexOf(text.charAt(at + 1)) >= 0 ? ' ' : 'x';
    };
  }

  private static boolean isBlank(int c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
  }

  private int unquoted() {
    return style == Style.PLAIN ? start : start + 1;
  }

  /// How long a character of the string is in the text.
  private int length(int at, char c) {
    if (style == Style.DOUBLE && c == '\\') {
      return escape(at);
    }
    return style == Style.SINGLE && c == '\'' ? 2 : 1;
  }

  private int escape(int at) {
    char kind = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
    return switch (kind) {
      case 'x' -> 4;
      case 'u' -> 6;
      case 'U' -> LONG_ESCAPE;
      default -> 2;
    };
  }

  private int charsOf(int at) {
    return Character.charCount(Integer.parseInt(text.substring(at + 2, at + LONG_ESCAPE), 16));
  }

  /// A line of a block stands in a line of the text, behind its indentation.
  private LinePosition literal(int line, int column) {
    int from = start;
    for (int i = 0; i < line && from < text.length(); i++) {
      int end = text.indexOf('\n', from);
      from = end < 0 ? text.length() : end + 1;
    }
    int end = text.indexOf('\n', from);
    var written = text.substring(from, end < 0 ? text.length() : end).stripTrailing();
    var said = value.lines().skip(line - 1L).findFirst().orElse("").stripTrailing();
    int indent = said.isEmpty() ? 0 : Math.max(0, written.length() - said.length());
    return new LinePosition(position(from).line(), indent + column);
  }

  private LinePosition position(int index) {
    return position(text, index);
  }

  static LinePosition position(String text, int index) {
    int end = Math.min(index, text.length());
    int line = 1;
    int from = 0;
    for (int next = text.indexOf('\n'); next >= 0 && next < end; next = text.indexOf('\n', from)) {
      line++;
      from = next + 1;
    }
    return new LinePosition(line, 1 + text.codePointCount(from, end));
  }
}
