package dev.superstep.definition.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.MalformedDefinitions;
import dev.superstep.definition.TestNodeTypes;
import dev.superstep.definition.check.GraphPlan;
import dev.superstep.engine.ContextPlan;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.RetryPolicy;
import dev.superstep.graph.Target;
import dev.superstep.graph.Violation;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.json.Yaml;
import dev.superstep.state.Channel;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.unit.DataSize;

class DefinitionReaderTests {
  private final DefinitionReader reader = TestNodeTypes.READER;

  /// E3, E8, E16, E21, E23, E25, E27, E32, S3-14: every kind of mistake is said with code and
  /// place.
  @ParameterizedTest
  @MethodSource("dev.superstep.definition.MalformedDefinitions#all")
  void saysWhatIsWrongAndWhere(MalformedDefinitions.Case wrong) {
    assertThat(errors(wrong.text()))
        .anySatisfy(it -> {
          assertThat(it.code()).isEqualTo(wrong.code());
          assertThat(it.pointer()).isEqualTo(wrong.pointer());
          assertThat(it.message()).isNotBlank();
        });
  }

  @Test
  void acceptsTheExampleOfTheSpecificationWithoutWarnings() throws IOException {
    var readResult = read(example());
    assertThat(readResult.errors()).isEmpty();
    assertThat(readResult.warnings()).isEmpty();
    assertThat(readResult.graphPlan()).isPresent();
  }

  @Test
  void saysEverythingAtOnce() {
    var text =
        """
        name: Wrong Name
        colour: blue
        nodes:
          - {id: a, type: nothing}
          - {id: a, type: router, timeout: soon}
        edges:
          - {from: __start__, to: z}
        """;
    assertThat(errors(text))
        .extracting(Violation::code)
        .contains(
            "invalid_name",
            "unknown_field",
            "unknown_node_type",
            "duplicate",
            "invalid_duration",
            "unknown_node");
  }

  @Test
  void saysValuesAsTheyAreWritten() {
    var text = MalformedDefinitions.edge("from: [a, a], to: b");
    assertThat(errors(text)).extracting(Violation::message).contains("\"a\" is in the list twice");
  }

  @Test
  void suggestsTheNameThatWasMeant() {
    assertThat(errors(MalformedDefinitions.graph("interupt_before: a")).getFirst().message())
        .contains("did you mean 'interrupt_before'?");
  }

  @Test
  void saysLineAndColumnWithinAnExpression() {
    var problem = errors(MalformedDefinitions.edge("from: a, to: b, condition: 'state.x =='"));
    assertThat(problem.getFirst().hasPosition()).isTrue();
  }

  @Test
  void writesScalarsAsListsInTheLongForm() {
    var scalar = read(MalformedDefinitions.graph("interrupt_before: '*'")).definition();
    var list = read(MalformedDefinitions.graph("interrupt_before: ['*']")).definition();
    assertThat(scalar).isEqualTo(list);
    assertThat(Json.write(scalar)).contains("\"from\":[\"__start__\"]", "\"to\":[\"a\"]");
  }

  @Test
  void takesNullsAndEmptyListsAndMapsForAbsent() {
    var sent = "metadata: {}\nlimits: null\ninterrupt_after: []\ndescription:";
    assertThat(read(MalformedDefinitions.graph(sent)).definition())
        .isEqualTo(read(MalformedDefinitions.graph("")).definition());
  }

  @Test
  void keepsConfigAndDefaultsAsSent() {
    var definition =
        read(MalformedDefinitions.graph(
                "channels: {c: {default: null}, d: }\nmetadata: {empty: [], none: null}"))
            .definition();
    assertThat(Json.write(definition))
        .contains("{\"c\":{\"default\":null},\"d\":{}}", "{\"empty\":[],\"none\":null}");
  }

  /// E31: without `retry` one attempt, `retry: {}` three.
  @Test
  void readsAnEmptyRetryAsTheDefaultPolicy() {
    assertThat(node("{id: c, type: router}").policy().retries().getFirst())
        .isEqualTo(RetryPolicy.NEVER);
    assertThat(node("{id: c, type: router, retry: {}}").policy().retries().getFirst())
        .isEqualTo(RetryPolicy.DEFAULT);
    assertThat(
            node("{id: c, type: router, retry: {max_attempts: 7}}")
                .policy()
                .retries()
                .getFirst()
                .attemptsMax())
        .isEqualTo(7);
  }

  @Test
  void givesNodesTheTimeoutOfTheirTypeUnlessTheySayAnother() {
    assertThat(node("{id: c, type: router}").policy().timeout()).contains(Duration.ofMinutes(5));
    assertThat(node("{id: c, type: router, timeout: PT7S}").policy().timeout())
        .contains(Duration.ofSeconds(7));
    assertThat(node("{id: c, type: human}").policy().timeout()).isEmpty();
  }

