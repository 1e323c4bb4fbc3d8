package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Context filters in Java, over HTTP (C30, P15, S4-27).
@AgentTest
class JavaFilterApiTests {
  private static final String FILTERS =
      """
      [{"type": "java", "name": "former", "config": {"meeting": "%1$s", "drop": "a"}},
       {"rules": [{"type": "exclude", "pattern": "secret.*"}], "priority": 1},
       {"type": "java", "name": "latter", "config": {"meeting": "%1$s", "drop": "b"}, "priority": 2}]
      """;
  private static final String VARIABLES =
      "{\"a\": 1, \"b\": 2, \"c\": 3, \"secret.key\": 4, \"shared\": \"nobody\"}";

  /// Each filter was given everything; nothing stays that one of them drops; the highest priority
  /// decides what `shared` is.
  private static final Value VIEW =
      Json.read(
          """
          {"c": 3, "shared": "latter", "seen.former": "a b c secret.key shared",
           "seen.latter": "a b c secret.key shared"}
          """);

  @LocalServerPort int port;
  @Autowired TestFilters filters;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private void graph(String name, String mode, String filter) {
    service.graph(
        """
        {"name": "%s",
         "context": {"mode": "%s", "variables": %s},
         "nodes": [
           {"id": "n", "type": "expression", "timeout": "5s", "context_filter": %s,
            "config": {"response": "{{ to_json(variables) }}"}},
           {"id": "next", "type": "expression", "config": {"response": "{{ to_json(variables) }}"}}],
         "edges": [{"from": "__start__", "to": "n"}, {"from": "n", "to": "next"}]}
        """
            .formatted(name, mode, VARIABLES, filter.formatted(name)));
  }

  private Value run(String name) {
    var run = service.run(name, ObjectValue.empty());
    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    return run;
  }

  private Value context(Value run) {
    return service.get("/v1/runs/%s/context".formatted(Service.text(run, "/id")));
  }

  private static Value said(Value context, int entry) {
    return Json.read(Service.text(context, "/history/%d/response".formatted(entry)));
  }

  private static List<String> dropped(Value explained) {
    return ((ListValue) Service.at(explained, "/items"))
        .stream()
            .filter(it -> Service.text(it, "/decided_by/action").equals("dropped"))
            .map(it -> Service.text(it, "/key") + " " + Service.text(it, "/decided_by/rule"))
            .toList();
  }

  @Test
  void runInParallelOnTheSameInput() {
    graph("java-filters", "view", FILTERS);

    var run = run("java-filters");

    var context = context(run);
    assertThat(said(context, 0)).isEqualTo(VIEW);
    // what the next node sees is the whole: filters shape views
    assertThat(said(context, 1)).isEqualTo(Json.read(VARIABLES));
    var explained =
        service.get("/v1/runs/%s/checkpoints/0/context?node=n".formatted(Service.text(run, "/id")));
    assertThat(Service.at(explained, "/context/variables")).isEqualTo(VIEW);
    assertThat(dropped(explained)).containsExactly("a /0", "b /2", "secret.key /1/rules/0");
  }

  /// P12: what all of them leave is passed on as it was.
  @Test
  void narrowWhatIsPassedOnInModeChain() {
    graph("java-filters-chain", "chain", FILTERS);

    var context = context(run("java-filters-chain"));

    assertThat(said(context, 0)).isEqualTo(VIEW);
    assertThat(said(context, 1)).isEqualTo(Json.read("{\"c\": 3, \"shared\": \"nobody\"}"));
  }

  /// P17
  @Test
  void arePreviewed() {
    var preview = preview(FILTERS.formatted("java-preview"));

    assertThat(Service.at(preview, "/context/variables")).as(preview.toString()).isEqualTo(VIEW);
    assertThat(dropped(preview)).containsExactly("a /0", "b /2", "secret.key /1/rules/0");
  }

  private Value preview(String several) {
    return service.post(
        "/v1/context/preview",
        Json.read(
            "{\"context\": {\"variables\": %s}, \"node\": {\"id\": \"n\", \"type\": \"router\", \"context_filters\": %s}}"
                .formatted(VARIABLES, several)));
  }

  /// One that does not answer is interrupted with its attempt.
  @Test
  void endWithTheAttempt() throws InterruptedException {
    service.graph(
        """
        name: java-filters-mute
        nodes:
          - { id: n, type: expression, timeout: 1s, context_filter: [{ type: java, name: mute }], config: { response: "{{ to_json(variables) }}" } }
        edges: [{ from: __start__, to: n }]
        """);

    var run = service.run("java-filters-mute", ObjectValue.empty());

    assertThat(Service.text(run, "/error/code")).as(run.toString()).isEqualTo("node_timeout");
    assertThat(filters.interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }

  /// What a filter fails at is a failure of its task, also where only what it passes on is asked
  /// for; nothing passes a filter that failed.
  @Test
  void failTheirTaskInModeChain() {
    var graph =
        """
        name: %s
        context: { mode: chain, variables: { secret: s3cret } }
        nodes:
          - { id: n, type: router, context_filter: [{ type: java, name: broken }] }
          - { id: next, type: expression, config: { response: "{{ to_json(variables) }}" } }
        edges:
          - { from: __start__, to: n }
          - { from: n, to: next%s }
        """;
    service.graph(graph.formatted("java-filters-broken", ""));
    service.graph(graph.formatted("java-filters-handled", ", type: error"));

    var failed = service.run("java-filters-broken", ObjectValue.empty());
    var handled = service.run("java-filters-handled", ObjectValue.empty());

    assertThat(Service.text(failed, "/error/code"))
        .as(failed.toString())
        .isEqualTo("context_filter_failed");
    assertThat(Service.text(failed, "/error/message")).contains("context filter broken", "no luck");
    assertThat(Service.text(handled, "/status")).as(handled.toString()).isEqualTo("succeeded");
    assertThat(said(context(handled), 0).toString())
        .contains("context_filter_failed")
        .doesNotContain("s3cret");
  }
}
