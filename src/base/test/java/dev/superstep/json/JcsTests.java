package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Examples of RFC 8785.
class JcsTests {

  @ParameterizedTest
  @CsvSource({
    "0000000000000000, 0",
    "8000000000000000, 0",
    "0000000000000001, 5e-324",
    "8000000000000001, -5e-324",
    "7fefffffffffffff, 1.7976931348623157e+308",
    "ffefffffffffffff, -1.7976931348623157e+308",
    "4340000000000000, 9007199254740992",
    "c340000000000000, -9007199254740992",
    "4430000000000000, 295147905179352830000",
    "44b52d02c7e14af5, 9.999999999999997e+22",
    "44b52d02c7e14af6, 1e+23",
    "44b52d02c7e14af7, 1.0000000000000001e+23",
    "444b1ae4d6e2ef4e, 999999999999999700000",
    "444b1ae4d6e2ef4f, 999999999999999900000",
    "444b1ae4d6e2ef50, 1e+21",
    "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
    "3eb0c6f7a0b5ed8d, 0.000001",
    "41b3de4355555553, 333333333.3333332",
    "41b3de4355555554, 333333333.33333325",
    "41b3de4355555555, 333333333.3333333",
    "41b3de4355555556, 333333333.3333334",
    "41b3de4355555557, 333333333.33333343",
    "becbf647612f3696, -0.0000033333333333333333",
    "43143ff3c1cb0959, 1424953923781206.2",
  })
  void writesNumbersAsInAppendixB(String bits, String expected) {
    var number = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));
    assertThat(Jcs.text(Value.of(number))).isEqualTo(expected);
  }

  // As the RFC writes it, with more digits than a double has.
  @SuppressWarnings("FloatingPointLiteralPrecision")
  @Test
  void writesTheObjectOfSection322() {
    var numbers =
        ListValue.of(
            Value.of(333333333.33333329),
            Value.of(1E30),
            Value.of(4.50),
            Value.of(2e-3),
            Value.of(0.000000000000000000000000001));
    var object =
        ObjectValue.of(
            Map.of(
                "numbers", numbers,
                "string", Value.of("\u20ac$\u000F\nA'B\"\\\\\"/"),
                "literals", ListValue.of(Value.NULL, Value.TRUE, Value.FALSE)));
    assertThat(new String(Jcs.bytes(object), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
  }

  @Test
  void ordersKeysByUtf16UnitAsInSection323() {
    var object =
        Json.read(
            """
            {"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Dalet", "1": "One",
             "\\ud83d\\ude00": "Smiley", "\\u0080": "Control", "\\u00f6": "o with Diaeresis"}
            """);
    assertThat(Jcs.text(object))
        .containsSubsequence(
            "Carriage Return", "One", "Control", "o with Diaeresis", "Euro", "Smiley", "Dalet");
  }

  @Test
  void keepsAllDigitsOfLargeIntegersAndTakesOneForOnePointZero() {
    assertThat(Jcs.text(Json.read("[9007199254740993, 1, 1.0, {}, []]")))
        .isEqualTo("[9007199254740993,1,1,{},[]]");
  }
}
