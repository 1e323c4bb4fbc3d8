package dev.superstep.json;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/// Writes values by the JSON Canonicalization Scheme (RFC 8785), for hashes that clients can
/// reproduce.
///
/// Unlike the canonical form of state it writes numbers as ECMAScript does, so `1` and `1.0` are
/// equal, and orders keys by UTF-16 unit. Integers beyond ±2⁵³, which the RFC leaves out, keep all
/// their digits: two documents that differ must not hash alike.
public final class Jcs {
  private Jcs() {}

  public static byte[] bytes(Value value) {
    return text(value).getBytes(StandardCharsets.UTF_8);
  }

  static String text(Value value) {
    var out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Value value, StringBuilder out) {
    switch (value) {
      case Value.Null _ -> out.append("null");
      case Value.Bool(var flag) -> out.append(flag);
      case Value.Int(var number) -> out.append(number);
      case Value.Real(var number) -> out.append(number(number));
      case Value.Text(var text) -> quote(text, out);
      case ListValue list -> {
        var separator = "[";
        for (var item : list) {
          out.append(separator);
          write(item, out);
          separator = ",";
        }
        out.append(list.isEmpty() ? "[]" : "]");
      }
      case ObjectValue object -> writeObject(object, out);
    }
  }

  private static void writeObject(ObjectValue object, StringBuilder out) {
    var separator = "{";
    for (var member : new TreeMap<>(object.asMap()).entrySet()) {
      out.append(separator);
      quote(member.getKey(), out);
      out.append(':');
      write(member.getValue(), out);
      separator = ",";
    }
    out.append(object.isEmpty() ? "{}" : "}");
  }

  /// ECMAScript's Number::toString.
  static String number(double number) {
    if (number == 0) {
      return "0";
    }
    if (number < 0) {
      return "-" + number(-number);
    }
    var shortest = shortest(number);
    var digits = shortest.unscaledValue().toString();
    int point = digits.length() - shortest.scale();
    if (point > 21 || point <= -6) {
      return scientific(digits, point - 1);
    }
    if (point <= 0) {
      return "0." + "0".repeat(-point) + digits;
    }
    return digits.length() <= point
        ? digits + "0".repeat(point - digits.length())
        : digits.substring(0, point) + "." + digits.substring(point);
  }

  /// Java finds the shortest digits too (JDK 19), but never fewer than two.
  private static BigDecimal shortest(double number) {
    var digits = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    var one = digits.round(new MathContext(1, RoundingMode.HALF_EVEN));
    return one.doubleValue() == number ? one.stripTrailingZeros() : digits;
  }

  private static String scientific(String digits, int exponent) {
    var fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
    return digits.charAt(0) + fraction + (exponent < 0 ? "e-" : "e+") + Math.abs(exponent);
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> out.append(c < 0x20 ? "\\u%04x".formatted((int) c) : String.valueOf(c));
      }
    }
    out.append('"');
  }
}
