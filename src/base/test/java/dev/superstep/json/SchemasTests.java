package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.state.ValueCheck.Mismatch;
import dev.superstep.state.value.Value;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemasTests {

  @Test
  void pointsAtEveryViolation() {
    var check =
        Schemas.compile(
            Json.read(
                """
                {"type": "object", "required": ["approved"], "additionalProperties": false,
                 "properties": {"approved": {"type": "boolean"}, "a/b": {"type": "array",
                   "items": {"type": "integer"}}}}
                """));
    assertThat(check.check(Json.read("{\"approved\": true, \"a/b\": [1, 2.0]}"))).isEmpty();
    assertThat(check.check(Json.read("{\"a/b\": [1, \"x\", 1.5], \"c\": 0}")))
        .extracting(Mismatch::pointer)
        .containsExactlyInAnyOrder("", "", "/a~1b/1", "/a~1b/2");
    assertThat(check.check(Json.read("{}")))
        .singleElement()
        .satisfies(it -> assertThat(it.message()).contains("approved"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"type\": \"strnig\"} | /type",
        "{\"properties\": {\"a\": {\"minimum\": \"x\"}}} | /properties/a/minimum",
        "[] | ~~",
        "1 | ~~",
        "{\"$schema\": \"https://example.com/mine\"} | /$schema",
      })
  void pointsIntoAnInvalidSchema(String schema, String pointer) {
    assertThatThrownBy(() -> Schemas.compile(Json.read(schema)))
        .isInstanceOfSatisfying(
            InvalidSchemaException.class,
            e -> assertThat(e.problems()).extracting(Mismatch::pointer).contains(pointer));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"$ref\": \"http://127.0.0.1:1/schema.json\"}",
        "{\"$ref\": \"file:///etc/hostname\"}",
        "{\"$ref\": \"classpath:application.yaml\"}",
        "{\"$ref\": \"#/$defs/missing\"}",
        "{\"$id\": \"http://127.0.0.1:1/a\", \"$ref\": \"b\"}",
        "{\"items\": {\"$ref\": \"http://127.0.0.1:1/schema.json\"}}",
        "{\"properties\": {\"a\": {\"pattern\": \"(\"}}}",
        "{\"pattern\": \"(?=a)b\"}",
      })
  @Timeout(30)
  void refusesReferencesThatLeadOutAndPatternsThatAreNone(String schema) {
    assertThatThrownBy(() -> Schemas.compile(Json.read(schema)))
        .isInstanceOf(InvalidSchemaException.class)
        .message()
        .doesNotContainPattern("\\w+\\.\\w+\\.\\w+Exception");
  }

  @Test
  void followsReferencesWithinTheSchema() {
    var check =
        Schemas.compile(
            Json.read(
                """
                {"$defs": {"tree": {"type": "object", "properties": {"kids": {"type": "array",
                   "items": {"$ref": "#/$defs/tree"}}}}}, "$ref": "#/$defs/tree"}
                """));
    assertThat(check.check(Json.read("{\"kids\": [{\"kids\": [{}]}]}"))).isEmpty();
    assertThat(check.check(Json.read("{\"kids\": [{\"kids\": [1]}]}")))
        .extracting(Mismatch::pointer)
        .containsExactly("/kids/0/kids/0");
  }

  @Test
  void takesOlderDraftsAndBooleans() {
    var draft7 = "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"type\": \"string\"}";
    assertThat(Schemas.compile(Json.read(draft7)).check(Json.read("1"))).hasSize(1);
    assertThat(Schemas.compile(Json.read("false")).check(Json.read("1"))).hasSize(1);
    assertThat(Schemas.compile(Json.read("true")).check(Json.read("1"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"$ref\": \"#\"}",
        "{\"items\": {\"anyOf\": [{\"$ref\": \"#\"}, {\"$ref\": \"#\"}, {\"$ref\": \"#\"}]},"
            + " \"type\": \"array\"}",
        "{\"allOf\": [{\"$ref\": \"#/$defs/a\"}], \"$defs\": {\"a\": {\"anyOf\": [{\"$ref\":"
            + " \"#\"}]}}}",
        "{\"items\": {\"allOf\": [{\"$ref\": \"#\"}, {\"$ref\": \"#\"}]}}",
      })
  @Timeout(60)
  void boundsSchemasThatExplode(String schema) {
    var check = Schemas.compile(Json.read(schema));
    assertThat(check.check(Json.read("[".repeat(99) + "1" + "]".repeat(99)))).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{'properties': {'a': {'pattern': 'BOMB'}}}; /properties/a/pattern",
        "{'items': {'anyOf': [{}, {'patternProperties': {'BOMB': {}}}]}}; /patternProperties/a{",
        "{'$defs': {'pattern': {'not': {'pattern': 'BOMB'}}}}; /$defs/pattern/not/pattern"
      })
  void refusesPatternsByTheirSizeBeforeItCompilesThem(String schema, String pointer) {
    var bomb = "a{1000}".repeat(30_000);
    var value = Json.read(schema.replace('\'', '"').replace("BOMB", bomb));
    assertThatThrownBy(() -> Schemas.compile(value))
        .isInstanceOfSatisfying(
            InvalidSchemaException.class,
            e -> {
              assertThat(e.problems().getFirst().pointer()).contains(pointer);
              assertThat(e.problems().getFirst().message())
                  .contains("too large", "1000 positions")
                  .hasSizeLessThan(300);
            });
  }

  @Test
  void boundsThePatternsOfASchemaTogether() {
    var patterns =
        IntStream.range(0, 1_000)
            .mapToObj("{\"pattern\": \"a{500}%d\"}"::formatted)
            .collect(Collectors.joining(",", "{\"anyOf\": [", "]}"));
    assertThatThrownBy(() -> Schemas.compile(Json.read(patterns)))
        .isInstanceOf(InvalidSchemaException.class)
        .hasMessageContaining("together");
  }

  @Test
  void leavesValuesAloneThatLookLikePatterns() {
    var value = Json.read("{\"pattern\": \"(\"}");
    var constant = Json.read("{\"const\": {\"pattern\": \"(\"}}");
    assertThat(Schemas.compile(constant).check(value)).isEmpty();
    var names = Json.read("{\"properties\": {\"pattern\": {\"type\": \"string\"}}}");
    assertThat(Schemas.compile(names).check(value)).isEmpty();
  }

  @Test
  void boundsTheWorkOfMatching() {
    var check = Schemas.compile(Json.read("{\"pattern\": \"(\\\\pL*){100}x\"}"));
    assertThat(check.check(Value.of("é".repeat(1 << 20))))
        .singleElement()
        .satisfies(it -> assertThat(it.message()).contains("take too long"));
    assertThat(check.check(Value.of("éx"))).isEmpty();
  }

  @Test
  @Timeout(30)
  void matchesPatternsInLinearTime() {
    var check = Schemas.compile(Json.read("{\"pattern\": \"^(a+)+$\"}"));
    assertThat(check.check(Json.read("\"" + "a".repeat(50_000) + "!\""))).hasSize(1);
  }

  /// Those of few words are not held against the schema of schemas, if each of these is sound.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\": \"text\"}",
        "{\"type\": [\"string\", \"string\"]}",
        "{\"description\": 1}",
        "{\"title\": {}}",
        "{\"items\": 3}",
        "{\"items\": {\"type\": \"text\"}}",
        "{\"additionalProperties\": \"no\"}",
        "{\"properties\": []}",
        "{\"properties\": {\"a\": 1}}",
        "{\"properties\": {\"a\": {\"items\": {\"minimum\": \"1\"}}}}",
        "{\"required\": \"a\"}",
        "{\"required\": [1]}",
        "{\"required\": [\"a\", \"a\"]}"
      })
  void refusesSchemasOfFewWords(String schema) {
    assertThatThrownBy(() -> Schemas.compile(Json.read(schema)))
        .isInstanceOf(InvalidSchemaException.class);
  }
}
