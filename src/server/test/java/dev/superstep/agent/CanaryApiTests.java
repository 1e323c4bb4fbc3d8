package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.json.Json;
import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.JdbcTemplate;

/// Secrets are looked up when a call is made, go into its headers, and are found nowhere else.
@AgentTest
@ExtendWith(OutputCaptureExtension.class)
class CanaryApiTests {
  @LocalServerPort int port;
  @LocalManagementPort int managementPort;
  @Autowired Script script;
  @Autowired ToolServer server;
  @Autowired Traces traces;
  @Autowired JdbcTemplate database;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
    service.graph(
        """
        name: canary
        channels:
          messages: { reducer: messages }
        tools:
          own: { url: "%1$s/lookup/own/echo", headers: { X-Key: "secret:canary" } }
        context: { variables: { prompt: { role: clerk } } }
        nodes:
          - { id: llm, type: llm, config: { tools: [lookup, own], prompt: "{{ input == null ? 'go on' : 'x' }}" }, retry: { max_attempts: 2, initial_interval: 10ms } }
          - { id: tools, type: tool, config: { approval: always } }
          - id: tell
            type: http
            config:
              mode: request
              url: "%1$s/told/echo"
              headers: { Authorization: "Bearer secret:canary" }
              result: { update: { told: "{{ response.body }}", headers: "{{ to_json(response.headers) }}" } }
        edges:
          - { from: __start__, to: tell }
          - { from: tell, to: llm }
          - { from: llm, route: "state.finish_reason == 'tool_calls' ? 'tools' : '__end__'", targets: [tools, __end__] }
          - { from: tools, to: llm }
        """
            .formatted(server.url()));
  }

  /// A whole agent: a model that first scolds the key, a question, a tool that shows what it was
  /// sent, an answer.
  private Value run(String tag) {
    var scolding = "Incorrect API key provided: %s.".formatted(AgentTest.CANARY);
    script.says(
        tag,
        Reply.error(503, "overloaded", scolding),
        Reply.calls(
            new Reply.Call("c1", "lookup", "{\"word\":\"echo\"}"),
            new Reply.Call("c2", "own", "{}")),
        Reply.error(401, "invalid_api_key", scolding));
    var run = service.say("canary", "#" + tag);
    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("interrupted");
    return service.answer(
        service.answer(run, "{\"decision\": \"approve\"}"), "{\"decision\": \"approve\"}");
  }

  @Test
  void isFoundNowhere(CapturedOutput log) {
    var run = run("canary");

    assertThat(Service.text(run, "/error/code")).isEqualTo("model_unauthorized");
    assertThat(script.asked("canary"))
        .allMatch(it -> it.authorization().equals("Bearer " + AgentTest.CANARY));
    assertThat(server.arrivals("/lookup/echo").getLast().authorization())
        .isEqualTo("Bearer " + AgentTest.CANARY);
    assertThat(server.arrivals("/told/echo").getLast().authorization())
        .isEqualTo("Bearer " + AgentTest.CANARY);
    assertThat(server.arrivals("/lookup/own/echo")).isNotEmpty();
    assertThat(Service.text(service.state(run), "/told")).contains("***");
    assertThat(places(AgentTest.CANARY, Service.text(run, "/id"), log)).isEmpty();
  }

  /// The search is worth something: it finds what is there.
  @Test
  void findsWhatIsThere(CapturedOutput log) {
    var word = "sparrow-9e2b77";
    script.says("sparrow", Reply.text("tweet " + word));
    var run =
        service.post(
            "/v1/runs?wait=30s",
            Json.read(
                """
                {"graph": "canary", "input": {"messages": [{"role": "user", "content": "#sparrow"}],
                 "filler": "%s"}}
                """
                    .formatted("%s ".formatted(word).repeat(20_000))),
            Map.of());
    LoggerFactory.getLogger(CanaryApiTests.class).info("a {}", word);

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    var places = places(word, Service.text(run, "/id"), log);
    assertThat(places)
        .contains(
            "log",
            "table run_input.input",
            "table checkpoint.content",
            "table checkpoint.snapshot",
            "GET /v1/runs/{id}",
            "GET /v1/runs/{id}/state",
            "GET /v1/runs/{id}/context",
            "GET /v1/runs/{id}/tasks",
            "GET /v1/runs/{id}/checkpoints/1");
  }

  /// Everything that shows it.
  private List<String> places(String secret, String run, CapturedOutput log) {
    var everything = new TreeMap<String, String>();
    await().until(() -> traces.of(run).stream().anyMatch(it -> it.getName().startsWith("invoke_")));
    everything.put("log", log.getAll());
    everything.put("traces", traces.everything());
    for (var path : paths(run)) {
      everything.put("GET " + path.replace(run, "{id}"), service.read(path));
    }
    var management = new Service(managementPort);
    for (var path : List.of("/actuator/prometheus", "/actuator/info", "/actuator/health")) {
      everything.put("GET " + path, management.read(path));
    }
    everything.putAll(new Tables(database).columns());
    return everything.entrySet().stream()
        .filter(it -> it.getValue().contains(secret))
        .map(Map.Entry::getKey)
        .toList();
  }

  private List<String> paths(String run) {
    var own = "/v1/runs/" + run;
    var paths =
        new ArrayList<>(
            List.of(
                own,
                "/v1/runs",
                own + "/state?pending=true",
                own + "/context",
                own + "/tasks",
                own + "/events",
                own + "/checkpoints",
                own + "/interrupts",
                own + "/diagram?format=mermaid",
                "/v1/interrupts",
                "/v1/graphs/canary",
                "/v1/models",
                "/v1/tools",
                "/v1/node-types",
                "/v3/api-docs"));
    paths.add(own + "/state");
    var checkpoints = (ListValue) Service.at(service.get(own + "/checkpoints"), "/items");
    for (int i = 0; i < checkpoints.size(); i++) {
      paths.add(own + "/checkpoints/" + i);
    }
    return paths;
  }
}
