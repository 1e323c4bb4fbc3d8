package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// How far dispatches have to get (E54), over HTTP: in questions, child runs and workers.
@AgentTest
class DispatchPolicyApiTests {
  @LocalServerPort int port;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  /// `plan` sends the numbers in `items` to `work`, under the policy; `join` keeps how they ended.
  private static String graph(String name, String policy, String work) {
    return """
    name: %s
    channels: { won: { reducer: append } }
    nodes:
      - id: plan
        type: expression
        config: { dispatch: "{{ fan_out('work', state.items, 'n') }}" }
        targets: [work]
        dispatch_policy: %s
      - %s
      - id: join
        type: expression
        config:
          update:
            succeeded: "{{ outcomes.succeeded.map(it, it.index) }}"
            failed: "{{ outcomes.failed.map(it, it.error.code) }}"
            cancelled: "{{ outcomes.cancelled.map(it, it.index) }}"
    edges: [{ from: __start__, to: plan }, { from: work, to: join }]
    """
        .formatted(name, policy, work);
  }

  private static ObjectValue items(int... items) {
    var list = ListValue.empty();
    for (int item : items) {
      list = list.plus(Value.of(item));
    }
    return ObjectValue.of("items", list);
  }

  private static String path(Value run, String rest) {
    return "/v1/runs/" + Service.text(run, "/id") + rest;
  }

  private Value output(Value run, String channel) {
    return Service.at(run, "/output/" + channel);
  }

  @Test
  void showsWhoHasSucceededFailedAndWasCancelled() {
    service.graph(
        graph(
            "policy-most",
            "{ min_succeeded: 2, max_concurrency: 1 }",
            "{ id: work, type: expression, config: { update: { won: '{{ [10 / input.n] }}' } } }"));

    var run = service.run("policy-most", items(1, 0, 2, 5, 10));

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    assertThat(output(run, "won")).isEqualTo(Json.read("[10,5]"));
    assertThat(output(run, "succeeded")).isEqualTo(Json.read("[0,2]"));
    assertThat(output(run, "failed")).isEqualTo(Json.read("[\"expression_failed\"]"));
    assertThat(output(run, "cancelled")).isEqualTo(Json.read("[3,4]"));
    var cancelled = service.get(path(run, "/tasks?status=cancelled"));
    assertThat((ListValue) Service.at(cancelled, "/items")).hasSize(2);
    assertThat(Service.text(cancelled, "/items/0/node")).isEqualTo("work");
    assertThat(service.read(path(run, "/diagram?format=mermaid"))).doesNotContain("failed work");
  }

  /// Of five, all but two.
  @Test
  void goesByThePolicyThatIsComputedWithTheDispatches() {
    service.graph(
        graph(
                "policy-computed",
                "{ min_succeeded: 1 }",
                "{ id: work, type: expression, config: { update: { won: '{{ [input.n] }}' } } }")
            .replace(
                "'n') }}\" }",
                "'n') }}\", dispatch_policy: { min_succeeded: \"{{ size(state.items) - 2 }}\","
                    + " max_concurrency: 1 } }"));

    var run = service.run("policy-computed", items(1, 2, 3, 4, 5));

    assertThat(Service.text(run, "/status")).as("%s", run).isEqualTo("succeeded");
    assertThat(output(run, "won")).isEqualTo(Json.read("[1,2,3]"));
    assertThat(output(run, "cancelled")).isEqualTo(Json.read("[3,4]"));
    var refused = service.run("policy-computed", items(1, 2));
    assertThat(Service.text(refused, "/error/code")).isEqualTo("bad_node_result");
    assertThat(Service.text(refused, "/error/message"))
        .contains("/dispatch_policy/min_succeeded: must be a whole number from 1 to 1000000");
  }

