package dev.superstep.definition.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.HistoryChanged;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.MalformedDefinitions;
import dev.superstep.definition.Zips;
import dev.superstep.definition.web.GraphApi.Answer;
import dev.superstep.definition.web.GraphApiTest.BusyGraphs;
import dev.superstep.json.Jcs;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;

@GraphApiTest
class GraphApiTests {
  @LocalServerPort private int port;
  @Autowired private GraphRegistry registry;
  @Autowired private BusyGraphs busy;
  @Autowired private JdbcClient jdbc;
  @Autowired private ApplicationEventPublisher events;
  private GraphApi api;

  @BeforeEach
  void connect() {
    api = new GraphApi(port);
  }

  @Test
  void storesTheExampleOfTheSpecificationAsItStands() throws IOException {
    var answer = api.postGraph(example()).hasStatus(201);
    assertThat(answer.text("/name")).isEqualTo("research-team");
    assertThat(answer.at("/warnings")).isEqualTo(ListValue.empty());
    assertThat(answer.header("Location")).isEqualTo("/v1/graphs/research-team/versions/1");
    assertThat(registry.compiled("research-team", 1).outputChannels())
        .containsExactly("report", "findings");
  }

  /// Nothing that is wrong is stored, and every answer says what and where.
  @ParameterizedTest
  @MethodSource("dev.superstep.definition.MalformedDefinitions#all")
  void refusesWhatIsWrong(MalformedDefinitions.Case wrong) {
    var answer = api.postGraph(wrong.text()).hasStatus(422);
    assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
    assertThat(answer.text("/code")).isEqualTo("invalid_definition");
    assertThat(answer.text("/errors"))
        .contains("\"code\":\"" + wrong.code() + "\"")
        .contains("\"pointer\":\"" + wrong.pointer() + "\"");
    api.get("/v1/graphs/g").hasStatus(404);
  }

  @Test
  void refusesWhatIsNoText() {
    assertThat(api.postGraph("name: [").hasStatus(400).text("/code")).isEqualTo("unreadable_body");
    api.postGraph(graph("nul", 1) + "# \0").hasStatus(400);
    assertThat(api.post("/v1/graphs", GraphApi.JSON, "{\"name\": ").hasStatus(400).text("/code"))
        .isEqualTo("unreadable_body");
  }

  @Test
  void boundsTheVersionsOfAGraph() {
    api.postGraph(graph("versions-max", 1)).hasStatus(201);
    jdbc.sql("update graph set newest = ? where name = 'versions-max'").param(9_999).update();
    api.postGraph(graph("versions-max", 2)).hasStatus(201);

    var refused = api.postGraph(graph("versions-max", 3)).hasStatus(422);
    assertThat(refused.text("/code")).isEqualTo("limit_exceeded");
    assertThat(refused.text("/errors/0/pointer")).isEqualTo("/name");
    assertThat(refused.text("/detail")).contains("10000", "superstep.definitions.versions-max");

    api.postGraph(graph("versions-max", 2)).hasStatus(200);
    assertThat(api.get("/v1/graphs/versions-max").hasStatus(200).text("/version"))
        .isEqualTo("10000");
    api.postGraph(graph("versions-max-2", 3)).hasStatus(201);
  }

  /// Versions are numbered anew where a database has lost the last ones.
  @Test
  void compilesAnewWhatAnotherHistoryHasUnderTheSameNumber() {
    api.postGraph(graph("regained", 1)).hasStatus(201);
    var lost = registry.compiled("regained", 1);
    jdbc.sql("delete from graph_source where graph = 'regained'").update();
    jdbc.sql("delete from graph_version where graph = 'regained'").update();
    jdbc.sql("delete from graph where name = 'regained'").update();
    api.postGraph(graph("regained", 2)).hasStatus(201);

    events.publishEvent(new HistoryChanged(2));

    assertThat(registry.compiled("regained", 1).definition()).isNotEqualTo(lost.definition());
  }

  @Test
  void refusesOtherMediaTypes() {
    api.post("/v1/graphs", "text/plain", graph("plain", 1)).hasStatus(415);
  }

