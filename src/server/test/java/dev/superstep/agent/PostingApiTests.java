package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What is said of a definition when it is posted, with the node types of the service.
@AgentTest
class PostingApiTests {
  @LocalServerPort int port;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  /// E3: what cannot exist is not read, be it a route, a template or a question.
  @Test
  void refusesChannelsThatAStrictGraphDoesNotHave() {
    assertThat(
            service.problems(
                """
                name: posting-strict
                strict_channels: true
                channels: { messages: { reducer: messages }, topics: {}, iteration: {} }
                nodes:
                  - { id: llm, type: llm }
                  - { id: a, type: expression, config: { update: { topics: "{{ state.topic }} and {{ has(state.other) }}" } } }
                edges:
                  - { from: __start__, to: llm }
                  - { from: llm, to: a, condition: "state.finish_reason == 'stop'" }
                """))
        .containsExactlyInAnyOrder(
            "unknown_channel /nodes/0",
            "unknown_channel /nodes/1/config/update/topics",
            "unknown_channel /nodes/1/config/update/topics",
            "unknown_channel /edges/1/condition");
  }

  @Test
  void takesAStrictAgentThatDeclaresItsFields() {
    assertThat(
            service.problems(
                """
                name: posting-strict-agent
                template: agent
                strict_channels: true
                nodes:
                  - { id: llm, type: llm, config: { tools: [weather] } }
                  - { id: tools, type: tool, config: { approval: always } }
                edges:
                  - { from: __start__, to: llm }
                  - { from: llm, route: "state.finish_reason == 'tool_calls' ? 'tools' : '__end__'", targets: [tools, __end__] }
                  - { from: tools, to: llm }
                """))
        .isEmpty();
  }

  @Test
  void warnsOfChannelsThatNothingWritesAndSaysWhatMayBeMeant() {
    var warned =
        service.warnings(
            """
            name: posting-misspelt
            input: { schema: { properties: { topic: { type: string } } } }
            nodes:
              - { id: a, type: expression, config: { update: { report: "{{ state.topic }}", n: "{{ has(state.n) ? state.n + 1 : 0 }}" } } }
              - { id: b, type: expression, config: { update: { out: "{{ state.reprot }}" } } }
            edges:
              - { from: __start__, to: a }
              - { from: a, to: b, condition: "state.iteration == 0" }
            """);

    assertThat(warned).hasSize(1);
    assertThat(warned.getFirst()).contains("/nodes/1/config/update/out", "did you mean 'report'?");
  }

  /// What nobody can know before it runs is not warned of.
  @Test
  void warnsOfNoChannelWhereAFunctionMayWriteIt() {
    assertThat(
            service.warnings(
                """
                name: posting-open
                nodes:
                  - { id: a, type: http, config: { url: "http://127.0.0.1:1/x" } }
                  - { id: b, type: expression, config: { update: { out: "{{ state.found }}" } } }
                edges:
                  - { from: __start__, to: a }
                  - { from: a, to: b }
                """))
        .isEmpty();
  }

  /// The graphs of the examples are what a reader begins with: none of them is warned of.
  @Test
  void warnsOfNothingInTheExamples() throws IOException {
    try (var files = Files.walk(Path.of("examples"))) {
      var graphs =
          files
              .filter(it -> it.toString().endsWith(".yaml"))
              .filter(it -> !it.endsWith("application.yaml"))
              .toList();
      assertThat(graphs).hasSizeGreaterThan(12);
      for (var graph : graphs) {
        assertThat(service.warnings(Files.readString(graph))).as(graph.toString()).isEmpty();
      }
    }
  }

