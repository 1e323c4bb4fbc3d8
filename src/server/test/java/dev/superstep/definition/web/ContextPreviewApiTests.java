package dev.superstep.definition.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

@GraphApiTest
class ContextPreviewApiTests {
  private static final String CONTEXT =
      """
      "context": {
        "template": "You are.",
        "variables": {"llm": {"model": "m", "notes": "long text"}, "tool.api_key": "sk-1", "priority": "high"},
        "history": [
          {"node_id": "search", "prompt": "?", "response": "!", "superstep": 1, "metadata": {"tool_call": true}},
          {"id": "h2", "node_id": "think", "timestamp": "2026-01-01T00:00:00Z"}],
        "metadata": {"system.tenant": "acme"}}
      """;

  @LocalServerPort private int port;
  private GraphApi api;

  @BeforeEach
  void connect() {
    api = new GraphApi(port);
  }

  private GraphApi.Answer preview(String more) {
    return api.post("/v1/context/preview", GraphApi.JSON, "{%s%s}".formatted(CONTEXT, more));
  }

  /// P17: the view, and for each item the rule that settled its fate.
  @Test
  void tellsWhatANodeSeesAndWhy() {
    var answer =
        preview(
                """
                , "edge": {"id": "e", "context_filter": {"type": "selective", "exclude_patterns": ["*.api_key"]}},
                "node": {"id": "n", "type": "llm", "required_context": ["llm.model", "prompt.*"]}
                """)
            .hasStatus(200);
    assertThat(answer.at("/context/variables").toString())
        .isEqualTo("{\"llm.model\":\"m\",\"llm.notes\":\"long text\"}");
    assertThat(answer.at("/context/history").toString())
        .isEqualTo(
            "[{\"id\":\"h2\",\"node_id\":\"think\",\"timestamp\":\"2026-01-01T00:00:00Z\"}]");
    assertThat(answer.at("/unmet")).isEqualTo(ListValue.texts("prompt.*"));
    assertThat(because(answer, "llm.model"))
        .isEqualTo("default_filter n kept /rules/0 include llm.*");
    assertThat(because(answer, "tool.api_key"))
        .isEqualTo("edge e dropped /exclude_patterns/0 exclude *.api_key");
    assertThat(because(answer, "entry-0"))
        .isEqualTo("type n dropped llm_context llm_context takes the entries without tool_call");
    assertThat(because(answer, "priority"))
        .startsWith("type n dropped llm_context llm_context takes the variables llm.*");
  }

  private static String because(GraphApi.Answer answer, String key) {
    for (var item : (ListValue) answer.at("/items")) {
      if (item instanceof ObjectValue object
          && object.getOr("key", Value.NULL).equals(Value.of(key))) {
        var step = (ObjectValue) object.getOr("decided_by", ObjectValue.empty());
        return String.join(
            " ",
            text(step, "stage"),
            text(step, "source"),
            text(step, "action"),
            text(step, "rule"),
            text(step, "because"));
      }
    }
    throw new AssertionError("no item " + key + " in " + answer.body());
  }

  private static String text(ObjectValue object, String key) {
    return object.getOr(key, Value.NULL) instanceof Value.Text(var text) ? text : "";
  }

  /// P5, P10, P19: conditions as the seed writes them, over the context and what a task sees.
  @Test
  void evaluatesConditionsAsRunsDo() {
    var edge =
        """
        , "edge": {"context_filter": {"type": "conditional", "condition": "context.priority === '%s' && state.go"}},
        "scope": {"state": {"go": true}}
        """;
    assertThat(preview(edge.formatted("high")).text("/context/variables/priority"))
        .isEqualTo("high");
    assertThat(preview(edge.formatted("low")).at("/context/variables"))
        .isEqualTo(ObjectValue.empty());
    var failing =
        preview(
            """
            , "edge": {"context_filter": {"type": "conditional", "condition": "state.missing"}}
            """);
    assertThat(failing.text("/failures/0/condition")).isEqualTo("state.missing");
    assertThat(failing.at("/context/variables")).isEqualTo(ObjectValue.empty());
  }