  @Test
  void refusesADefinitionBeyondTheLimit() {
    var large = graph("large", 1) + "# " + "x".repeat(200_000);
    assertThat(api.postGraph(large).hasStatus(413).text("/code")).isEqualTo("body_too_large");
  }

  @Test
  void refusesMoreExpressionsThanADefinitionMayHave() {
    var fits = api.post("/v1/graphs/validate", GraphApi.YAML, expressions(300)).hasStatus(200);
    assertThat(fits.at("/valid")).isEqualTo(Value.TRUE);
    var tooMany = api.post("/v1/graphs/validate", GraphApi.YAML, expressions(301)).hasStatus(200);
    assertThat(tooMany.text("/errors/0/code")).isEqualTo("too_many");
    assertThat(tooMany.text("/errors/0/message")).contains("300");
  }

  private static String expressions(int count) {
    return graph("counted", 1).replace("{n: 1}", "{n: \"%s\"}".formatted("{{ 1 }}".repeat(count)));
  }

  @Test
  void validatesWithoutStoring() {
    var good = api.post("/v1/graphs/validate", GraphApi.YAML, graph("looked-at", 1)).hasStatus(200);
    assertThat(good.at("/valid")).isEqualTo(Value.TRUE);
    var bad = api.post("/v1/graphs/validate", GraphApi.JSON, "{\"name\": \"x\"}").hasStatus(200);
    assertThat(bad.at("/valid")).isEqualTo(Value.FALSE);
    assertThat(bad.text("/errors/0/pointer")).isEqualTo("/nodes");
    api.get("/v1/graphs/looked-at").hasStatus(404);
  }

  private static final String SHORT =
      """
      name: shortened
      nodes:
        - id: a
          type: router
          switch:
            - { when: "state.n > 1", to: b }
            - { else: __end__ }
        - { id: b, type: router }
      """;

  @Test
  void showsTheLongFormOfWhatIsWrittenShort() {
    var plain = api.post("/v1/graphs/validate", GraphApi.YAML, SHORT).hasStatus(200);
    assertThat(plain.body()).doesNotContain("definition");
    var shown = api.post("/v1/graphs/validate?form=long", GraphApi.YAML, SHORT).hasStatus(200);
    assertThat(shown.text("/definition/nodes/0/edge_mode")).isEqualTo("first");
    assertThat(shown.text("/definition/edges/1/condition")).isEqualTo("state.n > 1");

    api.postGraph(SHORT).hasStatus(201);
    var stored = api.get("/v1/graphs/shortened").hasStatus(200);
    assertThat(stored.at("/definition")).isEqualTo(shown.at("/definition"));
  }

  @Test
  void placesErrorsInTheTextThatWasWrittenShort() {
    var wrong =
        api.post("/v1/graphs/validate?form=long", GraphApi.YAML, SHORT.replace("n > 1", "n >"))
            .hasStatus(200);
    assertThat(wrong.text("/errors/0/pointer")).isEqualTo("/nodes/0/switch/0/when");
    assertThat(wrong.at("/errors/0/line")).isEqualTo(Value.of(6));
    assertThat(wrong.body()).doesNotContain("definition");
  }

  /// E1: versions are numbered, immutable, and told apart by content.
  @Test
  void makesAVersionOnlyOfContentThatDiffersFromTheNewest() {
    assertThat(version(api.postGraph(graph("versioned", 1)).hasStatus(201))).isEqualTo(1);
    assertThat(version(api.postGraph(graph("versioned", 1)).hasStatus(200))).isEqualTo(1);
    assertThat(version(api.postGraph(graph("versioned", 2)).hasStatus(201))).isEqualTo(2);
    assertThat(version(api.postGraph(graph("versioned", 1)).hasStatus(201))).isEqualTo(3);
    assertThat(api.get("/v1/graphs/versioned/versions/1").text("/hash"))
        .isEqualTo(api.get("/v1/graphs/versioned").text("/hash"));
  }