  @Test
  void goesOnWithAllOfThemWhenTheFailureIsMended() {
    service.graph(
        graph(
            "policy-strict",
            "{ tolerated_failures: 0, max_concurrency: 1 }",
            "{ id: work, type: expression, config: { update: { won: '{{ [10 / input.n *"
                + " state.?f.orValue(1)] }}' } } }"));
    var run = service.run("policy-strict", items(1, 0, 5));

    assertThat(Service.text(run, "/status")).isEqualTo("failed");
    assertThat(Service.text(run, "/error/code")).isEqualTo("expression_failed");
    assertThat(Service.text(service.get(path(run, "/tasks?status=cancelled")), "/items/0/node"))
        .isEqualTo("work");

    var key = Service.text(service.get(path(run, "/tasks?status=failed")), "/items/0/task_id");
    var resumed =
        service.post(
            path(run, "/resume?wait=20s"),
            Json.read(
                "{\"resolve\":[{\"task_id\":\"%s\",\"change\":{\"update\":{\"won\":[7]}}}]}"
                    .formatted(key)));
    assertThat(Service.text(resumed, "/status")).as("%s", resumed).isEqualTo("succeeded");
    assertThat(output(resumed, "won")).isEqualTo(Json.read("[10,7,2]"));
  }

  @Test
  void closesTheQuestionsOfTheOthers() {
    service.graph(
        graph(
            "policy-people",
            "{ first_wins: true }",
            "{ id: work, type: human, config: { answer_to: won } }"));
    var run = service.run("policy-people", items(1, 2, 3));
    assertThat(Service.text(run, "/status")).isEqualTo("interrupted");
    var second = Service.text(run, "/interrupts/1/id");

    var ended =
        service.post(
            "/v1/interrupts/%s/answer?wait=30s".formatted(second),
            ObjectValue.of("value", Value.of("yes")));

    assertThat(Service.text(ended, "/status")).as("%s", ended).isEqualTo("succeeded");
    assertThat(output(ended, "cancelled")).isEqualTo(Json.read("[0,2]"));
  }

  /// Sleeps for an hour, unless its number is 2.
  private static final String CHILD =
      """
      name: policy-child
      nodes:
        - { id: begin, type: router, switch: [{ when: "state.n == 2", to: end }, { else: sleep }] }
        - { id: sleep, type: wait, config: { for: 1h } }
        - { id: end, type: expression, config: { update: { said: "{{ state.n }}" } } }
      """;

  private static final String AS_CHILD =
      "type: subgraph, config: { graph: policy-child, input: { n: '{{ input.n }}' } }";

  /// The others sleep for an hour; their runs end with the first that has not, which begins to end
  /// once all have been started.
  @Test
  void cancelsTheChildRunsOfTheOthers() {
    service.graph(
        CHILD
            .replace("policy-child", "policy-late-child")
            .replace("type: expression", "type: worker")
            .replace("{ update: {", "{ task_type: policy-late, result: { update: {")
            .replace("state.n }}\" } }", "state.n }}\" } } }"));
    service.graph(
        graph(
            "policy-children",
            "{ first_wins: true }",
            "{ id: work, " + AS_CHILD.replace("policy-child", "policy-late-child") + " }"));
    var started =
        service.post(
            "/v1/runs", Json.read("{\"graph\":\"policy-children\",\"input\":{\"items\":[1,2,3]}}"));
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(children(started)).hasSize(3));

