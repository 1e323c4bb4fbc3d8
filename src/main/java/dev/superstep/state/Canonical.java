package dev.superstep.state;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/// The canonical form of values (E46): UTF-8 JSON, no spaces, keys by code point, shortest doubles
/// that always show a fraction or an exponent, so that `1` and `1.0` stay different.
public final class Canonical {
  /// Orders keys by code point, which differs from `String.compareTo` beyond U+FFFF.
  public static final Comparator<String> KEYS = Canonical::compareCodePoints;

  private Canonical() {}

  public static byte[] bytes(Value value) {
    return text(value).getBytes(StandardCharsets.UTF_8);
  }

  public static String text(Value value) {
    var out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Value value, StringBuilder out) {
    switch (value) {
      case Value.Null _ -> out.append("null");
      case Value.Bool(var flag) -> out.append(flag);
      case Value.Int(var number) -> out.append(number);
      case Value.Real(var number) -> out.append(number);
      case Value.Text(var text) -> quote(text, out);
      case ListValue list -> writeList(list, out);
      case ObjectValue object -> writeObject(object, out);
    }
  }

  private static void writeList(ListValue list, StringBuilder out) {
    out.append('[');
    var first = true;
    for (var item : list) {
      if (!first) {
        out.append(',');
      }
      first = false;
      write(item, out);
    }
    out.append(']');
  }

  private static void writeObject(ObjectValue object, StringBuilder out) {
    out.append('{');
    object.forEach((key, value) -> {
      if (out.charAt(out.length() - 1) != '{') {
        out.append(',');
      }
      quote(key, out);
      out.append(':');
      write(value, out);
    });
    out.append('}');
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> {
          if (c < 0x20) {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
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