  @Test
  void hashesTheLongFormWhateverTheAuthorWrote() throws Exception {
    var yaml = api.postGraph(graph("hashed", 1)).hasStatus(201);
    var shown = api.get("/v1/graphs/hashed").hasStatus(200);
    var digest = MessageDigest.getInstance("SHA-256").digest(Jcs.bytes(shown.at("/definition")));
    assertThat(yaml.text("/hash")).isEqualTo(HexFormat.of().formatHex(digest));
    api.post("/v1/graphs", GraphApi.JSON, shown.text("/definition")).hasStatus(200);
  }

  @Test
  void givesAuthorsTheirOwnTextBack() {
    var text = "# why it exists\n" + graph("edited", 1) + "# the end, ü\n";
    api.postGraph(text).hasStatus(201);
    var yaml = yaml("/v1/graphs/edited/versions/1");
    assertThat(yaml.header("Content-Type")).startsWith("application/yaml");
    assertThat(yaml.body()).isEqualTo(text);
    assertThat(yaml("/v1/graphs/edited").body()).isEqualTo(text);
    api.postGraph(yaml.body()).hasStatus(200);
  }

  @Test
  void keepsTheTextThatWasPostedLastForAVersion() {
    api.postGraph(graph("reworded", 1)).hasStatus(201);
    var commented = "# now with a reason\n" + graph("reworded", 1);
    api.postGraph(commented).hasStatus(200);
    assertThat(yaml("/v1/graphs/reworded/versions/1").body()).isEqualTo(commented);
    api.postGraph(graph("reworded", 2)).hasStatus(201);
    assertThat(yaml("/v1/graphs/reworded/versions/1").body()).isEqualTo(commented);
    assertThat(yaml("/v1/graphs/reworded").body()).isEqualTo(graph("reworded", 2));
  }

  @Test
  void showsTheLongFormAsYamlWhereItIsWantedOrNoYamlWasPosted() {
    api.postGraph(graph("long", 1)).hasStatus(201);
    var longForm = yaml("/v1/graphs/long/versions/1?form=long").hasStatus(200).body();
    assertThat(longForm).isNotEqualTo(graph("long", 1)).contains("from:\n  - __start__");
    api.postGraph(longForm).hasStatus(200);
    api.post("/v1/graphs", GraphApi.JSON, api.get("/v1/graphs/long").text("/definition"))
        .hasStatus(200);
    assertThat(yaml("/v1/graphs/long").body()).isEqualTo(longForm);
    api.get("/v1/graphs/long?form=short").hasStatus(422);
  }

  @Test
  void storesABundleAndGivesItBackAsOneText() {
    var graph =
        """
        name: bundled # in two files
        nodes:
          - { id: a, type: expression, config: { update: { n: "{{ prompts.plan }}" } } }
        """;
    var zip = Zips.of(Map.of("graph.yaml", graph, "prompts/plan.md", "# Plan\n\nwell.\n"));
    api.post("/v1/graphs", "application/zip", zip).hasStatus(201);
    var text = yaml("/v1/graphs/bundled").body();
    assertThat(text).isEqualTo(graph + "\nprompts:\n  plan: |\n    # Plan\n    \n    well.\n");
    api.postGraph(text).hasStatus(200);
  }

  @Test
  void saysWhichFileOfABundleIsWrong() {
    var graph =
        "name: broken\n"
            + "nodes: [{ id: a, type: expression, config: { update: { n: \"{{ prompts.plan }}\" } }"
            + " }]";
    var zip = Zips.of(Map.of("graph.yaml", graph, "prompts/plan.md", "Plan\n{{ 1 + }}"));
    var answer = api.post("/v1/graphs", "application/zip", zip).hasStatus(422);
    assertThat(answer.text("/errors/0/message")).startsWith("prompts/plan.md: ");
    assertThat(answer.text("/errors/0/pointer")).isEqualTo("/prompts/plan");
    assertThat(answer.text("/errors")).contains("\"column\":8,\"line\":2");
    var same = api.post("/v1/graphs/validate", "application/zip", zip).hasStatus(200);
    assertThat(same.at("/valid")).isEqualTo(Value.FALSE);
  }

