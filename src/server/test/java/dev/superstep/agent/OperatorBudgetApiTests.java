package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.json.Json;
import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Budgets that the operator has set, in the settings of [AgentTest].
@AgentTest
class OperatorBudgetApiTests {
  @LocalServerPort int port;
  @Autowired Script script;
  @Autowired JdbcClient jdbc;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private HttpResponse<String> send(String path, String body)
      throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(body));
      return http.send(request.build(), BodyHandlers.ofString());
    }
  }

  private void renew(String budget) {
    jdbc.sql("update budget_window set begins_at = begins_at - interval '40 days' where budget = ?")
        .param(budget)
        .update();
  }

  private void forget(String budget) {
    jdbc.sql("delete from budget_window where budget = ?").param(budget).update();
  }

  /// As a run's own budget (E39): neither retries nor error edges help, and a resume goes on where
  /// it stopped, once there is something left.
  @Test
  void stopsRunsUntilTheBudgetIsRenewed() throws Exception {
    service.graph(
        """
        name: broke-calls
        channels: { messages: { reducer: messages }, note: {} }
        nodes:
          - { id: first, type: llm }
          - { id: second, type: llm, on_error: continue, on_failure: { to: mend, error_codes: ["*"] },
              retry: { max_attempts: 9, initial_interval: 1ms, retry_on: ["*"] } }
          - { id: mend, type: expression, config: { update: { note: mended } } }
        edges:
          - { from: __start__, to: first }
          - { from: first, to: second }
        """);
    script.says("broke-calls", Reply.text("one"), Reply.text("two"));
    var run = service.say("broke-calls", "#broke-calls");

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("failed");
    assertThat(Service.text(run, "/error/code")).isEqualTo("budget_exhausted");
    assertThat(Service.text(run, "/error/details/budget")).isEqualTo("calls");
    assertThat(Service.text(run, "/error/details/limited")).isEqualTo("model_calls");
    assertThat(Service.text(run, "/error/details/renews_at")).endsWith("T00:00:00Z");
    assertThat(Service.at(run, "/usage/model_calls")).isEqualTo(Value.of(1));
    var resumes = "/v1/runs/%s/resume?wait=30s".formatted(Service.text(run, "/id"));
    for (var refused :
        new HttpResponse<?>[] {
          send("/v1/runs", run("broke-calls", "again")), send(resumes, "{}")
        }) {
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
          .isBetween(1L, Duration.ofDays(1).toSeconds());
      var problem = Json.read(refused.body().toString());
      assertThat(Service.text(problem, "/code")).isEqualTo("budget_exhausted");
      assertThat(Service.text(problem, "/renews_at")).endsWith("T00:00:00Z");
    }

    renew("calls");

    await()
        .untilAsserted(() -> {
          var resumed = Json.read(send(resumes, "{}").body());
          assertThat(Service.text(resumed, "/status")).isEqualTo("succeeded");
        });
    assertThat(script.asked("broke-calls")).hasSize(2);
  }

  /// The budget is that of the run which makes the call, whoever has begun it.
  @Test
  void stopsCallsOfChildRuns() {
    service.graph(
        """
        name: broke-child
        channels: { messages: { reducer: messages } }
        nodes: [{ id: ask, type: llm }]
        edges: [{ from: __start__, to: ask }]
        """);
    service.graph(
        """
        name: child-boss
        channels: { messages: { reducer: messages } }
        nodes:
          - { id: one, type: subgraph, config: { graph: broke-child, input: { messages: "{{ state.messages }}" } } }
          - { id: two, type: subgraph, config: { graph: broke-child, input: { messages: "{{ state.messages }}" } } }
        edges: [{ from: __start__, to: one }, { from: one, to: two }]
        """);
    script.says("broke-child", Reply.text("one"), Reply.text("two"));

    var run = service.say("child-boss", "#broke-child");

    assertThat(Service.text(run, "/error/code")).as(run.toString()).isEqualTo("budget_exhausted");
    assertThat(Service.text(run, "/error/node")).isEqualTo("two");
    assertThat(((ObjectValue) Service.at(run, "/error/details")).has("budget_of")).isFalse();
    assertThat(script.asked("broke-child")).hasSize(1);
  }

  /// With when they are renewed, in the order of their names.
  @Test
  void listsWhatIsLeft() {
    moneyGraph(", options: { max_tokens: 100 }");
    forget("money");
    await()
        .untilAsserted(() ->
            assertThat(Service.at(service.get("/v1/budgets"), "/items/2/limits/0/spent"))
                .isEqualTo(Value.of("0")));
    assertThat(Service.text(service.say("broke-money", "hello"), "/status")).isEqualTo("succeeded");

    await()
        .untilAsserted(() -> {
          var budgets = service.get("/v1/budgets");
          assertThat(Service.at(budgets, "/items/2/limits"))
              .hasToString(
                  "[{\"left\":\"0.0002997\",\"limit\":\"0.0003\",\"reserved\":\"0\",\"spent\":\"0.0000003\",\"what\":\"money\"}]");
          assertThat(Service.text(budgets, "/items/2/name")).isEqualTo("money");
          assertThat(Service.text(budgets, "/items/2/window")).isEqualTo("month");
          assertThat(Service.text(budgets, "/items/2/renews_at")).endsWith("-01T00:00:00Z");
          assertThat(Service.text(budgets, "/items/0/name")).isEqualTo("calls");
          assertThat(Service.text(budgets, "/items/0/window")).isEqualTo("day");
          assertThat(Service.text(budgets, "/items/1/per")).isEqualTo("caller");
        });
    assertThat(Service.text(service.get("/v1/budgets?limit=1"), "/items/0/name"))
        .isEqualTo("calls");
    forget("money");
  }

  private void moneyGraph(String options) {
    service.graph(
        """
        name: broke-money
        channels: { messages: { reducer: messages } }
        nodes:
          - { id: ask, type: llm, config: { model: with-price%s },
              retry: { max_attempts: 3, initial_interval: 1ms } }
        edges: [{ from: __start__, to: ask }]
        """
            .formatted(options));
  }

  private String money(String column) {
    return jdbc.sql(
            "select trim_scale(%s)::text from budget_window where budget = 'money'"
                .formatted(column))
        .query(String.class)
        .single();
  }

  @Test
  void settlesWhatCallsTake() {
    moneyGraph("");
    var unbounded = service.say("broke-money", "hello");
    assertThat(Service.text(unbounded, "/error/code")).isEqualTo("budget_needs_bounds");
    assertThat(Service.text(unbounded, "/error/message"))
        .contains("set max-tokens in superstep.models.with-price.options");
    moneyGraph(", options: { max_tokens: 100 }");

    assertThat(Service.text(service.say("broke-money", "hello"), "/status")).isEqualTo("succeeded");
    assertThat(Service.text(service.say("broke-money", "busy"), "/status")).isEqualTo("succeeded");

    assertThat(money("money")).isEqualTo("0.0000006");
    assertThat(money("money_reserved")).isEqualTo("0");
    assertThat(money("model_calls")).isEqualTo("3");
    moneyGraph(", options: { max_tokens: 2000 }");
    var dear = service.say("broke-money", "hello");
    assertThat(Service.text(dear, "/error/code")).isEqualTo("budget_exhausted");
    assertThat(Service.text(dear, "/error/details/spent")).isEqualTo("0.0000006");
  }

  private static String run(String graph, String words) {
    return """
    {"graph": "%s", "input": {"messages": [{"role": "user", "content": "%s"}]}}
    """
        .formatted(graph, words);
  }
}
