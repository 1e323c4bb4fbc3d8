package dev.superstep.state.value;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/// The canonical form of values (E46): UTF-8 JSON, no spaces, keys by code point, shortest doubles
/// that always show a fraction or an exponent, so that `1` and `1.0` stay different. Only what JSON
/// demands is escaped, and half a surrogate pair, which UTF-8 cannot write.
public final class Canonical {
  /// Orders keys by code point, which differs from `String.compareTo` beyond U+FFFF.
  public static final Comparator<String> KEYS = Canonical::compareCodePoints;

  /// Deeper values are refused with an exception: readers accept 200 levels, a state adds a few.
  static final int DEPTH_MAX = 500;

  private Canonical() {}

  /// @throws IllegalArgumentException if the value is nested more than 500 levels deep
  public static byte[] bytes(Value value) {
    var writer = new CanonicalWriter(64);
    writer.value(value, 0);
    return writer.toBytes();
  }

  /// @throws IllegalArgumentException if the value is nested more than 500 levels deep
  public static String text(Value value) {
    return new String(bytes(value), StandardCharsets.UTF_8);
  }

  /// The length of [#bytes], without writing them. Lists and objects remember it, and hand it on to
  /// versions made from them.
  ///
  /// @throws IllegalArgumentException if the value is nested more than 500 levels deep
  public static long size(Value value) {
    return size(value, 0);
  }

  static long size(Value value, int depth) {
    return switch (value) {
      case Value.Null _ -> 4;
      case Value.Bool(var flag) -> flag ? 4 : 5;
      case Value.Int(var number) -> digits(number);
      case Value.Real(var number) -> Double.toString(number).length();
      case Value.Text(var text) -> quotedSize(text);
      case ListValue list -> {
        requireDepth(depth);
        yield list.canonicalSize(depth);
      }
      case ObjectValue object -> {
        requireDepth(depth);
        yield object.canonicalSize(depth);
      }
    };
  }

  public static void requireDepth(int depth) {
    if (depth >= DEPTH_MAX) {
      throw new IllegalArgumentException(
          "a value may not be nested more than %d levels deep".formatted(DEPTH_MAX));
    }
  }

  static long quotedSize(String text) {
    long size = 2L + text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') {
        size += extra(text, i, c);
      }
    }
    return size;
  }

  /// How many more bytes than one a character takes; half of that for each half of a pair.
  private static int extra(String text, int at, char c) {
    if (c < 0x80) {
      return shortEscape(c) == 0 ? 5 : 1;
    }
    if (c < 0x800) {
      return 1;
    }
    if (!Character.isSurrogate(c)) {
      return 2;
    }
    boolean paired =
        Character.isHighSurrogate(c)
            ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
            : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    return paired ? 1 : 5;
  }

  /// The letter that follows the backslash, or 0 where only `\\u00xx` will do.
  static int shortEscape(char c) {
    return switch (c) {
      case '"' -> '"';
      case '\\' -> '\\';
      case '\n' -> 'n';
      case '\r' -> 'r';
      case '\t' -> 't';
      case '\b' -> 'b';
      case '\f' -> 'f';
      default -> 0;
    };
  }

  private static int digits(long number) {
    if (number < 0) {
      return number == Long.MIN_VALUE ? 20 : 1 + digits(-number);
    }
    int digits = 1;
    for (long rest = number; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private static int compareCodePoints(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean surrogates = Character.isSurrogate(a) != Character.isSurrogate(b);
        return surrogates ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
      }
    }
    return Integer.compare(left.length(), right.length());
  }
}