  @Test
  void refusesABundleThatUnpacksToMoreThanADefinitionMayHave() {
    var bomb = Zips.of(Map.of("graph.yaml", "#".repeat(50_000_000)));
    assertThat(bomb).hasSizeLessThan(100_000);
    var answer = api.post("/v1/graphs", "application/zip", bomb).hasStatus(413);
    assertThat(answer.text("/code")).isEqualTo("body_too_large");
    api.post("/v1/graphs", "application/zip", "no zip").hasStatus(400);
  }

  /// A version that an earlier release has stored.
  @Test
  void writesVersionsWithoutTextFromTheirLongForm() {
    api.postGraph(graph("textless", 1)).hasStatus(201);
    jdbc.sql("delete from graph_source where graph = 'textless'").update();
    api.postGraph(yaml("/v1/graphs/textless").hasStatus(200).body()).hasStatus(200);
  }

  private Answer yaml(String path) {
    return api.get(path, "Accept", "application/yaml").hasStatus(200);
  }

  @Test
  void givesPostsAtTheSameMomentNumbersWithoutGaps() throws Exception {
    var versions = together(it -> api.postGraph(graph("raced", it)).hasStatus(201));
    assertThat(versions).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
  }

  @Test
  void makesOneVersionOfTheSameContentPostedAtTheSameMoment() throws Exception {
    assertThat(together(_ -> api.postGraph(graph("agreed", 1)))).containsOnly(1);
  }

