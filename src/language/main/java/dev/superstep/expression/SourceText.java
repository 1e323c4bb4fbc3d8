package dev.superstep.expression;

/// Scans the text of an expression without parsing it: finds its strings and comments.
public final class SourceText {
  private SourceText() {}

  /// Reads the operators `===` and `!==` as `==` and `!=`. The text keeps its length, so that
  /// positions stay exact.
  static String withCelOperators(String source) {
    if (!source.contains("==")) {
      return source;
    }
    var out = new StringBuilder(source);
    int i = 0;
    while (i < source.length()) {
      int end = skip(source, i);
      if (end > i) {
        i = end;
      } else if (source.startsWith("===", i) || source.startsWith("!==", i)) {
        out.setCharAt(i + 2, ' ');
        i += 3;
      } else {
        i++;
      }
    }
    return out.toString();
  }

  /// The index of the first `}}` outside strings, comments and brackets; -1 if there is none. A
  /// comment ends there too.
  public static int endOfSegment(String text, int from) {
    int open = 0;
    int i = from;
    while (i < text.length()) {
      int end = isComment(text, i) ? endOfComment(text, i) : skip(text, i);
      if (end > i) {
        i = end;
        continue;
      }
      char c = text.charAt(i);
      if (c == '}' && open == 0 && text.startsWith("}}", i)) {
        return i;
      }
      open = Math.max(0, open + bracket(c));
      i++;
    }
    return -1;
  }

  private static int bracket(char c) {
    return switch (c) {
      case '(', '[', '{' -> 1;
      case ')', ']', '}' -> -1;
      default -> 0;
    };
  }

  private static boolean isComment(String text, int i) {
    return text.startsWith("//", i);
  }

  private static int endOfComment(String text, int i) {
    int end = i;
    while (end < text.length() && text.charAt(end) != '\n' && !text.startsWith("}}", end)) {
      end++;
    }
    return end;
  }

  /// Behind the string, quoted identifier or comment that begins at `i`; `i` if none does.
  private static int skip(String text, int i) {
    char c = text.charAt(i);
    if (isComment(text, i)) {
      int end = text.indexOf('\n', i);
      return end < 0 ? text.length() : end;
    }
    if (c == '`') {
      int end = text.indexOf('`', i + 1);
      return end < 0 ? text.length() : end + 1;
    }
    return c == '\'' || c == '"' ? endOfString(text, i) : i;
  }

  private static int endOfString(String text, int start) {
    var quote = text.substring(start, start + 1);
    var mark = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
    boolean raw = isRaw(text, start);
    int i = start + mark.length();
    while (i < text.length()) {
      if (text.charAt(i) == '\\' && !raw) {
        i += 2;
      } else if (text.startsWith(mark, i)) {
        return i + mark.length();
      } else {
        i++;
      }
    }
    return text.length();
  }

  /// Whether the letters before a quote are a prefix with `r`, as in `r'…'`, `bR"…"`.
  private static boolean isRaw(String text, int quote) {
    int start = quote;
    while (start > 0 && Character.isJavaIdentifierPart(text.charAt(start - 1))) {
      start--;
    }
    var prefix = text.substring(start, quote);
    return prefix.matches("(?i)r|br|rb");
  }
}
