package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.JdbcTemplate;

/// E41: `subgraph` nodes, over HTTP.
@AgentTest
class SubgraphApiTests {
  @LocalServerPort int port;
  @Autowired JdbcTemplate database;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
    service.graph(
        """
        name: sub-double
        output: { channels: [doubled] }
        input: { schema: { type: object, required: [n], properties: { n: { type: integer } } } }
        nodes:
          - { id: double, type: expression, config: { update: { doubled: "{{ state.n * 2 }}" } } }
        edges: [{ from: __start__, to: double }]
        """);
    service.graph(
        """
        name: sub-ask
        output: { channels: [said] }
        nodes:
          - { id: first, type: expression, config: { update: { before: 1 } } }
          - { id: person, type: human, config: { payload: "{{ state.question }}", answer_to: said } }
        edges:
          - { from: __start__, to: first }
          - { from: first, to: person }
        """);
  }

  static String calling(String name, String child, String more) {
    return """
    name: %s
    nodes:
      - id: call
        type: subgraph
        config: { graph: %s%s }
    edges: [{ from: __start__, to: call }]
    """
        .formatted(name, child, more);
  }

  static ObjectValue input(String json) {
    return (ObjectValue) Json.read(json);
  }

  private Value run(String graph, String input) {
    return service.run(graph, input(input));
  }

  private Value look(Value run, String rest) {
    return service.get("/v1/runs/" + Service.text(run, "/id") + rest);
  }

  private List<Value> children(Value run) {
    var found = service.get("/v1/runs?limit=200&parent=" + Service.text(run, "/id"));
    return ((ListValue) Service.at(found, "/items")).stream().toList();
  }

  private Value child(Value run) {
    assertThat(children(run)).hasSize(1);
    return service.get("/v1/runs/" + Service.text(children(run).getFirst(), "/id"));
  }

  private void awaitStatus(Value run, String status) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(Service.text(look(run, ""), "/status")).isEqualTo(status));
  }

  /// E41
  @Test
  void runsAGraphAsOneNode() {
    service.graph(
        calling(
            "sub-simple",
            "sub-double",
            ", input: { n: \"{{ state.x }}\" }, output: { update: { twice: \"{{ response.doubled"
                + " }}\" } }"));

    var run = run("sub-simple", "{\"x\": 21}");

    assertThat(Service.at(run, "/output")).isEqualTo(input("{\"x\": 21, \"twice\": 42}"));
    var child = child(run);
    assertThat(Service.text(child, "/status")).isEqualTo("succeeded");
    assertThat(Service.at(child, "/input")).isEqualTo(input("{\"n\": 21}"));
    assertThat(Service.text(child, "/parent/run_id")).isEqualTo(Service.text(run, "/id"));
    assertThat(Service.text(child, "/parent/task_id")).isEqualTo("1:call");
    var task = Service.at(look(run, "/tasks"), "/items/0");
    assertThat(Service.text(task, "/child_run_id")).isEqualTo(Service.text(child, "/id"));
    assertThat(Service.at(task, "/attempts")).isEqualTo(Value.of(1L));
    assertThat(look(run, "/events").toString()).contains("task.child_started");
  }

  /// E41, E12: each dispatch has its own child; a bound of the node holds for its children.
  @Test
  void runsOneChildForEachDispatch() {
    for (var bound : List.of("", "max_concurrency: 2")) {
      service.graph(
          """
          name: sub-fan
          channels: { each: { reducer: append } }
          nodes:
            - id: plan
              type: expression
              config: { dispatch: "{{ fan_out('each', state.numbers, 'n') }}" }
              targets: [each]
            - { id: each, type: subgraph, config: { graph: sub-double }, %s }
          edges: [{ from: __start__, to: plan }]
          """
              .formatted(bound));

      var run = run("sub-fan", "{\"numbers\": [1, 2, 3, 4, 5, 6, 7]}");

      var each = (ListValue) Service.at(run, "/output/each");
      assertThat(each.stream().map(it -> Service.at(it, "/doubled")))
          .containsExactlyElementsOf(
              IntStream.rangeClosed(1, 7).<Value>mapToObj(it -> Value.of(2L * it)).toList());
      assertThat(children(run)).hasSize(7);
      if (!bound.isEmpty()) {
        assertThat(mostAtATime(run)).isLessThanOrEqualTo(2);
      }
    }
  }

  private int mostAtATime(Value run) {
    return Objects.requireNonNull(
        database.queryForObject(
            """
            select max(together) from (
              select count(*) as together
                from run a join run b on b.created_at <= a.created_at and b.finished_at > a.created_at
               where a.parent_run = ? and b.parent_run = a.parent_run group by a.id) as counted
            """,
            Integer.class,
            Service.text(run, "/id")));
  }

  /// E41: a child's question appears on the parent with its path, and is answered there; the child
  /// goes on from where it was.
  @Test
  void asksTheChildsQuestionsAtTheOutermostRun() {
    service.graph(calling("sub-middle", "sub-ask", ", input: { question: \"{{ state.q }}\" }"));
    service.graph(calling("sub-outer", "sub-middle", ", input: { q: \"Well?\" }"));

    var asked = run("sub-outer", "{}");

    assertThat(Service.text(asked, "/status")).isEqualTo("interrupted");
    var interrupt = Service.at(asked, "/interrupts/0");
    assertThat(Service.text(interrupt, "/payload")).isEqualTo("Well?");
    assertThat(Service.text(interrupt, "/node")).isEqualTo("person");
    assertThat(Service.text(interrupt, "/path/0/run_id")).isEqualTo(Service.text(asked, "/id"));
    assertThat(Service.text(interrupt, "/path/0/graph")).isEqualTo("sub-outer");
    assertThat(Service.text(interrupt, "/path/1/graph")).isEqualTo("sub-middle");
    assertThat(Service.text(interrupt, "/path/1/node")).isEqualTo("call");
    assertThat(Service.at(look(asked, "/interrupts"), "/items/0")).isEqualTo(interrupt);

    var run =
        service.post(
            "/v1/runs/%s/resume?wait=30s".formatted(Service.text(asked, "/id")),
            input("{\"answers\": [{\"value\": \"fine\"}]}"));

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(Service.text(run, "/output/call/call/said")).isEqualTo("fine");
    assertThat(Service.at(run, "/interrupts")).isEqualTo(ListValue.empty());
    var middle = child(run);
    var inner = child(middle);
    assertThat(Service.at(inner, "/superstep")).isEqualTo(Value.of(3L));
    assertThat(look(inner, "/tasks").toString()).containsOnlyOnce("\"1:first\"");
  }

  /// E41, E35: each question is answered by its id, at the run that shows it or where it was asked.
  @Test
  void goesOnAfterAnAnswerToTheInterruptItself() {
    service.graph(
        """
        name: sub-two
        nodes:
          - { id: one, type: subgraph, config: { graph: sub-ask, input: { question: 1 } } }
          - { id: two, type: subgraph, config: { graph: sub-ask, input: { question: 2 } } }
        edges: [{ from: __start__, to: [one, two] }]
        """);
    var asked = run("sub-two", "{}");
    awaitQuestions(asked, 2);

    var ambiguous =
        service.post(
            "/v1/runs/%s/resume".formatted(Service.text(asked, "/id")),
            input("{\"answers\": [{\"value\": \"which?\"}]}"));
    assertThat(Service.text(ambiguous, "/code")).isEqualTo("interrupt_ambiguous");
    var questions = look(asked, "");
    var answered = service.answer(questions, "\"a\"");
    assertThat(Service.text(answered, "/status")).isEqualTo("succeeded");
    assertThat(Service.text(answered, "/id"))
        .isEqualTo(Service.text(questions, "/interrupts/0/run_id"));
    awaitQuestions(asked, 1);
    awaitStatus(asked, "interrupted");
    var last = Service.text(look(asked, ""), "/interrupts/0/id");
    var run =
        service.post(
            "/v1/runs/%s/resume?wait=30s".formatted(Service.text(asked, "/id")),
            input("{\"answers\": [{\"interrupt_id\": \"%s\", \"value\": \"b\"}]}".formatted(last)));

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(Service.text(run, "/output/one/said") + Service.text(run, "/output/two/said"))
        .containsAnyOf("ab", "ba");
  }

  private void mixed(String name, String pause) {
    service.graph(
        """
        name: %s-child
        nodes: [{ id: sleep, type: wait, config: { for: %s } }]
        edges: [{ from: __start__, to: sleep }]
        """
            .formatted(name, pause));
    service.graph(
        """
        name: %s
        nodes:
          - { id: ask, type: subgraph, config: { graph: sub-ask, input: { question: 1 } } }
          - { id: work, type: subgraph, config: { graph: %s-child } }
        edges: [{ from: __start__, to: [ask, work] }]
        """
            .formatted(name, name));
  }

  /// C31: at rest only when nothing below can go on.
  @Test
  void isNotInterruptedWhileAnotherChildWorks() {
    mixed("sub-mixed", "1500ms");

    var run = run("sub-mixed", "{}");

    assertThat(Service.text(run, "/status")).isEqualTo("interrupted");
    assertThat(
            database.queryForList(
                "select status from run where parent_run = ? order by graph",
                String.class,
                Service.text(run, "/id")))
        .containsExactlyInAnyOrder("interrupted", "succeeded");
  }

  /// C31: all that could go on sleeps.
  @Test
  void waitsWhileAnotherChildSleeps() {
    mixed("sub-asleep", "1h");
    var run = service.post("/v1/runs", input("{\"graph\": \"sub-asleep\", \"input\": {}}"));
    awaitQuestions(run, 1);
    awaitStatus(run, "waiting");
    assertThat(Service.text(look(run, "?wait=1s"), "/status")).isEqualTo("waiting");

    var answered = service.answer(look(run, ""), "\"yes\"");

    assertThat(Service.text(answered, "/status")).isEqualTo("succeeded");
    awaitStatus(run, "waiting");
  }

  /// E33: in task order, not in that of asking.
  @Test
  void listsQuestionsInTheOrderOfTasks() {
    service.graph(
        """
        name: sub-ordered
        nodes:
          - id: plan
            type: expression
            config: { dispatch: "{{ state.items.map(t, {'node': 'each', 'input': {'item': t}}) }}" }
            targets: [each]
          - { id: each, type: subgraph, config: { graph: sub-ask, input: { question: "{{ input.item }}" } } }
        edges: [{ from: __start__, to: plan }]
        """);

    var asked = run("sub-ordered", "{\"items\": [\"e\", \"b\", \"d\", \"a\", \"c\", \"f\"]}");

    awaitQuestions(asked, 6);
    var interrupts = (ListValue) Service.at(look(asked, ""), "/interrupts");
    assertThat(interrupts.stream().map(it -> Service.text(it, "/payload")))
        .containsExactly("e", "b", "d", "a", "c", "f");
  }

  private void awaitQuestions(Value run, int count) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() ->
            assertThat(((ListValue) Service.at(look(run, ""), "/interrupts")).size())
                .isEqualTo(count));
  }

  /// E41, E38: a resume of the parent passes the child's breakpoint.
  @Test
  void passesABreakpointOfTheChild() {
    service.graph(
        """
        name: sub-stops
        interrupt_before: work
        nodes: [{ id: work, type: expression, config: { update: { done: true } } }]
        edges: [{ from: __start__, to: work }]
        """);
    service.graph(calling("sub-stopping", "sub-stops", ""));
    var stopped = run("sub-stopping", "{}");
    assertThat(Service.text(stopped, "/status")).isEqualTo("interrupted");

    var run =
        service.post(
            "/v1/runs/%s/resume?wait=30s".formatted(Service.text(stopped, "/id")), input("{}"));

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(Service.at(run, "/output/call/done")).isEqualTo(Value.TRUE);
  }

  /// E41, E31, E32: a retry begins another child; what fails after the last goes to the error edge.
  @Test
  void beginsAnotherChildWithEachRetry() {
    service.graph(
        """
        name: sub-broken
        nodes: [{ id: work, type: expression, config: { update: { x: "{{ state.missing }}" } } }]
        edges: [{ from: __start__, to: work }]
        """);
    service.graph(
        """
        name: sub-retrying
        nodes:
          - id: call
            type: subgraph
            config: { graph: sub-broken }
            retry: { max_attempts: 3, initial_interval: 10ms, retry_on: ["*"] }
          - { id: plan-b, type: expression, config: { update: { saved: "{{ state.failure.code }}" } } }
        edges:
          - { from: __start__, to: call }
          - { from: call, to: plan-b, type: error, error_to: failure }
        """);

    var run = run("sub-retrying", "{}");

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(children(run)).hasSize(3);
    assertThat(Service.text(children(run).getFirst(), "/error/node")).isEqualTo("work");
    assertThat(Service.text(run, "/output/saved"))
        .isEqualTo(Service.text(children(run).getFirst(), "/error/code"));
  }

  /// E41: cancel goes down.
  @Test
  void cancelsTheChildWithTheParent() {
    service.graph(calling("sub-cancelled", "sub-ask", ", input: { question: 1 }"));
    var asked = run("sub-cancelled", "{}");
    var child = child(asked);

    service.post("/v1/runs/%s/cancel".formatted(Service.text(asked, "/id")), input("{}"));

    awaitStatus(asked, "cancelled");
    awaitStatus(child, "cancelled");
    var interrupt = Service.text(asked, "/interrupts/0/id");
    assertThat(Service.text(service.get("/v1/interrupts/" + interrupt), "/status"))
        .isEqualTo("cancelled");
  }

  /// E41: the child's end is the node's, also when somebody ends it; it goes with its parent.
  @Test
  void failsWhenItsChildIsCancelled() {
    service.graph(calling("sub-orphaned", "sub-ask", ", input: { question: 1 }"));
    var asked = run("sub-orphaned", "{}");
    var child = child(asked);

    service.post("/v1/runs/%s/cancel".formatted(Service.text(child, "/id")), input("{}"));

    awaitStatus(asked, "failed");
    assertThat(Service.text(look(asked, ""), "/error/code")).isEqualTo("child_cancelled");
    service.delete("/v1/runs/" + Service.text(asked, "/id"));
    assertThat(Service.text(look(child, ""), "/code")).isEqualTo("run_not_found");
  }

  /// E41, E31: deadlines go down.
  @Test
  void endsTheChildWhenTheNodesTimeIsOver() {
    service.graph(
        """
        name: sub-sleeps
        nodes: [{ id: nap, type: wait, config: { for: 1h } }]
        edges: [{ from: __start__, to: nap }]
        """);
    service.graph(
        """
        name: sub-hurried
        nodes: [{ id: call, type: subgraph, config: { graph: sub-sleeps }, timeout: 2s }]
        edges: [{ from: __start__, to: call }]
        """);

    var run = run("sub-hurried", "{}");

    assertThat(Service.text(run, "/error/code")).as(run.toString()).isEqualTo("node_timeout");
    assertThat(Service.text(child(run), "/error/code")).isEqualTo("run_timeout");
  }

  /// E41: the input is checked before anything is begun.
  @Test
  void refusesAnInputThatDoesNotFit() {
    service.graph(calling("sub-misfit", "sub-double", ", input: { n: \"{{ 'one' }}\" }"));

    var run = run("sub-misfit", "{}");

    assertThat(Service.text(run, "/error/code")).isEqualTo("invalid_input");
    assertThat(Service.text(run, "/error/message")).contains("/n");
    assertThat(children(run)).isEmpty();
  }

  /// E41: nesting is limited.
  @Test
  void nestsAsDeepAsItMay() {
    service.graph(
        """
        name: sub-countdown
        output: { channels: [depth] }
        nodes:
          - { id: base, type: expression, config: { update: { depth: 0 } } }
          - id: down
            type: subgraph
            config:
              graph: sub-countdown
              input: { n: "{{ state.n - 1 }}" }
              output: { update: { depth: "{{ response.depth + 1 }}" } }
        edges:
          - { from: __start__, to: down, condition: "state.n > 0" }
          - { from: __start__, to: base, condition: "state.n == 0" }
        """);

    assertThat(Service.at(run("sub-countdown", "{\"n\": 4}"), "/output/depth"))
        .isEqualTo(Value.of(4L));
    var tooDeep = run("sub-countdown", "{\"n\": 50}");
    assertThat(Service.text(tooDeep, "/error/code")).isEqualTo("nesting_too_deep");
  }

  /// E41
  @Test
  void saysWhatADefinitionCallsThatCannotBe() {
    assertThat(
            service.problems(
                """
                name: sub-wrong
                nodes:
                  - { id: a, type: subgraph, config: { graph: sub-nowhere } }
                  - { id: b, type: subgraph, config: { graph: sub-double, version: 7777 } }
                  - { id: c-d, type: subgraph, config: { graph: sub-double } }
                edges: [{ from: __start__, to: [a, b, c-d] }]
                """))
        .containsExactlyInAnyOrder(
            "unknown_graph /nodes/0/config/graph",
            "unknown_version /nodes/1/config/version",
            "missing_field /nodes/2/config/result");
    service.graph(calling("sub-circle", "sub-double", ", input: { n: 1 }"));
    service.graph(calling("sub-circling", "sub-circle", ""));
    assertThat(service.problems(calling("sub-circle", "sub-circling", "")))
        .containsExactly("endless_recursion /nodes/0/config/graph");
  }

  /// P9: a child sees nothing of the parent's prompt context unless the node lets it through. E5:
  /// ids that are generated in the child differ from the parent's.
  @Test
  void passesOnWhatTheNodeReceives() {
    service.graph(
        """
        name: sub-context
        channels: { messages: { reducer: messages } }
        context: { template: "own", variables: { own: 1 } }
        nodes:
          - id: work
            type: expression
            config: { update: { messages: [{ role: assistant, content: "{{ to_json(variables) }}" }] } }
        edges: [{ from: __start__, to: work }]
        """);
    for (var type : List.of("isolate", "pass_through")) {
      service.graph(
          """
          name: sub-passing
          channels: { messages: { reducer: messages } }
          context: { template: "outer", variables: { outer: 2 } }
          nodes:
            - id: work
              type: expression
              config: { update: { messages: [{ role: user, content: hi }] } }
            - id: call
              type: subgraph
              context_type: %s
              config:
                graph: sub-context
                input: { messages: "{{ state.messages }}" }
                output: { update: { messages: "{{ response.messages }}" } }
          edges: [{ from: __start__, to: work }, { from: work, to: call }]
          """
              .formatted(type));

      var output = Service.at(run("sub-passing", "{}"), "/output");

      var passed = type.equals("isolate") ? "{\"own\":1}" : "{\"outer\":2,\"own\":1}";
      assertThat(Service.text(output, "/messages/1/content")).isEqualTo(passed);
      assertThat(((ListValue) Service.at(output, "/messages")).size()).isEqualTo(2);
    }
  }
}