  /// P6: an item that was transformed says by what.
  @Test
  void tellsWhatWasTransformed() {
    var answer =
        preview(
                """
                , "node": {"type": "router", "context_filter": {"rules": [
                  {"type": "transform", "pattern": "llm.*", "transform": "rename('model.*')"},
                  {"type": "transform", "pattern": "model.notes", "transform": "truncate(4)"},
                  {"type": "include", "pattern": "x"}]}}
                """)
            .hasStatus(200);
    assertThat(answer.at("/context/variables").toString()).contains("\"model.notes\":\"long\"");
    assertThat(because(answer, "model.notes")).contains("transformed /rules/1");
    assertThat(answer.text("/warnings/0/pointer")).isEqualTo("/node/context_filter/rules/2");
    assertThat(answer.text("/warnings/0/code")).isEqualTo("no_effect");
  }

  /// P8 `merge`, P9, P17: what several edges pass is merged, a later one wins; an item that one of
  /// them dropped and another let through is there.
  @Test
  void mergesWhatSeveralEdgesPass() {
    var answer =
        preview(
                """
                , "edges": [
                  {"id": "e1", "context_filter": {"type": "selective", "include_patterns": ["llm.*"]}},
                  {"id": "e2", "context_filter": {"type": "transform", "transform_rules":
                    [{"source_pattern": "llm.model", "target_pattern": "llm.model", "transform": "upper"}]}}],
                "node": {"id": "n", "type": "router",
                  "context_filter": {"rules": [{"type": "exclude", "pattern": "tool.*"}]}}
                """)
            .hasStatus(200);
    assertThat(answer.at("/context/variables").toString())
        .isEqualTo("{\"llm.model\":\"M\",\"llm.notes\":\"long text\",\"priority\":\"high\"}");
    assertThat(because(answer, "tool.api_key"))
        .isEqualTo("filter n dropped /rules/0 exclude tool.*");
    assertThat(preview(", \"edge\": {}, \"edges\": [{}]").hasStatus(422).text("/errors/0/pointer"))
        .isEqualTo("/edges");
    assertThat(
            preview(", \"edges\": [{}, {\"context_filter\": {\"type\": \"selective\"}}]")
                .hasStatus(422)
                .text("/errors/0/pointer"))
        .isEqualTo("/edges/1/context_filter");
  }

  /// P18: everything that is wrong, with pointers into the request.
  @Test
  void refusesFiltersThatCannotBeUsed() {
    var answer =
        preview(
                """
                , "edge": {"context_filter": {"type": "selective"}},
                "node": {"context_type": "custom:nobody", "context_filter": {"rules": [{"type": "exclude", "pattern": "", "condition": "1 +"}]}}
                """)
            .hasStatus(422);
    assertThat(answer.text("/code")).isEqualTo("invalid_definition");
    assertThat(answer.body())
        .contains(
            "/edge/context_filter\"",
            "/node/context_type\"",
            "/node/context_filter/rules/0/pattern\"",
            "/node/context_filter/rules/0/condition\"",
            "\"line\":1");
  }

  @Test
  void refusesContextsThatAreNone() {
    assertThat(
            api.post("/v1/context/preview", GraphApi.JSON, "{}")
                .hasStatus(422)
                .text("/errors/0/pointer"))
        .isEqualTo("/context");
    var twice =
        """
        {"context": {"variables": {"a": {"b": 1}, "a.b": 2}, "history": [1, {"id": "x"}]}}
        """;
    assertThat(api.post("/v1/context/preview", GraphApi.JSON, twice).hasStatus(422).body())
        .contains("/context/variables/a.b", "/context/history/0", "/context/history/1");
  }

  /// P6, P14
  @Test
  void listsTransformsAndProcessors() {
    var transforms = api.get("/v1/context-transforms").hasStatus(200);
    assertThat(transforms.body()).contains("\"example\":\"rename('to.*')\"", "\"built_in\":true");
    assertThat(api.get("/v1/context-transforms?limit=3").text("/next_cursor")).isNotBlank();
    assertThat(api.get("/v1/context-processors").hasStatus(200).at("/items"))
        .isInstanceOf(ListValue.class);
  }
}