  /// E25: a target that can only fail is refused, wherever the expression names it.
  @Test
  void refusesLiteralTargetsThatCanOnlyFail() {
    assertThat(
            service.problems(
                """
                name: posting-targets
                nodes:
                  - { id: aa, type: expression, targets: [bb], config: { dispatch: "{{ fan_out('bbb', state.l) + [{'node': 'cc', 'input': {}}] }}" } }
                  - { id: bb, type: expression, targets: [bb], config: { goto: "{{ state.l == [] ? ['bb'] : ['cc', 'dd'] }}" } }
                  - { id: cc, type: expression, config: { update: { l: "{{ [1].map(i, dispatch('ee', {'i': i})) }}" } } }
                  - { id: d, type: expression, config: { dispatch: [{ node: "{{ state.l == [] ? 'bb' : 'ff' }}" }] } }
                edges:
                  - { from: __start__, to: [aa, bb, cc, d] }
                  - { id: r1, from: aa, route: "[1, 2].map(i, 'gg')", targets: [bb] }
                  - { id: r2, from: bb, route: "state.l == [] ? 'x' : 'z'", route_map: { x: aa, y: bb } }
                  - { id: r3, from: cc, route: "state.l == [] ? 'aa' : '__end__'", targets: [aa] }
                  - { id: r4, from: d, route: "'b' + 'b'", targets: [bb] }
                """))
        .containsExactlyInAnyOrder(
            "unknown_node /nodes/0/config/dispatch",
            "undeclared_target /nodes/0/config/dispatch",
            "undeclared_target /nodes/1/config/goto",
            "unknown_node /nodes/1/config/goto",
            "unknown_node /nodes/2/config/update/l",
            "unknown_node /nodes/3/config/dispatch/0/node",
            "unknown_node /edges/1/route",
            "undeclared_target /edges/2/route",
            "undeclared_target /edges/3/route");
  }

  @Test
  void refusesKeysThatDoNothingOnANode() {
    assertThat(
            service.problems(
                """
                name: posting-idle
                channels: { messages: { reducer: messages } }
                nodes:
                  - { id: a, type: router, retry: {}, timeout: 3s, targets: [b] }
                  - { id: b, type: human, retry: {}, config: { on_expiry: fail, default_answer: 1 } }
                  - { id: c, type: wait, retry: {}, config: { for: 1s } }
                  - { id: d, type: expression, processor_config: { x: 1 } }
                  - { id: e, type: tool, config: { approval_when: "true" } }
                  - { id: f, type: wait, config: { for: 1s, until: "2026-01-31T08:00:00Z" } }
                  - { id: g, type: wait, config: { for: 1s, result: {} } }
                edges:
                  - { from: __start__, to: [a, b, c, d, e, f, g] }
                """))
        .containsExactlyInAnyOrder(
            "not_applicable /nodes/0/retry",
            "not_applicable /nodes/0/timeout",
            "not_applicable /nodes/0/targets",
            "not_applicable /nodes/1/retry",
            "not_applicable /nodes/1/config/on_expiry",
            "not_applicable /nodes/1/config/default_answer",
            "not_applicable /nodes/2/retry",
            "not_applicable /nodes/3/processor_config",
            "not_applicable /nodes/4/config/approval_when",
            "not_applicable /nodes/5/config/until",
            "not_applicable /nodes/6/config/result");
  }

  @Test
  void refusesSecretsInUrls() {
    assertThat(
            service.problems(
                """
                name: posting-secret
                tools: { look: { url: "https://api.example/?key=secret:canary" } }
                nodes:
                  - { id: a, type: http, config: { mode: request, url: "https://api.example/{{ state.x }}?key=secret:canary" } }
                edges:
                  - { from: __start__, to: a }
                """))
        .containsExactlyInAnyOrder(
            "secret_in_url /nodes/0/config/url", "secret_in_url /tools/look/url");
  }

  /// As its siblings, which name the channel by their id, too.
  @Test
  void refusesAResponseThatNoChannelCanTake() {
    assertThat(
            service.problems(
                """
                name: posting-response
                strict_channels: true
                nodes:
                  - { id: a-b, type: http, config: { mode: request, url: "https://api.example/" } }
                  - { id: c, type: http, config: { mode: request, url: "https://api.example/" } }
                  - { id: d, type: http, config: { mode: request, url: "https://api.example/", result: {} } }
                edges:
                  - { from: __start__, to: [a-b, c, d] }
                """))
        .containsExactlyInAnyOrder(
            "missing_field /nodes/0/config/result", "unknown_channel /nodes/1/config/result");
  }