  private List<Integer> together(IntFunction<Answer> post) throws Exception {
    List<Callable<Integer>> posts =
        IntStream.range(0, 6)
            .<Callable<Integer>>mapToObj(it -> () -> version(post.apply(it)))
            .toList();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var versions = new ArrayList<Integer>();
      for (var answer : threads.invokeAll(posts)) {
        versions.add(answer.get());
      }
      return versions;
    }
  }

  @Test
  void repeatsAPostThatBringsTheSameIdempotencyKey() {
    var first = api.postGraph(graph("repeated", 1), "Idempotency-Key", "k1").hasStatus(201);
    var again = api.postGraph(graph("repeated", 1), "Idempotency-Key", "k1").hasStatus(201);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(version(again)).isEqualTo(version(first));
    var other = api.postGraph(graph("repeated", 2), "Idempotency-Key", "k1").hasStatus(422);
    assertThat(other.text("/code")).isEqualTo("idempotency_key_reused");
  }

  @Test
  void hidesADeletedNameAndNeverReusesItsNumbers() {
    api.postGraph(graph("hidden", 1)).hasStatus(201);
    api.delete("/v1/graphs/hidden").hasStatus(204);
    api.get("/v1/graphs/hidden").hasStatus(404);
    api.get("/v1/graphs/hidden/versions/1").hasStatus(404);
    api.delete("/v1/graphs/hidden").hasStatus(404);
    assertThat(registry.compiled("hidden", 1).name()).isEqualTo("hidden");
    assertThat(version(api.postGraph(graph("hidden", 1)).hasStatus(201))).isEqualTo(2);
    assertThat(api.get("/v1/graphs/hidden/versions").text("/items"))
        .doesNotContain("\"version\":1,");
  }

  @Test
  void keepsAGraphWhileRunsOfItAreActive() {
    api.postGraph(graph("busy", 1)).hasStatus(201);
    busy.add("busy");
    assertThat(api.delete("/v1/graphs/busy").hasStatus(409).text("/code"))
        .isEqualTo("graph_in_use");
    api.get("/v1/graphs/busy").hasStatus(200);
  }

  @Test
  void listsGraphsAndVersionsInParts() {
    for (int i = 1; i <= 3; i++) {
      api.postGraph(graph("listed", i)).hasStatus(201);
    }
    var first = api.get("/v1/graphs/listed/versions?limit=2").hasStatus(200);
    assertThat(first.text("/items/0/version") + first.text("/items/1/version")).isEqualTo("32");
    var rest =
        api.get("/v1/graphs/listed/versions?limit=2&cursor=" + first.text("/next_cursor"))
            .hasStatus(200);
    assertThat(rest.text("/items/0/version")).isEqualTo("1");
    assertThat(rest.body()).doesNotContain("next_cursor");
    api.postGraph(graph("listed-too", 1)).hasStatus(201);
    var graphs = api.get("/v1/graphs?limit=1").hasStatus(200);
    assertThat(graphs.text("/items/0/name")).isEqualTo("listed-too");
    var next = api.get("/v1/graphs?limit=1&cursor=" + graphs.text("/next_cursor")).hasStatus(200);
    assertThat(next.text("/items/0/name")).isEqualTo("listed");
  }

  @Test
  void refusesCursorsAndParametersThatAreNone() {
    assertThat(api.get("/v1/graphs?cursor=nonsense").hasStatus(422).text("/errors/0/pointer"))
        .isEqualTo("?cursor");
    api.get("/v1/graphs?size=3").hasStatus(422);
    api.get("/v1/graphs/none/versions").hasStatus(404);
  }

  private static int version(Answer answer) {
    return Integer.parseInt(answer.text("/version"));
  }

  private static String graph(String name, int variant) {
    return """
    name: %s
    nodes:
      - {id: a, type: expression, config: {update: {n: %d}}}
    edges:
      - {from: __start__, to: a}
    """
        .formatted(name, variant);
  }

  private static String example() throws IOException {
    try (var in = GraphApiTests.class.getResourceAsStream("/definitions/research-team.yaml")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String errors(String yaml) {
    var answer = api.post("/v1/graphs", "application/yaml", yaml).hasStatus(422);
    assertThat(answer.text("/code")).isEqualTo("invalid_definition");
    return answer.text("/errors");
  }

  @Test
  void saysWhereInTheFileAnExpressionIsWrong() {
    var errors =
        errors(
            """
            name: places
            nodes:
              - id: a
                type: expression
                config:
                  update:
                    x: "two \\"{{ state.b + }}\\""
                    y: |
                      first line
                        {{ state.c and 1 }}
            edges:
              - {from: __start__, to: a}
              - {from: a, to: a, condition: 'state.x == ''a'' ) '}
            """);
    assertThat(errors)
        .contains("\"column\":32,\"line\":7")
        .contains("\"column\":24,\"line\":10")
        .contains("\"column\":51,\"line\":13")
        .doesNotContain("expecting");
  }

  @Test
  void takesConditionsWithoutBracesOnly() {
    var errors =
        errors(
            """
            name: braces
            nodes:
              - {id: a, type: expression}
              - {id: b, type: http, config: {mode: request, url: "https://example.org", success: "{{ response.status == 200 }}"}}
            edges:
              - {from: __start__, to: a}
              - {from: a, to: b, condition: "{{ state.done }}"}
              - {from: b, to: a, condition: "'{{ state.done }}' == 'true'"}
            """);
    assertThat(errors)
        .contains("a condition is CEL without braces; write response.status == 200")
        .contains("/edges/1/condition", "CEL without braces")
        .contains("/edges/2/condition", "write state.done");
  }

  @Test
  void saysThatATemplateCannotStandForAList() {
    assertThat(
            errors(
                """
                name: lists
                nodes:
                  - {id: a, type: expression, targets: "{{ state.targets }}"}
                  - {id: b, type: llm, config: {model: "stub/x", tools: "{{ state.tools }}"}}
                edges: [{from: __start__, to: a}, {from: a, to: b}]
                interrupt_before: {a: 1}
                """))
        .contains("a template cannot stand here");
  }

  @Test
  void countsOneWrongDefaultOnce() {
    var errors =
        errors(
            """
            name: defaults
            channels: {c: {reducer: messages, schema: {type: array}, default: 7}}
            nodes: [{id: a, type: expression}]
            edges: [{from: __start__, to: a}]
            """);
    assertThat(errors.split("\"code\"")).hasSize(2);
    assertThat(errors).contains("starts from a list");
  }
}
