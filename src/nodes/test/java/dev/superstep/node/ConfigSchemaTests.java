package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.json.Schemas;
import dev.superstep.state.ValueCheck.Mismatch;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigSchemaTests {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "expression",
        "router",
        "function",
        "http",
        "human",
        "wait",
        "llm",
        "tool",
        "compact",
        "subgraph",
        "fail",
        "worker"
      })
  void acceptsItsOwnExamples(String type) {
    var schema = ConfigSchema.read(type);
    assertThat(schema.get("description")).isInstanceOf(Value.Text.class);
    assertThat(schema.get("additionalProperties")).isEqualTo(Value.FALSE);
    var examples = ((ListValue) schema.getOr("examples", ListValue.empty())).asList();
    assertThat(examples).isNotEmpty();
    for (var example : examples) {
      assertThat(violations(type, Json.write(example))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "expression",
        "function",
        "http",
        "human",
        "wait",
        "llm",
        "tool",
        "compact",
        "subgraph",
        "fail",
        "worker"
      })
  void describesEveryKey(String type) {
    var properties = (ObjectValue) ConfigSchema.read(type).getOr("properties", Value.NULL);
    properties.forEach((key, schema) ->
        assertThat(((ObjectValue) schema).has("description")).as(type + "." + key).isTrue());
  }

  /// What is published needs nothing else to be understood.
  @ParameterizedTest
  @ValueSource(strings = {"expression", "http", "human", "llm", "tool", "subgraph"})
  void writesOutWhatTheFilesShare(String type) {
    assertThat(Json.write(ConfigSchema.read(type)))
        .contains("handed to the channel's reducer")
        .doesNotContain("$ref");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          expression | {"updates": {}}
          expression | {"goto": "b"}
          expression | {"goto": ["not an id"]}
          expression | {"dispatch": [{"input": {}}]}
          expression | {"update": {"__a": 1}}
          expression | {"update": "text"}
          expression | {"interrupt": {}}
          router     | {"a": 1}
          function   | {}
          function   | {"function": 1}
          function   | {"function": "f", "arguments": []}
          function   | {"function": "f", "pure": "yes"}
          http       | {}
          http       | {"url": "http://a.example", "mode": "rpc"}
          http       | {"url": "http://a.example", "method": "TRACE"}
          http       | {"url": "http://a.example", "headers": {"a b": "c"}}
          http       | {"url": "http://a.example", "headers": {"a": ["c"]}}
          http       | {"url": "http://a.example", "follow_redirects": "yes"}
          http       | {"url": "http://a.example", "state_keys": "a"}
          human      | {"on_expiry": "answer", "expires_after": "1h"}
          human      | {"on_expiry": "answer", "default_answer": 1}
          human      | {"on_expiry": "forget"}
          human      | {"answer_to": "a b"}
          human      | {"expires_after": 5}
          human      | {"result": {"updates": {}}}
          llm        | {"result": {"interrupt": {"reason": "ask"}}}
          tool       | {"result": {"goto": "a"}}
          subgraph   | {"graph": "g", "result": {"update": "text"}}
          wait       | {}
          wait       | {"event": {"match": "true"}}
          wait       | {"for": 5}
          tool       | {"approval": "when"}
          compact    | {"keep_last": -1, "summarizer": {"type": "drop"}}
          compact    | {}
          compact    | {"summarizer": {}}
          subgraph   | {"version": 1}
          fail       | {"code": "sold_out"}
          fail       | {"code": "sold_out", "message": "x", "details": []}
          worker     | {}
          """)
  void refusesWrongConfigurations(String type, String config) {
    assertThat(violations(type, config)).isNotEmpty();
  }

  private static List<Mismatch> violations(String type, String config) {
    return Schemas.compile(ConfigSchema.read(type)).check(Json.read(config));
  }
}