  @Test
  void suggestsWhatWasMeantInsideConfig() {
    var messages =
        service.messages(
            """
            name: posting-config
            nodes:
              - { id: a, type: http, config: { mode: requst, url: "https://api.example/", result: { updte: {} } } }
              - { id: b, type: expression, config: { interrupt: { reson: x }, dispatch: [{ node: a, imput: {} }] } }
            edges:
              - { from: __start__, to: [a, b] }
            """);

    assertThat(messages)
        .anySatisfy(it -> assertThat(it).contains("/nodes/0/config/mode", "'request'?"))
        .anySatisfy(it -> assertThat(it).contains("/nodes/0/config/result/updte", "'update'?"))
        .anySatisfy(it -> assertThat(it).contains("/nodes/1/config/interrupt/reson", "'reason'?"))
        .anySatisfy(it -> assertThat(it).contains("/nodes/1/config/dispatch/0/imput", "'input'?"));
  }

  /// S4-4, C34: nodes, conditions, routing and transforms are what a graph is made of; triggers
  /// start runs from outside, and are no nodes.
  @Test
  void takesTheKindsOfFunctionsThatTheSeedNames() {
    var graph =
        """
        name: posting-kinds
        nodes:
          - { id: a, type: router }
          - { id: b, type: router, context_filter: { rules: [{ type: transform, pattern: "x.*", transform: upper }] } }
        edges:
          - { from: __start__, to: a }
          - { from: a, to: b, condition: "state.x == 1" }
          - { from: b, route: "'a'", targets: [a] }
        """;
    assertThat(service.problems(graph)).isEmpty();
    assertThat(service.problems(graph + "triggers: {}\n")).isEmpty();
    assertThat(service.problems(graph.replace("id: a, type: router", "id: a, type: trigger")))
        .containsExactly("unknown_node_type /nodes/0/type");
  }

  /// S4-9, S4-11: what `supportsContextType` says no to is a warning, because template, metadata
  /// and history arrive all the same; it is kept with the version.
  @Test
  void warnsOfFiltersThatPassNoVariableThatTheNodeTakes() {
    var graph =
        """
        name: posting-unsupported
        context: { template: t }
        channels: { messages: { reducer: messages } }
        nodes:
          - { id: start, type: router }
          - { id: model, type: llm }
          - { id: call, type: tool }
          - { id: own, type: llm, context_filter: { rules: [{ type: include, pattern: tool.* }], default_behavior: block } }
          - id: several
            type: llm
            context_filter:
              - { rules: [{ type: include, pattern: tool.* }], default_behavior: block }
              - { rules: [{ type: include, pattern: llm.a }], default_behavior: block }
        edges:
          - { from: __start__, to: start }
          - { from: start, to: [model, call], context_filter: { type: selective, include_patterns: [tool.*] } }
          - { from: start, route: "['model', 'call']", targets: [model, call], context_filter: { type: conditional, condition: "true", include_patterns: [function.f] } }
          - { from: start, to: model, context_filter: { type: selective, include_patterns: [tool.*, "l*"] } }
          - { from: start, to: model, context_filter: { type: selective, include_patterns: [tool.*], target: history } }
          - { from: start, to: model, context_filter: { type: pass_none } }
          - { from: start, to: [own, several] }
        """;

    assertThat(service.problems(graph)).isEmpty();
    var unsupported =
        service.warnings(graph).stream().filter(it -> it.startsWith("no_effect ")).toList();
    assertThat(unsupported)
        .containsExactlyInAnyOrder(
            "no_effect /nodes/3/context_filter nothing that it includes is among the variables of"
                + " context_type llm_context, which are [llm.*, prompt.*, model.*]",
            "no_effect /edges/1/context_filter nothing that it includes reaches 'model', whose"
                + " context_type llm_context takes [llm.*, prompt.*, model.*]",
            "no_effect /edges/2/context_filter nothing that it includes reaches 'model', whose"
                + " context_type llm_context takes [llm.*, prompt.*, model.*]");
    service.graph(graph);
    var kept = Service.at(service.get("/v1/graphs/posting-unsupported"), "/warnings");
    assertThat(kept.toString()).contains("nothing that it includes reaches 'model'");
  }

