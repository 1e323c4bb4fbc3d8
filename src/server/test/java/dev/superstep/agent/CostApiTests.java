package dev.superstep.agent;

import static dev.superstep.agent.SubgraphApiTests.input;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What calls of models cost. Each answer of the model `with-price` takes one token in at 0.1 for a
/// million and one out at 0.2; `without-price` has none.
@AgentTest
class CostApiTests {
  @LocalServerPort int port;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private void graph(String name, String first, String second) {
    service.graph(
        """
        name: %s
        channels: { messages: { reducer: messages } }
        nodes:
          - { id: first, type: llm, config: { model: %s }, retry: { max_attempts: 3, initial_interval: 1ms } }
          - { id: second, type: llm, config: { model: %s } }
        edges: [{ from: __start__, to: first }, { from: first, to: second }]
        """
            .formatted(name, first, second));
  }

  private Value run(String graph, String words) {
    var run = service.say(graph, words);
    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    return service.get("/v1/runs/" + Service.text(run, "/id"));
  }

  private static boolean has(Value object, String pointer, String key) {
    return ((ObjectValue) Service.at(object, pointer)).has(key);
  }

  @Test
  void addsUpWhatNodesAndTasksCostWithoutRounding() {
    graph("cost-both", "with-price", "with-price");

    var run = run("cost-both", "hello");

    assertThat(Service.text(run, "/usage/cost")).isEqualTo("0.0000006");
    assertThat(Service.text(run, "/usage/nodes/1/cost")).isEqualTo("0.0000003");
    assertThat(has(run, "/usage", "unpriced_calls")).isFalse();
    var tasks = service.get("/v1/runs/%s/tasks".formatted(Service.text(run, "/id")));
    assertThat(Service.at(tasks, "/items/0/usage"))
        .isEqualTo(
            Json.read(
                """
                {"model_calls": 1, "input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
                 "cost": "0.0000003"}
                """));
  }

  @Test
  void saysHowManyCallsASumLacks() {
    graph("cost-one", "with-price", "without-price");

    var run = run("cost-one", "hello");

    assertThat(Service.text(run, "/usage/cost")).isEqualTo("0.0000003");
    assertThat(Service.at(run, "/usage/unpriced_calls")).isEqualTo(Value.of(1L));
    assertThat(has(run, "/usage/nodes/0", "unpriced_calls")).isFalse();
    assertThat(has(run, "/usage/nodes/1", "cost")).isFalse();
  }

  @Test
  void saysNoCostWhereNoModelHasAPrice() {
    graph("cost-none", "without-price", "without-price");

    var run = run("cost-none", "hello");

    assertThat(has(run, "/usage", "cost")).isFalse();
    assertThat(has(run, "/usage", "unpriced_calls")).isFalse();
  }

  /// The model refuses the first call with a status; the second one is answered.
  @Test
  void takesNothingForCallsThatTheProviderHasRefused() {
    graph("cost-refused", "with-price", "with-price");

    var run = run("cost-refused", "once more");

    assertThat(Service.at(run, "/usage/model_calls")).isEqualTo(Value.of(3L));
    assertThat(Service.text(run, "/usage/cost")).isEqualTo("0.0000006");
    assertThat(has(run, "/usage", "unpriced_calls")).isFalse();
  }

  @Test
  void countsWhatSubgraphsCost() {
    graph("cost-worker", "with-price", "without-price");
    service.graph(
        """
        name: cost-boss
        nodes:
          - { id: work, type: subgraph, config: { graph: cost-worker, input: { messages: "{{ state.messages }}" } } }
        """);

    var run =
        service.post(
            "/v1/runs?wait=30s",
            input(
                """
                {"graph": "cost-boss", "input": {"messages": [{"role": "user", "content": "hi"}]}}
                """));

    assertThat(Service.text(run, "/usage/nodes/0/node")).isEqualTo("work");
    assertThat(Service.text(run, "/usage/cost")).isEqualTo("0.0000003");
    assertThat(Service.at(run, "/usage/unpriced_calls")).isEqualTo(Value.of(1L));
  }

  @Test
  void saysWhatModelsCostAndInWhichCurrency() {
    assertThat(Service.at(service.get("/v1/models"), "/items/4/prices"))
        .isEqualTo(
            Json.read(
                """
                {"input": "0.1", "output": "0.2", "cached_input": "0.1", "cache_write": "0.1"}
                """));
    assertThat(Service.text(service.get("/v1/server"), "/currency")).isEqualTo("EUR");
  }
}
