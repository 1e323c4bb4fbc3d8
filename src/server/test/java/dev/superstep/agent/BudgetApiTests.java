package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Budgets of runs and graphs, and what was spent (E15, E39; definitions.md, *limits*).
@AgentTest
class BudgetApiTests {
  private static final String TWICE =
      """
      name: %s
      channels:
        messages: { reducer: messages }
      limits: %s
      nodes:
        - { id: first, type: llm }
        - { id: second, type: llm }
      edges:
        - { from: __start__, to: first }
        - { from: first, to: second }
      """;

  @LocalServerPort int port;
  @Autowired Script script;
  @Autowired MeterRegistry meters;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private Value resume(Value run, String body) {
    return service.post(
        "/v1/runs/%s/resume?wait=30s".formatted(Service.text(run, "/id")), Json.read(body));
  }

  /// E39: with the budget of the graph; more is given over the API.
  @Test
  void failsWhenTheCallsOfAGraphAreUsedUpAndGoesOnWithMore() {
    service.graph(TWICE.formatted("budget-calls", "{ max_model_calls: 1 }"));
    script.says("budget-calls", Reply.text("one"), Reply.text("two"));

    var run = service.say("budget-calls", "#budget-calls");

    assertThat(Service.text(run, "/status")).isEqualTo("failed");
    assertThat(Service.text(run, "/error/code")).isEqualTo("max_model_calls_exceeded");
    assertThat(Service.text(run, "/error/node")).isEqualTo("second");
    assertThat(Service.text(resume(run, "{}"), "/code")).isEqualTo("run_not_resumable");
    assertThat(Service.text(resume(run, "{\"limits\": {\"max_model_calls\": 1}}"), "/detail"))
        .contains("has spent 1 model calls");
    var resumed = resume(run, "{\"limits\": {\"max_model_calls\": 2}}");
    assertThat(Service.text(resumed, "/status")).isEqualTo("succeeded");
    assertThat(script.asked("budget-calls")).hasSize(2);
  }

  /// E39: with the budget of the run.
  @Test
  void failsWhenTheTokensOfARunAreUsedUp() {
    service.graph(TWICE.formatted("budget-tokens", "{ max_tokens: 1000 }"));
    script.says("budget-tokens", Reply.text("one"), Reply.text("two"));

    var run =
        service.post(
            "/v1/runs?wait=30s",
            Json.read(
                """
                {"graph": "budget-tokens", "limits": {"max_tokens": 12},
                 "input": {"messages": [{"role": "user", "content": "#budget-tokens"}]}}
                """));

    assertThat(Service.text(run, "/error/code")).isEqualTo("max_tokens_exceeded");
    assertThat(script.asked("budget-tokens")).hasSize(1);
    assertThat(Service.text(resume(run, "{\"limits\": {\"max_tokens\": 100}}"), "/status"))
        .isEqualTo("succeeded");
  }

  @Test
  void saysWhatARunAndEachOfItsNodesHaveSpent() {
    service.graph(TWICE.formatted("budget-usage", "{}"));
    script.says("budget-usage", Reply.text("one"), Reply.text("two"));

    var run = service.say("budget-usage", "#budget-usage");

    var shown = service.get("/v1/runs/" + Service.text(run, "/id"));
    assertThat(Service.at(shown, "/usage")).isEqualTo(Service.at(run, "/usage"));
    assertThat(Service.at(shown, "/usage/model_calls")).isEqualTo(Value.of(2L));
    assertThat(Service.at(shown, "/usage/input_tokens")).isEqualTo(Value.of(22L));
    assertThat(Service.at(shown, "/usage/total_tokens"))
        .isEqualTo(Value.of(22L + number(shown, "/usage/output_tokens")));
    assertThat(Service.text(shown, "/usage/nodes/0/node")).isEqualTo("first");
    assertThat(Service.at(shown, "/usage/nodes/1/model_calls")).isEqualTo(Value.of(1L));
    assertThat(calls("budget-usage", "answered")).isEqualTo(2);
    assertThat(
            meters
                .get("superstep.model.tokens")
                .tags("graph", "budget-usage", "node", "second", "type", "input")
                .counter()
                .count())
        .isEqualTo(11);
  }

  private long calls(String graph, String outcome) {
    return meters
        .get("superstep.model.calls")
        .tags("graph", graph, "outcome", outcome)
        .timers()
        .stream()
        .mapToLong(it -> it.count())
        .sum();
  }

  private static long number(Value value, String pointer) {
    return ((Value.Int) Service.at(value, pointer)).value();
  }

  /// A call that fails counts; a run without models has spent nothing.
  @Test
  void countsCallsWithoutAnAnswer() {
    service.graph(
        """
        name: budget-retry
        channels: { messages: { reducer: messages } }
        limits: { max_model_calls: 2 }
        nodes:
          - { id: llm, type: llm, retry: { max_attempts: 5, initial_interval: 10ms } }
        edges: [ { from: __start__, to: llm } ]
        """);
    var busy = Reply.error(503, "overloaded", "busy");
    script.says("budget-retry", busy, busy, busy, busy);

    var run = service.say("budget-retry", "#budget-retry");

    assertThat(Service.text(run, "/error/code")).isEqualTo("max_model_calls_exceeded");
    assertThat(Service.at(run, "/usage/model_calls")).isEqualTo(Value.of(2L));
    assertThat(calls("budget-retry", "model_unavailable")).isEqualTo(2);
  }

  @Test
  void saysThatARunWithoutModelsHasSpentNothing() {
    service.graph(
        """
        name: budget-none
        nodes: [ { id: a, type: expression } ]
        edges: [ { from: __start__, to: a } ]
        """);

    var run = service.run("budget-none", ObjectValue.empty());

    assertThat(Service.at(run, "/usage").toString())
        .isEqualTo(
            "{\"input_tokens\":0,\"model_calls\":0,\"nodes\":[],\"output_tokens\":0,\"total_tokens\":0}");
  }
}
