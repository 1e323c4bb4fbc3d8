package dev.superstep.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.testing.TestedDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Drawings of programs of ours, as LangGraph 1.2 for Python and 1.7 for JavaScript write them, and
/// the schemas of their states without what they say of LangChain's classes.
class ImportLangGraphCommandTests {
  private static final Path DRAWINGS = Path.of("src/cli/test/resources/import-langgraph");
  private static final String START = "{\"id\": \"__start__\"}";

  @TempDir private Path folder;
  private final Console console = new Console();

  private String imported(Path drawing, String... options) {
    var arguments = new ArrayList<>(List.of("import-langgraph", drawing.toString()));
    arguments.addAll(List.of(options));
    assertThat(console.run(arguments.toArray(String[]::new))).as(console.err()).isZero();
    return console.out();
  }

  private String imported(String drawing) {
    return imported(DRAWINGS.resolve(drawing + ".json"));
  }

  private String withSchemas(String drawing) {
    return imported(
        DRAWINGS.resolve(drawing + ".json"),
        "--schema",
        DRAWINGS.resolve(drawing + ".schemas.json").toString());
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Path drawing(String nodes, String edges) throws IOException {
    return file("g.json", "{\"nodes\": [%s], \"edges\": [%s]}".formatted(nodes, edges));
  }

  private static void requireSound(String skeleton) {
    var readResult = TestedDefinition.read(skeleton);
    assertThat(readResult.errors()).as(skeleton).isEmpty();
    assertThat(readResult.warnings())
        .as(skeleton)
        .filteredOn(it -> !it.code().equals("node_type_unavailable"))
        .isEmpty();
    assertThat(TestedDefinition.run(skeleton).tests())
        .as(skeleton)
        .isNotEmpty()
        .allSatisfy(it -> assertThat(it.failures()).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "approval",
        "entry",
        "javascript",
        "join",
        "mixed",
        "names",
        "plan-and-execute",
        "react",
        "supervisor",
        "supervisor-closed",
        "untyped-goto"
      })
  void writesWhatPostsAndRunsToItsEnd(String drawing) {
    requireSound(imported(drawing));
  }

  @ParameterizedTest
  @ValueSource(strings = {"approval", "join", "names", "plan-and-execute", "react", "supervisor"})
  void makesChannelsOfSchemas(String drawing) {
    var skeleton = withSchemas(drawing);
    assertThat(skeleton).contains("name: " + drawing + "\n", "strict_channels: true\n");
    requireSound(skeleton);
  }

  @Test
  void choosesReducersByType() {
    assertThat(withSchemas("plan-and-execute"))
        .contains(
            "  question: { schema: { type: string } }\n",
            "  rounds: { schema: { type: integer } } # TODO: reducer sum",
            "  scores: { schema: { type: object } } # TODO: reducer merge",
            "  topics: { reducer: append, default: [], schema: { type: array, items: { type: string } } }"
                + " # TODO: no reducer");
    assertThat(withSchemas("supervisor")).contains("  messages: { reducer: messages }\n");
  }

  @Test
  void tellsOptionalFieldsAndOutputs() throws IOException {
    var schemas =
        """
        {"input_schema": {"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "b-c": {}}},
         "output_schema": {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}}}
        """;
    var skeleton =
        imported(
            DRAWINGS.resolve("entry.json"),
            "--schema",
            file("in.json", schemas.replace("output_schema", "other")).toString(),
            "--schema",
            file("s.json", schemas).toString());
    assertThat(skeleton)
        .contains(
            "  a: { schema: { type: [string, \"null\"] } }\n",
            "  b_c: {}\n",
            "output: { channels: [a] }\n");
    requireSound(skeleton);
  }

  /// The one program of which the drawing says nearly all.
  @Test
  void makesAnAgentOfAModelAndItsTools() {
    assertThat(withSchemas("react"))
        .contains(
            "template: agent\n",
            """
              - id: agent
                type: llm
                config: {} # TODO: system, model, and tools: [names]
                switch:
                  - { when: "state.finish_reason == 'tool_calls'", to: tools }
                  - { else: __end__ }
              - id: tools
                type: tool # TODO: declare its tools, or set them up on the server
                next: agent
            """)
        .doesNotContain("remaining_steps");
  }

  @Test
  void makesADispatchOfADecisionWithOneWay() {
    assertThat(imported("plan-and-execute"))
        .contains(
            "- { from: plan, route: \"[dispatch('research', {})]\", targets: research }"
                + " # TODO: one for each Send, as in fan_out('research', state.items, 'item'), or"
                + " next: research\n",
            "- { when: \"false\", to: plan } # TODO: when LangGraph's function returns 'more'\n",
            "- { else: report }\n");
  }

  @Test
  void makesInlineGraphsOfSubgraphs() {
    assertThat(withSchemas("supervisor"))
        .contains("    graph: \"#researcher\"\n", "\n  researcher:\n    template: agent\n")
        .contains("      - id: draft\n", "        next: polish\n")
        .contains("\n    next: lead\n");
    assertThat(imported("join")).contains("\n  deep_inner:\n", "graph: \"#deep_inner\"");
  }

  @Test
  void sendsForADrawingThatOpensSubgraphs() {
    assertThat(imported("supervisor-closed"))
        .contains("what 'researcher' does; get_graph(xray=True) draws it");
  }

  @Test
  void keepsBreakpointsAndNotes() {
    assertThat(imported("approval"))
        .contains(
            "interrupt_before: publish\n",
            "  - id: review_by_a_person\n    name: \"review by a person\"\n",
            "    properties: {\"team\":\"press\"}\n");
  }

  @Test
  void joinsBranchesOfDifferentLength() {
    var skeleton = imported("join");
    assertThat(skeleton).contains("- { from: [a, b2], to: meet, join: activated } # TODO: ");
    requireSound(
        skeleton.replace(
            "expect: { status: succeeded }", "expect: { path: [split, [a, b1], b2, meet, deep] }"));
  }

  /// Steps that end together run what follows them once without a join, as in LangGraph.
  @Test
  void doesNotJoinBranchesOfTheSameLength() {
    var skeleton = imported("mixed");
    assertThat(skeleton).doesNotContain("join:");
    requireSound(
        skeleton
            .replace("false ? 'second'", "true ? 'second'")
            .replace(
                "expect: { status: succeeded }",
                "expect: { path: [first, [audit, second], third] }"));
  }

  @Test
  void saysWhatTheDrawingLacks() {
    assertThat(imported("untyped-goto"))
        .contains("- { when: \"false\", to: two } # TODO: nothing in the drawing leads to 'two'");
    assertThat(console.err())
        .contains(
            "5 places to fill in, marked with TODO",
            "nothing in the drawing leads to two, three",
            "Command[Literal['a', 'b']]");
  }

  @Test
  void givesEveryNodeANameThatIsAllowed() {
    assertThat(imported("names"))
        .contains(
            "- id: st\n    name: \"1st\"\n",
            "- id: st_2\n    name: \"1 st\"\n",
            "- id: %s\n".formatted("a".repeat(64)),
            "- id: n_\n    name: \"ü\"\n",
            "interrupt_before: [st, tat]\ninterrupt_after: st\n");
  }

  @Test
  void takesTheNameThatItIsGiven() throws IOException {
    var drawing = Files.readString(DRAWINGS.resolve("entry.json"));
    assertThat(imported(file("My Graph.json", drawing))).contains("\nname: my_graph\n");
    assertThat(imported(file("x.json", drawing), "--name", "my-own")).contains("\nname: my-own\n");
    assertThat(console.run("import-langgraph", "x.json", "--name", "My")).isEqualTo(2);
    assertThat(console.err()).contains("--name must be a lower-case letter");
  }

  /// Names and labels are a stranger's text.
  @Test
  void letsNoNameBecomeALineOfItsOwn() throws IOException {
    var skeleton =
        imported(
            drawing(
                START
                    + ",{\"id\": \"a\\nnodes: []\", \"metadata\": {\"k\": \"v\\n# x\"}},{\"id\": \"b\\u0085c\\u2028d\"}",
                "{\"source\": \"__start__\", \"target\": \"a\\nnodes: []\"},"
                    + "{\"source\": \"a\\nnodes: []\", \"target\": \"b\\u0085c\\u2028d\", \"data\": \"\\nx: 1\", \"conditional\": true},"
                    + "{\"source\": \"a\\nnodes: []\", \"target\": \"a\\nnodes: []\", \"data\": \"%s\", \"conditional\": true}"
                        .formatted("long ".repeat(1000))));
    assertThat(skeleton.lines()).noneMatch(it -> it.startsWith("nodes: [") || it.startsWith("x:"));
    requireSound(skeleton);
  }

  @Test
  void readsTheNumbersOfRunnablesWithoutAName() throws IOException {
    requireSound(
        imported(
            drawing(
                START
                    + ",{\"id\": 1, \"type\": \"schema\", \"data\": \"In\"},{\"id\": 2},{\"id\": \"__end__\"}",
                "{\"source\": \"__start__\", \"target\": 1},{\"source\": 1, \"target\": 2},"
                    + "{\"source\": 2, \"target\": \"__end__\"}")));
  }

  @Test
  void startsSomewhereWhateverTheDrawingSays() throws IOException {
    requireSound(
        imported(
            drawing(
                START + ",{\"id\": \"a\"},{\"id\": \"b\"},{\"id\": \"__end__\"}",
                "{\"source\": \"__start__\", \"target\": \"__end__\"},"
                    + "{\"source\": \"b\", \"target\": \"a\"}")));
  }

  @Test
  void readsTheLargestGraphThatADefinitionTakes() throws IOException {
    var nodes =
        IntStream.range(0, 1_999)
            .mapToObj(it -> "{\"id\": \"n%d\"}".formatted(it))
            .collect(Collectors.joining(",", START + ",", ""));
    var edges =
        IntStream.range(0, 5_000)
            .mapToObj(it ->
                "{\"source\": \"n%d\", \"target\": \"n%d\"}"
                    .formatted(it % 1_999, (it % 1_999 + 1 + it / 1_999 * 7) % 1_999))
            .collect(Collectors.joining(","));
    assertThat(imported(drawing(nodes, edges)).lines()).hasSizeGreaterThan(6_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          [] | this is no drawing of a graph, but array; write it with json.dump
          {"nodes": {}} | /nodes: must be the list of nodes
          {"nodes": [], "edges": []} | /nodes: has no node '__start__'
          {"nodes": [{"id": "__start__"}]} | /edges: must be the list of edges
          {"nodes": [{"id": "__start__"}], "edges": []} | /nodes: has no node between start and end
          {"nodes": [{"id": "__start__"}, {}], "edges": []} | /nodes/1/id: must be the id of a node
          {"nodes": [{"id": "__start__"}, 7], "edges": []} | /nodes/1: must be an object, and is integer
          {"nodes": [{"id": "__start__"}, {"id": "__start__"}], "edges": []} | /nodes/1/id: '__start__' is the id
          {"nodes": [{"id": "__start__"}, {"id": "a"}, {"id": "a:b"}], "edges": []} | 'a' is both a node and a subgraph
          {"nodes": [{"id": "__start__"}, {"id": "a"}], "edges": [{"source": "a"}]} | /edges/0/target: must be
          {"nodes": [{"id": "__start__"}, {"id": "a"}], "edges": [{"source": "a", "target": "b"}]} | names 'b', which
          {"nodes": [ | g.json:1:
          """)
  void saysWhereADrawingIsWrong(String drawing, String problem) throws IOException {
    var file = file("g.json", drawing).toString();
    assertThat(console.run("import-langgraph", file)).isEqualTo(2);
    assertThat(console.err()).contains("g.json", problem).doesNotContain("Exception");
    assertThat(console.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          7 | this is no JSON Schema, but integer
          {"properties": []} | /properties: must be an object, and is array
          {"output_schema": {"properties": 1}} | /output_schema/properties: must be an object
          """)
  void saysWhereASchemaIsWrong(String schema, String problem) throws IOException {
    var drawing = DRAWINGS.resolve("entry.json").toString();
    var file = file("s.json", schema).toString();
    assertThat(console.run("import-langgraph", drawing, "--schema", file)).isEqualTo(2);
    assertThat(console.err()).contains("s.json: " + problem);
  }

  @Test
  void refusesWhatNoDefinitionCouldHold() throws IOException {
    var nodes =
        IntStream.range(0, 2_001)
            .mapToObj(it -> "{\"id\": \"n%d\"}".formatted(it))
            .collect(Collectors.joining(","));
    var large = drawing(nodes, "").toString();
    assertThat(console.run("import-langgraph", large)).isEqualTo(2);
    assertThat(console.err()).contains("/nodes: has 2001 nodes, and a definition at most 2000");
    var deep = drawing(START + ",{\"id\": \"%s\"}".formatted("a:".repeat(30) + "b"), "").toString();
    assertThat(console.run("import-langgraph", deep)).isEqualTo(2);
    assertThat(console.err()).contains("/nodes/1/id: is deeper than 20 graphs");
    var long9 = file("long.json", "[\"%s\"]".formatted("x".repeat(9 << 20))).toString();
    assertThat(console.run("import-langgraph", long9)).isEqualTo(2);
    assertThat(console.err()).contains("long.json: the text is longer than");
  }
}
