package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.superstep.graph.Violation;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlTests {

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "0.", "1e", "0x"})
  void refusesNumbersOfAMillionDigitsAtOnce(String start) {
    var bomb = "a: " + start + "1".repeat(1_000_000);
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () ->
            assertThatThrownBy(() -> Yaml.read(bomb))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("number_not_representable"));
    assertThat(Yaml.read("a: x" + "1".repeat(10_000)).toString()).contains("x111");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '%',
      value = {
        "yes | \"yes\"",
        "on | \"on\"",
        "No | \"No\"",
        "true | true",
        "False | false",
        "~ | null",
        "null | null",
        "'' | \"\"",
        "12 | 12",
        "012 | 12",
        "0o17 | 15",
        "0xff | 255",
        "+5 | 5",
        "1.50 | 1.5",
        "1e3 | 1000.0",
        ".5 | 0.5",
        "1_000 | \"1_000\"",
        "12:30 | \"12:30\"",
        "2026-01-01 | \"2026-01-01\"",
        "'12' | \"12\"",
        "<< | \"<<\"",
        "${HOME} | \"${HOME}\"",
        "[a, {b: c}] | [\"a\",{\"b\":\"c\"}]",
        "{on: 1} | {\"on\":1}",
      })
  void readsTheCoreSchemaOfYaml12(String yaml, String expected) {
    assertThat(Json.write(Yaml.read(yaml))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "a: {b: 1, b: 2} | duplicate_key | /a/b",
        "a: [.inf] | number_not_representable | /a/0",
        "a: 12345678901234567890 | number_not_representable | /a",
        "a: !!str 1 | yaml_tag | /a",
        "a: !x {b: 1} | yaml_tag | /a",
        "a: *b | yaml_alias | /a",
        "a: &b [*b] | yaml_alias | /a/0",
        "1: a | key_not_string | ~~",
        "[a]: 1 | key_not_string | ~~",
        "{[a]: 1} | key_not_string | ~~",
        "a: [ | malformed_yaml | ~~",
        "a: \"\\0\" | nul_character | /a",
      })
  void refusesWhatWouldSurprise(String yaml, String code, String pointer) {
    assertThat(problems(yaml))
        .first()
        .returns(code, Violation::code)
        .returns(pointer, Violation::pointer);
  }

  @Test
  void namesEveryProblemWithItsPlace() {
    assertThat(problems("a: !t 1\nb:\n  - x\n  - .nan\nb: 2\n"))
        .extracting(Violation::code, Violation::pointer, Violation::line, Violation::column)
        .containsExactly(
            tuple("yaml_tag", "/a", 1, 4),
            tuple("number_not_representable", "/b/1", 4, 5),
            tuple("duplicate_key", "/b", 5, 1));
  }

  @Test
  void expandsAliases() {
    assertThat(Yaml.read("a: &x {k: [1]}\nb: *x"))
        .isEqualTo(Json.read("{\"a\": {\"k\": [1]}, \"b\": {\"k\": [1]}}"));
  }

  @Test
  @Timeout(30)
  void refusesABillionLaughs() {
    var bomb = new StringBuilder("a0: &a0 [x,x,x]\n");
    for (int i = 1; i < 40; i++) {
      bomb.append("a%d: &a%d [*a%d,*a%d]\n".formatted(i, i, i - 1, i - 1));
    }
    assertThat(problems(bomb.toString()).getLast().code()).isIn("yaml_alias", "too_large");
  }

  @Test
  @Timeout(30)
  void refusesAliasesThatExpandTooFar() {
    var wide = "a: &a [%s]\nb: [*a, *a, *a]\n".formatted("x,".repeat(100));
    assertThat(limited(wide, new JsonLimits(100, 500, 50, 10))).isEqualTo("too_large");
    var deep = "a: &a [[[1]]]\nb: [[[*a]]]\n";
    assertThat(limited(deep, new JsonLimits(6, 500, 50, 10))).isEqualTo("too_deep");
  }

  private static String limited(String yaml, JsonLimits limits) {
    try {
      return "read as " + Yaml.read(yaml, limits);
    } catch (JsonException e) {
      return e.problems().getLast().code();
    }
  }

  @Test
  void boundsDepth() {
    assertThat(problems("[".repeat(20_000))).last().returns("too_deep", Violation::code);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--- a\n--- b\n", "a: 1\n...\nb: 2"})
  void takesOneDocumentOnly(String yaml) {
    assertThat(problems(yaml)).last().returns("malformed_yaml", Violation::code);
  }

  @Test
  void readsAnEmptyDocumentAsNull() {
    assertThat(Yaml.read("# nothing\n")).isEqualTo(Value.NULL);
  }

  @Test
  void readsBackWhatItWrites() {
    var value =
        Json.read(
            """
            {"a": ["yes", "12", "1.5", "null", "", " x ", "a: b", "# c", "l1\\nl2\\n", "é😀", "<<"],
             "b": {"c": 1, "d": 1.0, "e": null, "f": true, "g": {}, "h": [], "i": 1E300},
             "12": "key", "j": "%s"}
            """
                .formatted("long ".repeat(100)));
    assertThat(Yaml.read(Yaml.write(value))).isEqualTo(value);
  }

  private static List<Violation> problems(String yaml) {
    try {
      throw new AssertionError("read as " + Yaml.read(yaml));
    } catch (JsonException e) {
      return e.problems();
    }
  }
}
