package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What of the prompt context reaches nodes, over HTTP and PostgreSQL (P8–P19).
@ApiTest
class ContextApiTests {
  @LocalServerPort private int port;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
  }

  private String run(String graph) {
    return run(graph, "{}");
  }

  private String run(String graph, String context) {
    var answer =
        api.post(
            "/v1/runs?wait=30s",
            "{\"graph\": \"%s\", \"input\": {}, \"context\": %s}".formatted(graph, context));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return text(Api.at(answer, "/id"));
  }

  private static String text(Value value) {
    return value instanceof Value.Text(var text) ? text : value.toString();
  }

  private Value get(String path, String pointer) {
    return Api.at(get(path), pointer);
  }

  private HttpResponse<String> get(String path) {
    var answer = api.get("/v1/runs/" + path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  private static String keys(Value object) {
    return String.join(" ", new TreeSet<>(((ObjectValue) object).asMap().keySet()));
  }

  private static Value json(String text) {
    return Json.read(text);
  }

  /// S4-29, the seed's test 8.2: after a workflow with filters on nodes and edges the history has
  /// one entry for each executed node, and the variable `filtered` is true.
  @Test
  void filtersThroughNodesAndEdges() {
    api.graph(
        """
        name: ctx-seed
        context: { template: template }
        nodes:
          - id: first
            type: expression
            context_type: filter_out
            context_filter: { rules: [{ type: exclude, pattern: internal.* }] }
            config: { response: "{{ string(has(context.internal.note)) }}" }
          - id: second
            type: expression
            config: { variables: { filtered: "{{ !has(context.irrelevant.x) && has(context.relevant.x) }}" } }
        edges:
          - { from: __start__, to: first }
          - from: first
            to: second
            type: conditional
            context_filter:
              type: conditional
              condition: "context.relevant === true"
              include_patterns: ["relevant.*"]
              exclude_patterns: ["irrelevant.*"]
        """);
    var run =
        run(
            "ctx-seed",
            "{\"variables\": {\"relevant\": true, \"relevant.x\": 1, \"irrelevant.x\": 1,"
                + " \"internal.note\": 1}}");
    var context = get(run + "/context");

    assertThat(((ListValue) Api.at(context, "/history")).size()).isEqualTo(2);
    assertThat(Api.at(context, "/variables/filtered")).isEqualTo(Value.TRUE);
    assertThat(Api.at(context, "/history/0/response")).isEqualTo(Value.of("false"));
    assertThat(Api.at(context, "/history/0/metadata"))
        .isEqualTo(json("{\"node_type\": \"expression\", \"context_type\": \"filter_out\"}"));
    assertThat(Api.at(context, "/history/1/metadata/context_type"))
        .isEqualTo(Value.of("pass_through"));
  }

  /// C27: what is dropped stays readable in its checkpoints, and every checkpoint comes back from
  /// its deltas as it was.
  @Test
  void dropsTheOldestOfTheHistoryAndKeepsTheCheckpoints() {
    for (var mode : List.of("view", "chain")) {
      api.graph(
          """
          name: ctx-history-%s
          context: { mode: %s, history: { keep_last: 3, max_bytes: 64KB } }
          limits: { max_supersteps: 8 }
          channels: { n: { reducer: sum, default: 0 } }
          nodes:
            - id: count
              type: expression
              config: { update: { n: 1 }, response: "{{ string(state.n) }}" }
          edges:
            - { from: __start__, to: count }
            - { from: count, to: count, condition: "state.n < 8" }
          """
              .formatted(mode, mode));
      var run = run("ctx-history-" + mode);

      for (int checkpoint = 0; checkpoint <= 8; checkpoint++) {
        var context = get(run + "/context?checkpoint=" + checkpoint);
        var kept = (ListValue) Api.at(context, "/history");
        assertThat(kept.size()).isEqualTo(Math.min(3, checkpoint));
        for (int i = 0; i < kept.size(); i++) {
          var superstep = checkpoint - kept.size() + 1 + i;
          assertThat(Api.at(context, "/history/%d/superstep".formatted(i)))
              .isEqualTo(Value.of(superstep));
          // Its time is that of the commit which added it, however often it was rebuilt since.
          assertThat(Api.at(context, "/history/%d/timestamp".formatted(i)))
              .isEqualTo(get(run + "/checkpoints/" + superstep, "/created_at"));
        }
        assertThat(
                ((ObjectValue) Api.at(context, "/metadata")).getOr("history_dropped", Value.of(0)))
            .isEqualTo(Value.of(Math.max(0, checkpoint - 3)));
      }
    }
  }

  @Test
  void saysWhatIsWrongWithABoundOfTheHistory() {
    var answer =
        api.post(
            "/v1/graphs/validate",
            """
            {"name": "ctx-history-wrong", "context": {"history":
                {"unbounded": true, "keep_last": 2, "max_bytes": "many"}},
             "nodes": [{"id": "a", "type": "router"}], "edges": [{"from": "__start__", "to": "a"}]}
            """);
    assertThat(answer.body())
        .contains("/context/history/max_bytes", "'many' is no size; write for example 512B");

    api.graph(
        """
        name: ctx-history-unbounded
        context: { history: unbounded }
        nodes: [{ id: a, type: router }]
        edges: [{ from: __start__, to: a }]
        """);
    assertThat(api.get("/v1/graphs/ctx-history-unbounded").body())
        .contains("\"history\":{\"unbounded\":true}");
  }

  private HttpResponse<String> change(String path, String body) {
    return api.post("/v1/runs/" + path, body);
  }

  /// E42, P13: a run that failed for what its context lacks is mended by `resume` and by `fork`;
  /// the checkpoint comes back from its deltas.
  @Test
  void editsTheContextOfARunThatFailed() {
    api.graph(
        """
        name: ctx-mended
        context: { template: one, variables: { tool.key: k } }
        nodes:
          - { id: first, type: expression, config: { response: said } }
          - id: second
            type: expression
            required_context: [llm.model]
            config: { response: "{{ context.llm.model + string(has(context.tool.key)) }}" }
        edges: [{ from: __start__, to: first }, { from: first, to: second }]
        """);
    var run = run("ctx-mended");
    assertThat(get(run, "/error/code")).isEqualTo(Value.of("context_incompatible"));
    var edit =
        """
        {"remove_variables": ["tool.*"], "variables": {"llm": {"model": "m"}}, "template": "two",
         "metadata": {"by": "hand"}, "history": {"keep_last": 0}}
        """;

    var forked =
        change(run + "/fork?wait=30s", "{\"checkpoint\": 1, \"context\": %s}".formatted(edit));
    var resumed = change(run + "/resume?wait=30s", "{\"context\": %s}".formatted(edit));

    for (var after : List.of(forked, resumed)) {
      assertThat(Api.at(after, "/status")).as(after.body()).isEqualTo(Value.of("succeeded"));
      var context = get(text(Api.at(after, "/id")) + "/context");
      assertThat(Api.at(context, "/template")).isEqualTo(Value.of("two"));
      assertThat(Api.at(context, "/variables")).isEqualTo(json("{\"llm.model\": \"m\"}"));
      assertThat(Api.at(context, "/metadata"))
          .isEqualTo(json("{\"by\": \"hand\", \"history_dropped\": 1}"));
      assertThat(((ListValue) Api.at(context, "/history")).size()).isEqualTo(1);
      assertThat(Api.at(context, "/history/0/response")).isEqualTo(Value.of("mfalse"));
    }
    assertThat(get(run + "/checkpoints/3", "/kind")).isEqualTo(Value.of("update"));
    assertThat(get(run + "/context?checkpoint=3", "/template")).isEqualTo(Value.of("two"));
    assertThat(get(run + "/context?checkpoint=2", "/template")).isEqualTo(Value.of("one"));
  }

  @Test
  void saysWhatIsWrongWithAnEditOfTheContext() {
    api.graph(
        """
        name: ctx-wrong-edit
        context: { template: one }
        nodes: [{ id: a, type: router, required_context: [x] }]
        edges: [{ from: __start__, to: a }]
        """);
    api.graph(
        """
        name: ctx-nothing-to-edit
        nodes: [{ id: a, type: expression, config: { update: { x: "{{ state.none }}" } } }]
        edges: [{ from: __start__, to: a }]
        """);
    var run = run("ctx-wrong-edit");
    var without =
        api.post("/v1/runs?wait=30s", "{\"graph\": \"ctx-nothing-to-edit\", \"input\": {}}");
    var cases =
        Map.of(
            "{\"context\": {\"history\": {\"remove\": [\"h-9\"]}}}",
                "the history has no entry 'h-9'",
            "{\"context\": {\"history\": {\"keep_last\": -1}}}", "/context/history/keep_last",
            "{\"context\": {\"history\": {\"remove\": [null]}}}", "/context/history/remove/0",
            "{\"context\": {\"remove_variables\": [\"a\", \" \"]}}", "/context/remove_variables/1",
            "{\"context\": {\"variables\": {\"a\": {\"b\": 1}, \"a.b\": 2}}}",
                "/context/variables/a.b",
            "{\"context\": {\"variable\": {}}}", "/context/variable");
    cases.forEach((body, said) -> {
      var refused = change(run + "/resume", body);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(422);
      assertThat(refused.body()).contains(said);
    });
    var refused =
        change(text(Api.at(without, "/id")) + "/resume", "{\"context\": {\"template\": \"t\"}}");
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(422);
    assertThat(refused.body()).contains("keeps no prompt context", "\"pointer\":\"/context\"");
  }

  /// C30: a list of filters is `context_filters` in long form; a run and the preview use all.
  @Test
  void takesSeveralFiltersOfANode() {
    api.graph(
        """
        name: ctx-several
        context: { variables: { a.x: 1, b.x: 2, c.x: 3 } }
        nodes:
          - id: n
            type: expression
            context_filter:
              - { rules: [{ type: exclude, pattern: "a.*" }] }
              - { rules: [{ type: exclude, pattern: "b.*" }], priority: 3 }
            config: { response: "{{ to_json(variables) }}" }
        edges: [{ from: __start__, to: n }]
        """);
    var run = run("ctx-several");

    assertThat(get(run + "/context", "/history/0/response")).isEqualTo(Value.of("{\"c.x\":3}"));
    assertThat(api.get("/v1/graphs/ctx-several").body()).contains("\"context_filters\":[{");
    var explained = get(run + "/checkpoints/0/context?node=n");
    assertThat(explained.body()).contains("/0/rules/0", "/1/rules/0");
    var preview =
        api.post(
            "/v1/context/preview",
            """
            {"context": {"variables": {"a": 1, "b": 2}},
             "node": {"id": "n", "type": "router", "context_filters":
               [{"rules": [{"type": "exclude", "pattern": "a"}]}, {"rules": []}]}}
            """);
    assertThat(Api.at(preview, "/context/variables")).isEqualTo(json("{\"b\": 2}"));
    assertThat(preview.body()).contains("/0/rules/0");
    var unknown =
        api.post(
            "/v1/context/preview",
            """
            {"context": {}, "node": {"type": "router", "context_filters": [{"type": "java", "name": "none"}]}}
            """);
    assertThat(unknown.statusCode()).isEqualTo(422);
    assertThat(unknown.body()).contains("this server has no context filter 'none'");
  }

  /// P19, S4-24: the seed's own YAML, as it is written there, is a graph of this server.
  @Test
  void takesTheYamlOfTheSeed() throws IOException {
    api.graph(Files.readString(Path.of("src/language/test/resources/definitions/seed-4.yaml")));

    assertThat(api.get("/v1/graphs/seed-4/diagram").body())
        .contains(
            "llm_node_1 [llm_context +llm.* -tool.*]",
            "[selective +relevant.* -internal.*]",
            "[conditional if context.priority === 'high']");
  }

  private static final String LEAKS =
      """
      name: %s
      channels: { seen: { reducer: append } }
      context: { mode: %s, variables: { secret: { key: s3cret }, open: { x: 1 } } }
      nodes:
        - { id: plan, type: expression, config: { variables: { secret: { own: s3cret } } } }
        - id: look
          type: expression
          context_type: filter_out
          context_filter: { rules: [{ type: exclude, pattern: secret.* }] }
          config:
            update:
              seen: "{{ {'variables': variables, 'context': context, 'history': history, 'metadata': metadata, 'state': state, 'input': input, 'run': run} }}"
        - { id: end, type: expression, config: { update: { seen: "{{ context.secret.key }}" } } }
      edges:
        - { from: __start__, to: plan }
        - { from: plan, to: look }
        - { from: look, to: end }
      """;

  /// "Not a fig leaf": no template of a node shows what its filter excludes, under any name; in
  /// mode `view` a node behind it sees it again, in mode `chain` it does not (P12).
  @Test
  void hidesWhatIsExcludedFromEveryExpressionOfTheNode() {
    api.graph(LEAKS.formatted("ctx-leaks", "view"));
    api.graph(LEAKS.formatted("ctx-leaks-chain", "chain"));

    var seen = get(run("ctx-leaks") + "/state", "/state/seen");
    assertThat(((ListValue) seen).get(0).toString()).contains("open.x").doesNotContain("s3cret");
    assertThat(((ListValue) seen).get(1)).isEqualTo(Value.of("s3cret"));
    var chained = get(run("ctx-leaks-chain") + "/state", "/state/seen");
    assertThat(((ListValue) chained).get(0).toString()).contains("open.x").doesNotContain("s3cret");
    assertThat(((ListValue) chained).get(1)).isEqualTo(Value.NULL);
  }

  /// P17: what a node received, and which rule decided about each item; of a step as of what it
  /// activates.
  @Test
  void saysWhyAVariableIsMissing() {
    api.graph(
        """
        name: ctx-why
        context: { variables: { llm.model: m, tool.key: s3cret, relevant: true } }
        nodes:
          - { id: a, type: router }
          - id: b
            type: human
            context_type: filter_in
            context_filter: { rules: [{ type: include, pattern: llm.* }] }
            config: { payload: "Well?" }
        edges:
          - { from: __start__, to: a }
          - id: e
            from: a
            to: b
            context_filter: { type: selective, exclude_patterns: [tool.*] }
        """);
    var run = run("ctx-why");
    var received = get(run + "/checkpoints/1/context?node=b");

    assertThat(Api.at(received, "/checkpoint")).isEqualTo(Value.of(1));
    assertThat(Api.at(received, "/task_id")).isEqualTo(Value.of("2:b"));
    assertThat(Api.at(received, "/context_type")).isEqualTo(Value.of("filter_in"));
    assertThat(Api.at(received, "/ways")).isEqualTo(json("[{\"edge\": \"e\"}]"));
    assertThat(keys(Api.at(received, "/context/variables"))).isEqualTo("llm.model");
    assertThat(decision(received, "tool.key"))
        .isEqualTo("false edge e dropped /exclude_patterns/0");
    assertThat(decision(received, "relevant"))
        .isEqualTo("false filter b dropped /default_behavior");
    assertThat(decision(received, "llm.model")).isEqualTo("true filter b kept /rules/0");
    assertThat(get(run + "/checkpoints/1/context?node=a", "/checkpoint")).isEqualTo(Value.of(0));
    Api.assertProblem(
        api.get("/v1/runs/" + run + "/checkpoints/1/context?node=c"), 404, "task_not_found");
    Api.assertProblem(
        api.get("/v1/runs/" + run + "/checkpoints/1/context?node=b&dispatch_id=d"),
        404,
        "task_not_found");
    Api.assertProblem(
        api.get("/v1/runs/" + run + "/checkpoints/9/context?node=b"), 404, "checkpoint_not_found");
    Api.assertProblem(
        api.get("/v1/runs/" + run + "/checkpoints/1/context"), 422, "invalid_parameter");
  }

  private static String decision(HttpResponse<String> answer, String key) {
    for (var item : (ListValue) Api.at(answer, "/items")) {
      var object = (ObjectValue) item;
      if (Value.of(key).equals(object.get("key"))) {
        var steps = (ListValue) object.getOr("steps", ListValue.empty());
        var last = (ObjectValue) steps.get(steps.size() - 1);
        return String.join(
            " ",
            object.getOr("kept", Value.NULL).equals(Value.TRUE) ? "true" : "false",
            text(last.getOr("stage", Value.NULL)),
            text(last.getOr("source", Value.NULL)),
            text(last.getOr("action", Value.NULL)),
            text(last.getOr("rule", Value.NULL)));
      }
    }
    return "no item";
  }

  /// P12, P13: a checkpoint read from the database knows the ways, in mode `chain` too, and what
  /// each source passed on; an edge that is not taken says so.
  @Test
  void keepsWaysAndPassedContextsInCheckpoints() {
    api.graph(
        """
        name: ctx-chain
        context: { mode: chain, variables: { a.x: 1, b.x: 2 } }
        nodes:
          - id: first
            type: expression
            context_filter: { rules: [{ type: exclude, pattern: b.* }] }
            config: { variables: { a: { y: 3 } } }
          - { id: ask, type: human, context_type: pass_through, config: { payload: "Well?" } }
          - { id: poor, type: router, required_context: [b.*] }
          - { id: last, type: expression, config: { update: { seen: "{{ keys(variables) }}" } } }
        edges:
          - { from: __start__, to: first }
          - { from: first, to: ask }
          - { id: skipped, from: first, to: poor, on_incompatible: skip }
          - { from: ask, to: last }
        """);
    var run = run("ctx-chain");

    assertThat(keys(get(run + "/checkpoints/1/context?node=ask", "/context/variables")))
        .isEqualTo("a.x a.y");
    assertThat(get(run + "/checkpoints/1/context?node=ask", "/ways/0/source_task"))
        .isEqualTo(Value.of("1:first"));
    assertThat(get(run + "/events?type=edge.not_taken", "/items/0/data"))
        .isEqualTo(
            json(
                "{\"edge\": \"skipped\", \"to\": \"poor\", \"code\": \"context_incompatible\","
                    + " \"missing\": [\"b.*\"]}"));
    api.post("/v1/runs/" + run + "/resume?wait=30s", "{\"answers\": [{\"value\": \"yes\"}]}");
    assertThat(get(run + "/state", "/state/seen")).isEqualTo(json("[\"a.x\", \"a.y\"]"));
    assertThat(keys(get(run + "/context", "/variables"))).isEqualTo("a.x a.y b.x");
  }

  /// P13: a task that lacks required context fails, whatever its retry policy says.
  @Test
  void failsATaskThatLacksRequiredContext() {
    api.graph(
        """
        name: ctx-required
        context: { variables: { b.x: 2 } }
        nodes:
          - { id: a, type: expression, required_context: [a.*], retry: { max_attempts: 3, retry_on: ["*"] } }
        edges: [{ from: __start__, to: a }]
        """);
    var run = run("ctx-required");
    var shown = api.get("/v1/runs/" + run);

    assertThat(Api.at(shown, "/status")).isEqualTo(Value.of("failed"));
    assertThat(Api.at(shown, "/error/code")).isEqualTo(Value.of("context_incompatible"));
    assertThat(Api.at(shown, "/error/attempt")).isEqualTo(Value.of(1));
    assertThat(Api.at(shown, "/error/details/missing")).isEqualTo(json("[\"a.*\"]"));
  }

  /// P11: a dispatch passes through the filter of the edge that emitted it; what a checkpoint says
  /// of it can be asked by its id.
  @Test
  void showsTheContextOfADispatch() {
    api.graph(
        """
        name: ctx-dispatch
        context: { variables: { a.x: 1, b.x: 2 } }
        nodes:
          - { id: plan, type: router }
          - { id: work, type: human, context_type: pass_through, config: { payload: "{{ keys(variables) }}" } }
        edges:
          - { from: __start__, to: plan }
          - id: fan
            from: plan
            route: "[{'node': 'work', 'id': 'one', 'input': {}}]"
            targets: [work]
            context_filter: { type: selective, include_patterns: [a.*] }
        """);
    var run = run("ctx-dispatch");

    assertThat(get(run + "/interrupts", "/items/0/payload")).isEqualTo(json("[\"a.x\"]"));
    assertThat(
            keys(
                get(
                    run + "/checkpoints/1/context?node=work&dispatch_id=one",
                    "/context/variables")))
        .isEqualTo("a.x");
  }

  /// P1: a variable that a request gives twice, as an object and as a dotted key, is refused with a
  /// pointer.
  @Test
  void refusesAVariableThatIsGivenTwice() {
    api.graph(LEAKS.formatted("ctx-twice", "view"));
    var answer =
        api.post(
            "/v1/runs",
            "{\"graph\": \"ctx-twice\", \"input\": {}, \"context\": {\"variables\": {\"a\": {\"b\":"
                + " 1}, \"a.b\": 2}}}");

    Api.assertProblem(answer, 422, "invalid_value");
    assertThat(Api.at(answer, "/errors/0/pointer")).isEqualTo(Value.of("/context/variables/a.b"));
  }

  /// P2, E48: a version that says nothing about prompt contexts filters nothing, and so a run that
  /// is forked into it brings none along.
  @Test
  void leavesTheContextBehindWhenForkedIntoAVersionWithoutOne() {
    var graph =
        """
        name: ctx-fork
        %s
        nodes: [{ id: ask, type: human, config: { payload: "{{ variables }}" } }]
        edges: [{ from: __start__, to: ask }]
        """;
    api.graph(graph.formatted("context: { variables: { tool.key: s3cret } }"));
    var run = run("ctx-fork");
    api.graph(graph.formatted(""));
    var fork =
        api.post("/v1/runs/" + run + "/fork?wait=30s", "{\"checkpoint\": 0, \"version\": 2}");

    assertThat(Api.at(fork, "/interrupts/0/payload")).isEqualTo(ObjectValue.empty());
    assertThat(get(text(Api.at(fork, "/id")) + "/context").body()).doesNotContain("s3cret");
  }

  /// P9, diagram: context types on nodes, filters on edges.
  @Test
  void drawsContextTypesAndFilters() {
    api.graph(LEAKS.formatted("ctx-drawn", "view"));

    assertThat(api.get("/v1/graphs/ctx-drawn/diagram").body())
        .contains("look [filter_out -secret.*]");
  }

  /// S4-19: a graph without any of the keys keeps no context and refuses one.
  @Test
  void keepsNoContextWhereNothingIsAboutOne() {
    api.graph(Graphs.counter("ctx-none", 1));
    var run = api.run("ctx-none", Map.of()).getId();

    assertThat(get(run + "/context", "/variables")).isEqualTo(ObjectValue.empty());
    assertThat(get(run + "/checkpoints/0/context?node=add", "/items")).isEqualTo(ListValue.empty());
  }
}
