package dev.superstep.json;

import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;

/// Decides which literals and strings are values (E46, durability rule 11).
final class Scalars {
  /// So short a literal without an exponent has at most 15 digits, which a double always keeps.
  private static final int EXACT_LENGTH = 16;

  /// As long as Jackson's numbers may be.
  public static final int LITERAL_MAX = 1_000;

  private static final MathContext ONE_DIGIT = new MathContext(1);

  private Scalars() {}

  /// The value of a decimal literal; empty if neither int64 nor binary64 has it. A literal with a
  /// fraction or an exponent is always a [Value.Real], whatever its value.
  public static Optional<Value> number(String literal) {
    if (literal.length() > LITERAL_MAX) {
      return Optional.empty(); // what follows is quadratic in the digits
    }
    try {
      return isInteger(literal)
          ? Optional.of(Value.of(Long.parseLong(literal)))
          : real(literal).map(Value::of);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<Double> real(String literal) {
    double number = Double.parseDouble(literal);
    if (!Double.isFinite(number)) {
      return Optional.empty();
    }
    if (literal.length() <= EXACT_LENGTH && !hasExponent(literal)) {
      return Optional.of(number);
    }
    var exact = new BigDecimal(literal);
    return isShortest(exact, number) ? Optional.of(number) : Optional.empty();
  }

  /// [Double#toString] writes two digits at least, which for the least of the subnormal numbers is
  /// not the shortest form: that is 5e-324, where it writes 4.9E-324. Both are accepted.
  private static boolean isShortest(BigDecimal exact, double number) {
    return exact.compareTo(new BigDecimal(Double.toString(number))) == 0
        || (Math.abs(number) < Double.MIN_NORMAL
            && exact.compareTo(new BigDecimal(number).round(ONE_DIGIT)) == 0);
  }

  private static boolean isInteger(String literal) {
    return literal.indexOf('.') < 0 && !hasExponent(literal);
  }

  private static boolean hasExponent(String literal) {
    return literal.indexOf('e') >= 0 || literal.indexOf('E') >= 0;
  }

  public static String numberMessage(String literal) {
    var shown = literal.length() <= 40 ? literal : literal.substring(0, 40) + "…";
    return ("%s is neither a 64-bit integer nor a number that a double keeps exactly; round it or"
            + " send it as a string")
        .formatted(shown);
  }

  /// The code of what is wrong with a string; empty if nothing is.
  public static Optional<String> flaw(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return Optional.of(JsonCodes.NUL);
      }
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return Optional.of(JsonCodes.SURROGATE);
        }
        i++;
      }
    }
    return Optional.empty();
  }

  public static String flawMessage(String code) {
    return code.equals(JsonCodes.NUL)
        ? "the string contains the character U+0000, which cannot be stored; remove it"
        : "the string contains half of a surrogate pair, which is no character; remove it";
  }
}
