package dev.superstep.agent;

import static dev.superstep.agent.SubgraphApiTests.input;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.Zips;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Inline graphs, over HTTP.
@AgentTest
class InlineGraphApiTests {
  @LocalServerPort int port;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private static String asking(String name, int factor) {
    return """
    name: %s
    params: { factor: { default: %d } }
    channels: { scores: { reducer: append } }
    nodes:
      - id: plan
        type: expression
        config: { dispatch: "{{ fan_out('each', state.numbers, 'n') }}" }
        targets: [each]
      - id: each
        type: subgraph
        config: { graph: "#score", result: { update: { scores: "{{ [response.score] }}" } } }
    graphs:
      score:
        input: { schema: { type: object, required: [n], properties: { n: { type: integer } } } }
        output: { channels: [score] }
        nodes:
          - { id: first, type: expression, config: { update: { m: "{{ state.n + 1 }}" } }, next: ask }
          - { id: ask, type: human, config: { payload: "{{ state.m }}", answer_to: more }, next: twice }
          - { id: twice, type: subgraph, config: { graph: "#times", input: { n: "{{ state.m + state.more }}" }, result: { update: { score: "{{ response.product }}" } } } }
      times:
        nodes:
          - { id: multiply, type: expression, config: { update: { product: "{{ state.n * params.factor }}" } } }
    """
        .formatted(name, factor);
  }

  private List<Value> children(Value run) {
    var found = service.get("/v1/runs?limit=200&parent=" + Service.text(run, "/id"));
    return ((ListValue) Service.at(found, "/items")).stream().toList();
  }

  private Value look(Value run) {
    return service.get("/v1/runs/" + Service.text(run, "/id"));
  }

  private Value answerAll(Value run, int answer) {
    var asked = run;
    while (Service.text(asked, "/status").equals("interrupted")) {
      service.answer(asked, Integer.toString(answer));
      asked = service.get("/v1/runs/%s?wait=30s".formatted(Service.text(run, "/id")));
    }
    return asked;
  }

  /// Each of its files plays its part.
  @Test
  void runsABundle() {
    var graph =
        """
        name: bundle-run
        nodes:
          - { id: call, type: subgraph, config: { graph: "#greet", input: { who: "{{ state.name }}" }, result: { update: { said: "{{ response.text }}" } } } }
        """;
    var greet =
        """
        output: { channels: [text] }
        nodes:
          - { id: say, type: expression, config: { update: { text: "{{ prompts.greeting }}" } } }
        """;
    service.bundle(
        Zips.of(
            Map.of(
                "graph.yaml", graph,
                "graphs/greet.yaml", greet,
                "prompts/greeting.md", "Hello {{ state.who }}!")));

    var run = service.run("bundle-run", input("{\"name\": \"Ada\"}"));

    assertThat(Service.text(run, "/output/said")).as(run.toString()).isEqualTo("Hello Ada!");
    assertThat(children(run)).hasSize(1);
  }

  @Test
  void runsSeveralStepsForEachItem() {
    service.graph(asking("inline-each", 10));

    var run = service.run("inline-each", input("{\"numbers\": [1, 2, 3]}"));

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("interrupted");
    assertThat(Service.text(run, "/interrupts/0/path/0/graph")).isEqualTo("inline-each");
    assertThat(children(run))
        .hasSize(3)
        .allSatisfy(it -> assertThat(Service.text(it, "/graph")).isEqualTo("inline-each#score"));
    var done = answerAll(run, 5);
    assertThat(Service.text(done, "/status")).as(done.toString()).isEqualTo("succeeded");
    assertThat(Service.at(done, "/output/scores")).isEqualTo(scores("[70, 80, 90]"));
    var child = children(done).getFirst();
    assertThat(Service.text(children(child).getFirst(), "/graph")).isEqualTo("inline-each#times");
    assertThat(service.read("/v1/runs/%s/diagram".formatted(Service.text(child, "/id"))))
        .contains("ask");
  }

  private static Value scores(String json) {
    return Service.at(input("{\"scores\": " + json + "}"), "/scores");
  }

  @Test
  void keepsTheVersionOfTheParent() {
    service.graph(asking("inline-versions", 10));
    var old = service.run("inline-versions", input("{\"numbers\": [1]}"));

    service.graph(asking("inline-versions", 100).replace("id: multiply", "id: renamed"));
    var young = service.run("inline-versions", input("{\"numbers\": [1]}"));

    assertThat(Service.at(answerAll(old, 1), "/output/scores")).isEqualTo(scores("[30]"));
    assertThat(Service.at(answerAll(young, 1), "/output/scores")).isEqualTo(scores("[300]"));
    var inner = children(children(old).getFirst()).getFirst();
    assertThat(Service.at(look(inner), "/version")).isEqualTo(Service.at(old, "/version"));
    assertThat(service.read("/v1/runs/%s/tasks".formatted(Service.text(inner, "/id"))))
        .contains("multiply");
  }

