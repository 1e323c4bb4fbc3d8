package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// `fail` nodes, over HTTP.
@AgentTest
class FailApiTests {
  private static final String SAGA =
      """
      name: fail-saga
      nodes:
        - id: book
          type: expression
          config: { goto: "{{ state.seats > 0 ? [] : ['undo', 'failed'] }}" }
          targets: [undo, failed]
        - { id: undo, type: expression, config: { update: { undone: true } } }
        - id: failed
          type: fail
          config:
            code: sold_out
            message: "No seats on {{ state.flight }}"
            details: { seats: "{{ state.seats }}" }
      edges: [{ from: __start__, to: book }]
      """;

  @LocalServerPort int port;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
    service.graph(SAGA);
  }

  private Value fails() {
    return service.run("fail-saga", input("{\"flight\": \"SK1\", \"seats\": 0}"));
  }

  private static ObjectValue input(String json) {
    return (ObjectValue) Json.read(json);
  }

  private String path(Value run, String rest) {
    return "/v1/runs/" + Service.text(run, "/id") + rest;
  }

  @Test
  void endsTheRunWithTheGraphsOwnError() {
    var run = fails();

    assertThat(Service.text(run, "/status")).isEqualTo("failed");
    assertThat(Service.text(run, "/error/code")).isEqualTo("sold_out");
    assertThat(Service.text(run, "/error/message")).isEqualTo("No seats on SK1");
    assertThat(Service.at(run, "/error/details")).isEqualTo(Json.read("{\"seats\":0}"));
    assertThat(Service.text(run, "/error/node")).isEqualTo("failed");
    assertThat(Service.at(service.state(run), "/undone")).isEqualTo(Value.TRUE);
    var events = service.get(path(run, "/events?limit=100")).toString();
    assertThat(events).contains("\"run.failed\"", "\"sold_out\"");
    var task = service.get(path(run, "/tasks?status=failed"));
    assertThat(Service.text(task, "/items/0/node")).isEqualTo("failed");
    assertThat(Service.text(task, "/items/0/error/code")).isEqualTo("sold_out");
    assertThat(service.read(path(run, "/diagram?format=mermaid"))).contains("{{\"failed\"}}");
  }

  @Test
  void isFoundByItsCode() {
    var run = fails();

    var found = service.get("/v1/runs?graph=fail-saga&error_code=sold_out");
    assertThat(Service.text(found, "/items/0/id")).isEqualTo(Service.text(run, "/id"));
    assertThat(Service.at(service.get("/v1/runs?graph=fail-saga&error_code=sold"), "/items"))
        .isEqualTo(ListValue.empty());
  }

  @Test
  void isNotResumedButForked() {
    var run = fails();

    var refused =
        service.post(path(run, "/resume"), input("{\"change\":{\"update\":{\"seats\":1}}}"));
    assertThat(Service.text(refused, "/code")).isEqualTo("run_not_resumable");
    assertThat(Service.text(refused, "/detail")).contains("sold_out", "fork it");
    var fork =
        service.post(
            path(run, "/fork?wait=30s"),
            input("{\"checkpoint\": 0, \"change\": {\"update\": {\"seats\": 1}}}"));
    assertThat(Service.text(fork, "/status")).isEqualTo("succeeded");
  }

  /// E41: the code of the child is that of the task, for error edges to catch or a retry to read.
  @Test
  void failsTheTaskThatCallsItsGraph() {
    service.graph(
        """
        name: fail-caller
        nodes:
          - { id: call, type: subgraph, config: { graph: fail-saga, input: { flight: SK2, seats: 0 }, result: {} } }
          - { id: sorry, type: expression, config: { update: { sorry: "{{ state.problem.code }}" } } }
          - { id: again, type: fail, config: { code: "{{ state.problem.code }}", message: "passed on" } }
        edges:
          - { from: __start__, to: call }
          - { from: call, to: sorry, type: error, error_codes: [sold_out], error_to: problem }
          - { from: sorry, to: again }
        """);

    var run = service.run("fail-caller", ObjectValue.empty());

    assertThat(Service.text(run, "/error/code")).isEqualTo("sold_out");
    assertThat(Service.text(run, "/error/message")).isEqualTo("passed on");
    assertThat(Service.text(service.state(run), "/sorry")).isEqualTo("sold_out");
  }

  /// Its own templates fail like any task, which holds its superstep and can be resumed.
  @Test
  void failsAsATaskWhereItsTemplatesDo() {
    service.graph(
        SAGA.replace("fail-saga", "fail-code").replace("sold_out", "\"{{ state.flight }}\""));

    var run = service.run("fail-code", input("{\"flight\": \"SK1\", \"seats\": 0}"));

    assertThat(Service.text(run, "/error/code")).isEqualTo("bad_node_result");
    assertThat(Service.text(run, "/error/message")).startsWith("/code: ").contains("SK1");
    var resumed =
        service.post(
            path(run, "/resume?wait=30s"),
            input("{\"change\": {\"update\": {\"flight\": \"no_seats\"}}}"));
    assertThat(Service.text(resumed, "/error/code")).isEqualTo("no_seats");
  }

  @Test
  void refusesWhatWouldLeadOnAndCodesThatAreTaken() {
    var problems =
        service.problems(
            """
            name: fail-wrong
            nodes:
              - { id: a, type: fail, on_error: continue, config: { code: http_503, message: m } }
              - { id: b, type: fail, retry: {}, timeout: 1s, config: { code: Sold Out, message: m } }
              - { id: c, type: fail, edge_mode: first, config: { code: stalled_join, message: "{{ 1 + }}" } }
              - { id: d, type: fail, targets: [a], config: { message: m } }
            edges:
              - { from: __start__, to: [a, b, c, d] }
              - { from: a, to: b }
              - { from: a, to: c, type: error }
              - { from: [c, d], to: a }
            """);

    assertThat(problems)
        .contains(
            "not_applicable /nodes/0/on_error",
            "reserved_name /nodes/0/config/code",
            "not_applicable /nodes/1/retry",
            "not_applicable /nodes/1/timeout",
            "invalid_value /nodes/1/config/code",
            "not_applicable /nodes/2/edge_mode",
            "reserved_name /nodes/2/config/code",
            "invalid_expression /nodes/2/config/message",
            "not_applicable /nodes/3/targets",
            "invalid_edge /edges/1/from",
            "invalid_edge /edges/2/from",
            "invalid_edge /edges/3/from/0",
            "invalid_edge /edges/3/from/1");
    assertThat(((ListValue) Service.at(service.get("/v1/node-types"), "/items")).toString())
        .contains("\"fail\"");
  }
}