  /// E28, E32: `defer`, `on_error`, `edge_mode`.
  @Test
  void readsThePolicyOfANode() {
    var node =
        node(
            "{id: c, type: router, defer: true, on_error: continue, edge_mode: first,"
                + " max_concurrency: 3}");
    assertThat(node.policy().deferred()).isTrue();
    assertThat(node.policy().onError()).isEqualTo(Node.OnError.CONTINUE);
    assertThat(node.policy().maxConcurrency()).isEqualTo(3);
    assertThat(node.routing().edgeMode()).isEqualTo(Node.EdgeMode.FIRST);
    assertThat(node.routing().onNoMatch()).isEqualTo(Node.OnNoMatch.END);
  }

  /// E24, E27.
  @Test
  void readsWhatIsMeantByNoMatchAndByAFailureThatJoinsCount() {
    var node = node("{id: c, type: router, optional: true, on_no_match: fail}");
    assertThat(node.policy().onError()).isEqualTo(Node.OnError.ARRIVE);
    assertThat(node.routing().onNoMatch()).isEqualTo(Node.OnNoMatch.FAIL);
    assertThat(node("{id: c, type: router, optional: false, on_error: continue}").policy())
        .extracting(Node.Policy::onError)
        .isEqualTo(Node.OnError.CONTINUE);
  }

  /// E27.
  @Test
  void readsAnEdgeOfSeveralSourcesAsJoin() {
    assertThat(edges("from: [a, b], to: a, join: any"))
        .contains(
            new Edge.Join(
                "a+b->a",
                List.of(new NodeId("a"), new NodeId("b")),
                List.of(new NodeId("a")),
                Edge.Join.Mode.ANY));
  }

  /// E23, E24: a computed route with its map, targets and `if_empty`.
  @Test
  void readsARoute() {
    var edge =
        (Edge.Flow)
            edges("from: b, route: \"'k'\", route_map: {k: a}, targets: [a], if_empty: b")
                .getLast();
    var target = (Target.Computed) edge.target();
    assertThat(target.route().route(_ -> Value.NULL)).isEqualTo(Value.of("k"));
    assertThat(target.map()).containsEntry("k", new NodeId("a"));
    assertThat(target.allowed()).containsExactly(new NodeId("a"));
    assertThat(target.ifEmpty()).contains(new NodeId("b"));
  }

  /// E32.
  @Test
  void readsAnErrorEdge() {
    var edge =
        (Edge.ErrorRoute)
            edges("from: b, to: a, type: error, error_codes: http_*, error_to: oops").getLast();
    assertThat(edge.handles("http_503")).isTrue();
    assertThat(edge.handles("node_timeout")).isFalse();
    assertThat(edge.errorTo()).contains("oops");
  }

  @Test
  void namesEdgesByWhatTheyConnect() {
    assertThat(edges("from: a, to: b"))
        .extracting(Edge::id)
        .containsExactly("__start__->a", "a->b", "a->b#2");
  }

  /// E14, E38.
  @Test
  void readsLimitsAndBreakpoints() {
    var settings =
        plan(MalformedDefinitions.graph(
                "limits: {max_supersteps: 9, timeout: 1h}\ninterrupt_after: b"))
            .program()
            .graph()
            .settings();
    assertThat(settings.limits().superstepsMax()).contains(9);
    assertThat(settings.limits().timeout()).contains(Duration.ofHours(1));
    assertThat(settings.breakpoints().after()).containsExactly("b");
    assertThat(plan(MalformedDefinitions.graph("")).program().graph().settings().limits())
        .isEqualTo(Limits.NONE);
  }

  /// E14, E15: above the server's limits is said, and gets them.
  @Test
  void capsLimitsByThoseOfTheServer() {
    var text =
        MalformedDefinitions.graph(
            "limits: {max_supersteps: 1000000, max_concurrency: 10000,"
                + " max_dispatches: 1000000000, timeout: 36500d}");
    var limits = plan(text).program().graph().settings().limits();
    assertThat(limits.superstepsMax()).contains(1_000);
    assertThat(limits.concurrencyMax()).contains(256);
    assertThat(limits.dispatchesMax()).contains(100_000);
    assertThat(limits.timeout()).contains(Duration.ofDays(30));
    assertThat(warnings(text))
        .extracting(Violation::code, Violation::pointer)
        .containsExactly(
            tuple("above_server_limit", "/limits/max_supersteps"),
            tuple("above_server_limit", "/limits/max_concurrency"),
            tuple("above_server_limit", "/limits/max_dispatches"),
            tuple("above_server_limit", "/limits/timeout"));
  }

  /// E18: a union starts as the set that it keeps.
  @Test
  void startsAUnionSortedAndWithoutRepetitions() {
    var channels =
        plan(MalformedDefinitions.channel("reducer: union\n    default: [2, 1, 1]"))
            .program()
            .graph()
            .channels();
    assertThat(channels.get("c").initial()).contains(Json.read("[1,2]"));
  }

