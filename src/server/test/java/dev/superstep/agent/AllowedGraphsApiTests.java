package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Which graphs may use the models and secrets of the operator: those whose names begin with
/// `guarded-`, whatever a definition says and however it gets there.
@AgentTest
class AllowedGraphsApiTests {
  @LocalServerPort int port;
  @Autowired ToolServer server;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private static String literal(String name) {
    return """
    name: %s
    channels:
      messages:
        reducer: messages
        compaction: { keep_last: 1, when: { messages_over: 5 }, summarizer: { type: llm, model: guarded } }
    nodes:
      - { id: ask, type: llm, config: { model: guarded, prompt: hello } }
      - { id: sum, type: compact, config: { keep_last: 1, summarizer: { type: llm, model: guarded } } }
      - { id: call, type: http, config: { url: "%s", headers: { X-Key: "secret:guarded" } } }
    edges:
      - { from: __start__, to: ask }
      - { from: ask, to: sum }
      - { from: sum, to: call }
    tools:
      find: { url: "http://127.0.0.1:1/x", headers: { X-Key: "Bearer secret:guarded" } }
    """
        .formatted(name, "http://127.0.0.1:1/x");
  }

  @Test
  void refusesWhatIsWrittenDownWhenItIsPosted() {
    assertThat(service.problems(literal("open-graph")))
        .containsExactlyInAnyOrder(
            "model_not_allowed /nodes/0/config/model",
            "model_not_allowed /nodes/1/config/summarizer/model",
            "model_not_allowed /channels/messages/compaction/summarizer/model",
            "secret_not_allowed /nodes/2/config/headers/X-Key",
            "secret_not_allowed /tools/find/headers/X-Key");
    assertThat(service.problems(literal("guarded-graph"))).isEmpty();
  }

  /// The name that is computed is known when the node runs.
  private static String computed(String name) {
    return """
    name: %s
    channels: { model: {}, said: {} }
    nodes: [{ id: ask, type: llm, config: { model: "{{ state.model }}", prompt: hello, output_to: said } }]
    edges: [{ from: __start__, to: ask }]
    """
        .formatted(name);
  }

  private Value runs(String graph) {
    return service.run(graph, ObjectValue.of("model", Value.of("guarded")));
  }

  @Test
  void refusesAModelThatIsComputed() {
    service.graph(computed("open-computed"));
    service.graph(computed("guarded-computed"));
    assertThat(Service.text(runs("open-computed"), "/error/code")).isEqualTo("model_not_allowed");
    assertThat(Service.text(runs("guarded-computed"), "/output/said")).isEqualTo("fine");
  }

  private static String around(String name) {
    return """
    name: %s
    channels: { model: {}, said: {} }
    nodes:
      - { id: inner, type: subgraph, config: { graph: "#inner", input: { model: "{{ state.model }}" }, result: { update: { said: "{{ response.said }}" } } } }
    edges: [{ from: __start__, to: inner }]
    graphs:
      inner:
        channels: { model: {}, said: {} }
        nodes: [{ id: ask, type: llm, config: { model: "{{ state.model }}", prompt: hello, output_to: said } }]
        edges: [{ from: __start__, to: ask }]
    """
        .formatted(name);
  }

  @Test
  void refusesItInAGraphWithin() {
    service.graph(around("open-around"));
    service.graph(around("guarded-around"));
    assertThat(runs("open-around").toString()).contains("model_not_allowed");
    assertThat(Service.text(runs("guarded-around"), "/output/said")).isEqualTo("fine");
  }

  @Test
  void refusesWhatIsWrittenDownInAGraphWithin() {
    var within = around("open-within").replace("{{ state.model }}\", prompt", "guarded\", prompt");
    assertThat(service.problems(within))
        .containsExactly("model_not_allowed /graphs/inner/nodes/0/config/model");
    assertThat(service.problems(within.replace("open-within", "guarded-within"))).isEmpty();
  }

  /// A fork runs the graph that it is a fork of.
  @Test
  void refusesItInAFork() {
    service.graph(computed("open-forked"));
    var run = service.run("open-forked", ObjectValue.of("model", Value.of("without-price")));
    assertThat(Service.text(run, "/output/said")).isEqualTo("fine");
    var fork =
        service.post(
            "/v1/runs/%s/fork?wait=30s".formatted(Service.text(run, "/id")),
            Json.read("{\"checkpoint\": 0, \"change\": {\"update\": {\"model\": \"guarded\"}}}"));
    assertThat(Service.text(fork, "/error/code")).isEqualTo("model_not_allowed");
  }

  @Test
  void sendsASecretOfAllowedGraphs() {
    service.graph(
        """
        name: guarded-sends
        channels: { said: {} }
        nodes: [{ id: call, type: http, config: { mode: request, method: GET, url: "%s/lookup/guarded", headers: { Authorization: "Bearer secret:guarded" }, result: {} } }]
        edges: [{ from: __start__, to: call }]
        """
            .formatted(server.url()));
    service.run("guarded-sends", ObjectValue.empty());
    assertThat(server.arrivals("/lookup/guarded").getFirst().authorization())
        .isEqualTo("Bearer " + AgentTest.CANARY);
  }
}