    var task = claim("policy-late");
    service.tell("/v1/tasks/" + Service.text(task, "/id") + "/outcome", outcome(task, "two"));

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() ->
            assertThat(children(started))
                .containsExactlyInAnyOrder("succeeded", "cancelled", "cancelled"));
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() ->
            assertThat(Service.text(service.get(path(started, "")), "/status"))
                .isEqualTo("succeeded"));
    assertThat(output(service.get(path(started, "")), "succeeded")).isEqualTo(Json.read("[1]"));
  }

  /// One success of each node: neither has enough of its own.
  @Test
  void countsChildRunsAndWorkersTogether() {
    service.graph(CHILD);
    service.graph(
        graph(
                "policy-mixed",
                "{ min_succeeded: 2 }",
                "{ id: work, type: worker, config: { task_type: policy-mixed, result: { update: {"
                    + " won: '{{ [response] }}' } } } }\n"
                    + "  - { id: child, "
                    + AS_CHILD
                    + " }")
            .replace(
                "fan_out('work', state.items, 'n')",
                "fan_out('work', state.items, 'n') + fan_out('child', state.items, 'n')")
            .replace("targets: [work]", "targets: [work, child]")
            .replace("edges: [", "edges: [{ from: child, to: join }, "));
    var started =
        service.post(
            "/v1/runs", Json.read("{\"graph\":\"policy-mixed\",\"input\":{\"items\":[1,2,3]}}"));
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(children(started)).contains("succeeded"));

    var task = claim("policy-mixed");
    service.tell("/v1/tasks/" + Service.text(task, "/id") + "/outcome", outcome(task, "two"));

    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() ->
            assertThat(Service.text(service.get(path(started, "")), "/status"))
                .isEqualTo("succeeded"));
  }

  private List<String> children(Value run) {
    var found = service.get("/v1/runs?limit=200&parent=" + Service.text(run, "/id"));
    return ((ListValue) Service.at(found, "/items"))
        .stream().map(it -> Service.text(it, "/status")).toList();
  }

  /// `later` holds the superstep, in which the other worker's task is not wanted any more.
  @Test
  void tellsTheOtherWorkersWithTheirNextHeartbeat() {
    service.graph(
        graph(
                "policy-workers",
                "{ first_wins: true }",
                "{ id: work, type: worker, config: { task_type: policy-work, result: { update: {"
                    + " won: '{{ [response] }}' } } } }")
            .replace("edges: [", "edges: [{ from: plan, to: later }, ")
            .replace(
                "- id: join",
                "- { id: later, type: human, config: { answer_to: late } }\n  - id: join"));
    var started =
        service.post(
            "/v1/runs",
            Json.read(
                "{\"graph\":\"policy-workers\",\"id\":\"policy-w1\",\"input\":{\"items\":[1,2,3]}}"));
    assertThat(Service.text(started, "/id")).isEqualTo("policy-w1");
    var first = claim();
    var second = claim();

    service.tell("/v1/tasks/" + Service.text(first, "/id") + "/outcome", outcome(first, "one"));
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() ->
            assertThat(Service.at(heartbeat(second), "/wanted"))
                .as("%s", heartbeat(second))
                .isEqualTo(Value.FALSE));
    var late =
        service.post(
            "/v1/tasks/" + Service.text(second, "/id") + "/outcome", outcome(second, "two"));
    assertThat(Service.text(late, "/code")).isEqualTo("task_lease_lost");
    assertThat(
            (ListValue)
                Service.at(
                    service.post("/v1/tasks/claim?type=policy-work", ObjectValue.empty()),
                    "/items"))
        .as("the third")
        .isEmpty();
  }

  private Value claim() {
    return claim("policy-work");
  }

  private Value claim(String type) {
    var path = "/v1/tasks/claim?type=%s&max=1&wait=20s".formatted(type);
    var claimed = service.post(path, ObjectValue.empty());
    return Service.at(claimed, "/items/0");
  }

  private Value heartbeat(Value task) {
    return service.post("/v1/tasks/" + Service.text(task, "/id") + "/heartbeat", token(task));
  }

  private static ObjectValue outcome(Value task, String result) {
    return token(task).plus("result", Value.of(result));
  }

  private static ObjectValue token(Value task) {
    return ObjectValue.of("token", Value.of(Service.text(task, "/token")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "[{ node: join }, { node: join }] ~ { min_succeeded: 3 } ~ out_of_range"
            + " /nodes/0/dispatch_policy/min_succeeded",
        "[{ node: join }] ~ { first_wins: true, min_succeeded: 1 } ~ not_applicable"
            + " /nodes/0/dispatch_policy/first_wins",
        "[{ node: join }] ~ { tolerated_failures: 2.5 } ~ out_of_range"
            + " /nodes/0/dispatch_policy/tolerated_failures",
      })
  void refusesWhatCannotBeMet(String dispatches, String policy, String problem) {
    assertThat(
            service.problems(
                """
                name: policy-mistake
                nodes:
                  - { id: plan, type: expression, config: { dispatch: %s }, targets: [join], dispatch_policy: %s }
                  - { id: join, type: router }
                """
                    .formatted(dispatches, policy)))
        .containsExactly(problem);
  }
}
