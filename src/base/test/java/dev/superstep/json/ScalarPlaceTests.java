package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Pointer;
import dev.superstep.json.ScalarPlace.LinePosition;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The character '#' of the string at `/a/0/b` is found where it stands in the text.
class ScalarPlaceTests {
  private static final String POINTER = "/a/0/b";

  private static LinePosition expected(String text) {
    return expected(text, text.indexOf('#'));
  }

  private static LinePosition expected(String text, int at) {
    var before = text.substring(0, at);
    int line = 1 + (int) before.chars().filter(it -> it == '\n').count();
    var start = before.substring(before.lastIndexOf('\n') + 1);
    return new LinePosition(line, 1 + start.codePointCount(0, start.length()));
  }

  /// The place of '#' within the string.
  private static LinePosition within(String text, boolean json) {
    var root = json ? Json.read(text) : Yaml.read(text);
    var value =
        ((dev.superstep.state.value.Value.Text) Pointer.find(root, POINTER).orElseThrow()).value();
    return expected(value);
  }

  private static LinePosition found(String text, boolean json) {
    var within = within(text, json);
    var places =
        json
            ? ScalarPlaces.ofJson(text, Set.of(POINTER))
            : ScalarPlaces.ofYaml(text, Set.of(POINTER));
    return places.find(POINTER).orElseThrow().at(within.line(), within.column());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "a:|  - b: x#y",
        "é: 😀|a: [{c: 'x', b: 'it''s 😀 #'}]",
        "a:|- b: \"q \\\" \\n \\u00e9 \\x41 \\U0001f600 #\"",
        "a:|  - b: |-|      one|        two #|      three",
        "a:|  - b: |-||      one #",
        "a:|- c: 1|  b: |+|   # x|",
        "{\"a\": [{\"c\": 1, \"b\": \"x#\"}]}"
      })
  void findsTheCharacterInYaml(String rows) {
    var text = rows.replace("|-|", "\u0001").replace("|+|", "\u0002").replace('|', '\n');
    text = text.replace("\u0001", "|-\n").replace("\u0002", "|+\n");
    if (within(text, false).line() >= 1) {
      assertThat(found(text, false)).as(text).isEqualTo(expected(text));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{\"a\": [|{\"b\": \"x #\"}]}",
        "{|\"x\": \"é😀\", \"a\":|[{\"b\": \"\\\"\\\\ \\n \\u00e9 \\ud83d\\ude00 #\"}]}"
      })
  void findsTheCharacterInJson(String rows) {
    var text = rows.replace('|', '\n');
    assertThat(found(text, true)).as(text).isEqualTo(expected(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a:~ - b: >~    one~    two #~",
        "a:~ - b: >-  # folded~~    one~~      more~    #~",
        "a:~ - b: >~    {{ state.é😀 +~    state.b ) # }}~",
        "a:~ - b: one~    two  three#~",
        "a:~ - b: 'it''s~    one~~    two #'~",
        "a:~ - b: \"one \\n \\U0001f600 \\x41~    two \\~    three #\"~",
        "a: [{c: 1, b: one~  two#, d: 2}]~",
        "a: [{b: x#y}]",
        "a: [{b: \"x #\", c: 1}]",
        "a:~ - b: &x 'q #'~",
        "a:~ - b: &x q#~",
        "a:~ - b: &x  # named~      \"q #\"~",
        "a:~ - b: &x |~    one~    two #~",
        "a:~ - b: &x >~    one~    two #~",
        "a: [{b: &x x#}, *x]"
      })
  void findsTheCharacterWhereLinesAreFoldedAndBehindAnchors(String rows) {
    var text = rows.replace('~', '\n');
    assertThat(found(text, false)).as(text).isEqualTo(expected(text, text.lastIndexOf('#')));
  }

  @Test
  void saysNothingOfWhatStandsBehindAnAlias() {
    var places = ScalarPlaces.ofYaml("x: &x {b: 1}\na: [*x]\n", Set.of(POINTER));
    assertThat(places.find(POINTER)).isEmpty();
  }
}
