package dev.superstep.token;

/// Splits a text where every encoding begins a new token anyway: between a letter and the space or
/// the end of line behind it. A word too long for the encodings, whose time grows faster than its
/// length, is cut within: that may count a token more for each cut.
final class Pieces {
  private static final int WORD_MAX = 256;
  private static final int PIECE = 4_096;

  private Pieces() {}

  /// The end of the piece that begins here.
  static int end(String text, int from) {
    int words = from;
    int last = from;
    int max = Math.min(text.length(), from + PIECE);
    for (int i = from + 1; i < max; i++) {
      if (isBoundary(text, i)) {
        last = i;
      }
      if (kind(text.charAt(i)) != kind(text.charAt(i - 1))) {
        words = i;
      } else if (i - words >= WORD_MAX) {
        return whole(text, from, i);
      }
    }
    if (max == text.length()) {
      return max;
    }
    return last > from ? last : whole(text, from, max);
  }

  private static boolean isBoundary(String text, int i) {
    char next = text.charAt(i);
    return (next == ' ' || next == '\n') && Character.isLetter(text.charAt(i - 1));
  }

  /// Not between the halves of a surrogate pair.
  private static int whole(String text, int from, int end) {
    return Character.isHighSurrogate(text.charAt(end - 1)) && end - 1 > from ? end - 1 : end;
  }

  /// The runs of characters that tokens consist of.
  private static int kind(char c) {
    if (Character.isLetter(c) || Character.isSurrogate(c)) {
      return 0;
    }
    if (Character.isWhitespace(c)) {
      return 1;
    }
    return Character.isDigit(c) ? 2 : 3;
  }
}