  /// S0-15: messages that no model would ever see.
  @Test
  void warnsOfAnAgentWhoseMessagesAreNotSent() {
    assertThat(
            service.warnings(
                """
                name: posting-mute
                channels: { messages: {} }
                nodes:
                  - { id: silent, type: llm }
                  - { id: half, type: llm, config: { prompt: "Sum up" } }
                  - { id: meant, type: llm, config: { prompt: "Sum up", messages: "" } }
                edges:
                  - { from: __start__, to: [silent, half, meant] }
                """))
        .hasSize(2)
        .anySatisfy(it -> assertThat(it).startsWith("messages_not_sent /nodes/0/config"))
        .anySatisfy(it -> assertThat(it).startsWith("messages_not_sent /nodes/1/config"));
  }

  /// A call beside the conversation that the conversation would show.
  @Test
  void warnsOfAnAnswerThatIsAppendedToTheMessagesAsWell() {
    assertThat(
            service.warnings(
                """
                name: posting-beside
                template: agent
                nodes:
                  - { id: grade, type: llm, config: { prompt: "Grade", output_to: grade }, next: aside }
                  - { id: aside, type: llm, config: { prompt: "Grade", output_to: b, messages: "" }, next: said }
                  - { id: said, type: llm, config: { prompt: "Grade", output_to: c, messages: messages } }
                """))
        .singleElement()
        .asString()
        .startsWith("also_appended /nodes/0/config");
  }

  /// S0-1, S0-14, S0-15: the channels of seed 0, and what the definition declares itself wins.
  @Test
  void writesTheTemplateOutIntoTheStoredDefinition() {
    var agent =
        """
        name: posting-template
        template: agent
        channels: { context: { reducer: merge }, max_iterations: { default: 3 } }
        nodes:
          - { id: llm, type: llm, config: { model: scripted } }
        edges:
          - { from: __start__, to: llm }
        """;
    service.graph(agent);

    var stored = Service.at(service.get("/v1/graphs/posting-template"), "/definition");

    assertThat(Service.at(stored, "/template")).isEqualTo(Value.NULL);
    assertThat(Service.at(stored, "/channels/context").toString())
        .isEqualTo("{\"reducer\":\"merge\"}");
    assertThat(Service.at(stored, "/channels/max_iterations/default")).isEqualTo(Value.of(3L));
    assertThat(Service.text(stored, "/channels/messages/mirror_to")).isEqualTo("full_messages");
    assertThat(Service.text(stored, "/channels/messages/compaction/summarizer/model"))
        .isEqualTo("scripted");
    assertThat(Service.at(stored, "/channels/full_messages").toString())
        .isEqualTo("{\"append_only\":true,\"reducer\":\"block_append\"}");
    assertThat(Service.text(stored, "/channels/iteration/scope")).isEqualTo("run");
    assertThat(Service.at(stored, "/nodes/0/retry").toString()).isEqualTo("{}");
    service.graph(agent);
    assertThat(Service.at(service.get("/v1/graphs/posting-template"), "/version"))
        .isEqualTo(Value.of(1L));
  }

  /// Seed 4: names, descriptions, places and properties are kept, and make another version.
  @Test
  void keepsWhatIsForPeople() {
    var graph =
        """
        name: posting-people
        nodes:
          - { id: a, type: router, name: First, description: It begins, position: { x: 1, y: 2 }, properties: { colour: red } }
        edges:
          - { from: __start__, to: a, name: In, description: The way in, properties: { dashed: true } }
        """;
    service.graph(graph);
    service.graph(graph.replace("The way in", "The only way in"));

    var stored = service.get("/v1/graphs/posting-people");

    assertThat(Service.at(stored, "/version")).isEqualTo(Value.of(2L));
    assertThat(Service.at(stored, "/definition/nodes/0").toString())
        .isEqualTo(
            "{\"description\":\"It"
                + " begins\",\"id\":\"a\",\"name\":\"First\",\"position\":{\"x\":1,\"y\":2},\"properties\":{\"colour\":\"red\"},\"type\":\"router\"}");
    assertThat(Service.at(stored, "/definition/edges/0").toString())
        .contains(
            "\"name\":\"In\"",
            "\"description\":\"The only way in\"",
            "\"properties\":{\"dashed\":true}");
  }
}