  /// E16, E18, E19, E21: reducers, defaults, merges and mirrors.
  @Test
  void readsChannels() {
    var channels =
        plan(MalformedDefinitions.graph(
                """
                strict_channels: true
                channels:
                  spent: {reducer: increment, default: 0}
                  user: {reducer: function, function: merge_users}
                  last: {on_conflict: error}
                  best: {reducer: expression, expression: 'left > right ? left : right'}
                  messages: {reducer: messages, mirror_to: all}
                  all: {reducer: block_append, append_only: true}
                """))
            .program()
            .graph()
            .channels();
    assertThat(channels.strict()).isTrue();
    assertThat(channels.get("spent").reducer()).isEqualTo(new Reducer.Sum());
    assertThat(channels.get("spent").initial()).contains(Value.of(0));
    assertThat(channels.get("last").onConflict()).isEqualTo(Channel.OnConflict.ERROR);
    assertThat(channels.get("messages").mirrorTo()).contains("all");
    assertThat(channels.get("all").appendOnly()).isTrue();
    var merge = ((Reducer.Custom) channels.get("best").reducer()).function();
    assertThat(merge.merge(Value.of(3), Value.of(2))).isEqualTo(Value.of(3));
  }

  /// P1, P2: objects become dotted keys, lists and empty objects are leaves.
  @Test
  void flattensTheVariablesOfThePromptContext() {
    var context =
        plan(MalformedDefinitions.graph(
                "context: {template: 'As {{ variables.role }}', variables: {llm: {model: m, none:"
                    + " {}}, l: [1]}}"))
            .context();
    assertThat(Json.write(context.variables()))
        .isEqualTo("{\"l\":[1],\"llm.model\":\"m\",\"llm.none\":{}}");
    assertThat(context.template()).isEqualTo("As {{ variables.role }}");
  }

  /// P2.
  @Test
  void keepsAContextOnlyForGraphsThatDeclareOne() {
    assertThat(keepsContext("")).isFalse();
    assertThat(keepsContext("context: {mode: view}")).isTrue();
    assertThat(plan(MalformedDefinitions.graph("")).program().contexts())
        .isSameAs(ContextPlan.NONE);
  }

  private boolean keepsContext(String more) {
    return plan(MalformedDefinitions.graph(more)).program().graph().settings().keepsContext();
  }

  /// E15: sizes have named limits.
  @Test
  void refusesMoreNodesThanTheLimit() {
    var small =
        TestNodeTypes.reader(
            new DefinitionLimits(1 << 20, 1, 100, 100, 1_000, 10, 10, DataSize.ofMegabytes(1)));
    assertThat(small.read(Yaml.read(MalformedDefinitions.graph(""))).errors())
        .anySatisfy(it -> assertThat(it.code() + it.pointer()).isEqualTo("too_many/nodes"));
  }

  @Test
  void warnsOfNodesThatNothingLeadsTo() {
    assertThat(warnings(MalformedDefinitions.nodes("{id: c, type: router}")))
        .extracting(Violation::code, Violation::pointer)
        .containsExactly(tuple("unreachable_node", "/nodes/2"));
  }

  @Test
  void warnsOfNoUnreachableNodeWhereARouteMayLeadAnywhere() {
    var text =
        MalformedDefinitions.nodes("{id: c, type: router}") + "  - {from: b, route: \"'c'\"}\n";
    assertThat(warnings(text)).extracting(Violation::code).containsExactly("undeclared_targets");
  }

  @Test
  void warnsOfNodeTypesThatAreNotBuilt() {
    var text = MalformedDefinitions.nodes("{id: c, type: llm}") + "  - {from: b, to: c}\n";
    assertThat(warnings(text))
        .extracting(Violation::code, Violation::pointer)
        .containsExactly(tuple("node_type_unavailable", "/nodes/2/type"));
  }

  private List<Violation> errors(String text) {
    try {
      return reader.read(Yaml.read(text)).errors();
    } catch (JsonException e) {
      return e.problems();
    }
  }

  private List<Violation> warnings(String text) {
    return read(text).warnings();
  }

  private ReadResult read(String text) {
    var readResult = reader.read(Yaml.read(text));
    assertThat(readResult.errors()).isEmpty();
    return readResult;
  }

  private GraphPlan plan(String text) {
    return read(text).graphPlan().orElseThrow();
  }

  private Node node(String text) {
    Optional<Node> node =
        plan(MalformedDefinitions.nodes(text)).program().graph().find(new NodeId("c"));
    return node.orElseThrow();
  }

  /// All edges of the sound graph with one more, in the order of declaration.
  private List<Edge> edges(String keys) {
    var graph = plan(MalformedDefinitions.edge(keys)).program().graph();
    var all = new ArrayList<Edge>(graph.flowsFrom(NodeId.START));
    for (var node : graph.nodes()) {
      all.addAll(graph.flowsFrom(node.id()));
      all.addAll(graph.errorEdgesFrom(node.id()));
    }
    all.addAll(graph.joins());
    return all;
  }

  private static String example() throws IOException {
    try (var in =
        DefinitionReaderTests.class.getResourceAsStream("/definitions/research-team.yaml")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