  @Test
  void forksAParentWhoseChildAsks() {
    service.graph(asking("inline-fork", 10));
    var run = service.run("inline-fork", input("{\"numbers\": [1]}"));

    var fork =
        service.post(
            "/v1/runs/%s/fork?wait=30s".formatted(Service.text(run, "/id")),
            input("{\"checkpoint\": 1}"));

    assertThat(Service.text(fork, "/status")).as(fork.toString()).isEqualTo("interrupted");
    assertThat(Service.at(answerAll(fork, 3), "/output/scores")).isEqualTo(scores("[50]"));
    assertThat(Service.at(answerAll(run, 4), "/output/scores")).isEqualTo(scores("[60]"));
  }

  @Test
  void isFoundOnlyThroughItsParent() {
    service.graph(asking("inline-found", 10));
    var run = service.run("inline-found", input("{\"numbers\": [1]}"));

    var start = service.run("inline-found#score", input("{\"n\": 1}"));
    assertThat(Service.text(start, "/code")).isEqualTo("graph_not_found");
    assertThat(start.toString()).contains("only nodes of graph 'inline-found' run");
    assertThat(Service.text(service.get("/v1/graphs/inline-found%23score"), "/code"))
        .isEqualTo("graph_not_found");
    assertThat(Service.at(service.get("/v1/runs?graph=inline-found"), "/items/1"))
        .isEqualTo(Value.NULL);
    assertThat(
            Service.text(
                service.get("/v1/runs?graph=inline-found%23score"), "/items/0/parent/run_id"))
        .isEqualTo(Service.text(run, "/id"));
    var refused = service.refusal("/v1/graphs/inline-found");
    assertThat(Service.text(refused, "/code")).isEqualTo("graph_in_use");
    assertThat(Service.text(refused, "/detail")).startsWith("2 runs");
  }

  @Test
  void isCheckedAsItsParentIs() {
    assertThat(
            service.problems(
                """
                name: inline-wrong
                strict_channels: true
                nodes:
                  - { id: a, type: subgraph, config: { graph: "#wrok", result: { update: {} } } }
                  - { id: b, type: subgraph, config: { graph: "#work", version: 1, result: { update: {} } } }
                  - { id: c, type: subgraph, config: { graph: work, result: { update: {} } } }
                graphs:
                  work:
                    nodes:
                      - { id: one, type: expression, config: { update: { x: "{{ 1 + }}" } }, next: two }
                      - { id: three, type: subgraph, config: { graph: nowhere-at-all, result: { update: {} } } }
                  around:
                    nodes: [{ id: again, type: subgraph, config: { graph: "#around" } }]
                  nested: { nodes: [{ id: n, type: router }], graphs: {} }
                """))
        .containsExactlyInAnyOrder(
            "unknown_field /graphs/nested/graphs",
            "unknown_graph /nodes/0/config/graph",
            "not_applicable /nodes/1/config/version",
            "unknown_graph /nodes/2/config/graph",
            "invalid_expression /graphs/work/nodes/0/config/update/x",
            "unknown_channel /graphs/work/nodes/0/config/update/x",
            "unknown_node /graphs/work/nodes/0/next",
            "unknown_channel /graphs/around/nodes/0/config/result",
            "unknown_graph /graphs/work/nodes/1/config/graph",
            "endless_recursion /graphs/around/nodes/0/config/graph");
  }

  @Test
  void saysWhatWasMeant() {
    var yaml =
        """
        name: inline-meant
        nodes:
          - { id: a, type: subgraph, config: { graph: "#wrok" } }
          - { id: b, type: subgraph, config: { graph: work } }
        graphs:
          work: { nodes: [{ id: c, type: router, next: d }, { id: d, type: subgraph, config: { graph: "#work" } }] }
          spare: { nodes: [{ id: c, type: router }] }
        """;
    assertThat(service.messages(yaml))
        .anySatisfy(it -> assertThat(it).contains("did you mean '#work'?"))
        .anySatisfy(it -> assertThat(it).contains("write '#work'"))
        .anySatisfy(it -> assertThat(it).contains("inline-meant#work → inline-meant#work"));
    assertThat(service.warnings(yaml))
        .anySatisfy(it -> assertThat(it).startsWith("no_effect /graphs/spare "))
        .anySatisfy(it -> assertThat(it).startsWith("unreachable_node /nodes/1"));
  }

  @Test
  void isPostedAsDocumented() throws IOException {
    var page = Files.readString(Path.of("docs/inline-graphs.md"));
    var yaml = page.substring(page.indexOf("```yaml") + 8, page.lastIndexOf("```"));

    assertThat(service.messages(yaml)).isEmpty();
    assertThat(service.warnings(yaml)).isEmpty();
  }

  @Test
  void isDrawnWithItsParent() {
    service.graph(asking("inline-drawn", 10));

    var mermaid = service.read("/v1/graphs/inline-drawn/diagram");
    assertThat(mermaid)
        .contains("subgraph g4[\"#35;score\"]", "subgraph g9[\"#35;times\"]")
        .contains("n2 -.-> n4\n", "n7 -.-> n9\n");
  }
}
