package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.Violation;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTests {

  /// E46
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | 1",
        "-0 | 0",
        "9223372036854775807 | 9223372036854775807",
        "-9223372036854775808 | -9223372036854775808",
        "1.0 | 1.0",
        "1.50 | 1.5",
        "1e2 | 100.0",
        "0.1 | 0.1",
        "1.7976931348623157e308 | 1.7976931348623157E308",
        "0.1000000000000000000000 | 0.1",
        "5e-324 | 4.9E-324",
        "4.9e-324 | 4.9E-324",
        "4e-324 | x",
        "1e-323 | 9.9E-324",
        "0e5 | 0.0",
        "123456789.123456789e0 | x",
        "0.10000000000000001 | x",
        "9007199254740993.0 | x",
        "9223372036854775808 | x",
        "12345678901234567890 | x",
        "1e400 | x",
        "1e-400 | x",
        "1e99999999999 | x",
        "1e-99999999999 | x",
      })
  void keepsNumbersByValueOrRefusesThem(String literal, String expected) {
    if (expected.equals("x")) {
      assertThat(problems("{\"a\": [0, %s]}".formatted(literal)))
          .singleElement()
          .returns("number_not_representable", Violation::code)
          .returns("/a/1", Violation::pointer);
    } else {
      assertThat(Json.write(Json.read(literal))).isEqualTo(expected);
    }
  }

  @Test
  void refusesNumbersOfThousandsOfDigitsAsNumbers() {
    for (var literal : List.of("1".repeat(5_000), "0." + "1".repeat(5_000))) {
      assertThat(problems("{\"a\": %s}".formatted(literal)))
          .singleElement()
          .returns("number_not_representable", Violation::code);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[NaN]", "[Infinity]", "// c\n1", "/* c */ 1", "# c\n1", "[1,]", "{'a':1}"})
  void saysNothingOfTheParsersOwnNamesAndSettings(String text) {
    assertThat(problems(text))
        .allSatisfy(it ->
            assertThat(it.message())
                .isNotBlank()
                .doesNotContain("Feature", "ALLOW_", "StreamRead", "enable"));
  }

  /// RFC 8259, 8.1: readers may ignore it.
  @Test
  void ignoresAByteOrderMark() {
    assertThat(Json.read("\ufeff{\"a\":1}")).isEqualTo(Json.read("{\"a\":1}"));
    assertThat(Json.read("\ufeff[1]".getBytes(StandardCharsets.UTF_8))).isEqualTo(Json.read("[1]"));
  }

  @Test
  void tellsOneFromOnePointZero() {
    assertThat(Json.read("1")).isEqualTo(Value.of(1)).isNotEqualTo(Json.read("1.0"));
  }

  /// Durability rule 11.
  @Test
  void namesEveryProblemWithItsPlace() {
    var text =
        """
        {"a": 1,
         "b~/": ["\\u0000", "\\ud800", "\\ude00\\ud83d", "\\ud83d\\ude00"],
         "a": 2, "n": 1e999}
        """;
    assertThat(problems(text))
        .extracting(Violation::code, Violation::pointer, Violation::line)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("nul_character", "/b~0~1/0", 2),
            org.assertj.core.groups.Tuple.tuple("lone_surrogate", "/b~0~1/1", 2),
            org.assertj.core.groups.Tuple.tuple("lone_surrogate", "/b~0~1/2", 2),
            org.assertj.core.groups.Tuple.tuple("duplicate_key", "/a", 3),
            org.assertj.core.groups.Tuple.tuple("number_not_representable", "/n", 3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "{'a':1}",
        "{a:1}",
        "01",
        "+1",
        ".5",
        "1.",
        "NaN",
        "nul",
        "[1] [2]",
        "// c\n1",
        "\"\n\"",
        "\"\\x\"",
        "[1 2]",
        "\u0000"
      })
  void refusesWhatIsNoJson(String text) {
    assertThat(problems(text)).last().returns("malformed_json", Violation::code);
  }

  @Test
  void saysWhereTheTextIsMalformed() {
    assertThat(problems("{\"a\":\n  [1, }"))
        .singleElement()
        .returns("/a/1", Violation::pointer)
        .returns(2, Violation::line);
  }

  @Test
  void boundsDepthAndSize() {
    assertThat(Json.read("[".repeat(100) + "]".repeat(100))).isInstanceOf(ListValue.class);
    assertThat(problems("[".repeat(101) + "]".repeat(101)))
        .singleElement()
        .returns("too_deep", Violation::code);
    assertThat(problems("[".repeat(1_000_000))).last().returns("too_deep", Violation::code);
    assertThatThrownBy(() -> Json.read("[1, 2]", JsonLimits.DEFAULT.withChars(5)))
        .hasMessageContaining("too_large");
  }

  @Test
  void stopsAfterTheHundredthProblem() {
    assertThat(problems("[" + "1e999,".repeat(200) + "0]")).hasSize(100);
  }

  @Test
  void readsBytesLikeText() {
    var text = "{\"ö\":\"€😀\"}";
    var expected = Json.read(text);
    assertThat(Json.read(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(expected);
    assertThatThrownBy(() -> Json.read(new byte[] {'"', (byte) 0xC0, (byte) 0x80, '"'}))
        .hasMessageContaining("UTF-8");
  }

  @Test
  void readsBackWhatItWrites() {
    var text = "{\"a\":[1,1.0,-2.5E-7,null,true,\"\\u0001\\\"\\\\é\"],\"b\":{}}";
    assertThat(Json.write(Json.read(text))).isEqualTo(text);
  }

  private static List<Violation> problems(String text) {
    try {
      throw new AssertionError("read as " + Json.read(text));
    } catch (JsonException e) {
      return e.problems();
    }
  }
}
