package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What is said of the keys of nodes when a definition is posted, type by type.
@AgentTest
class NodeKeysApiTests {
  private static final String ALL_KEYS =
      """
      name: N, description: D, position: { x: 1, y: 1 }, properties: { p: 1 }, retry: { max_attempts: 2 },
          timeout: 3s, on_error: continue, max_concurrency: 2, defer: true, edge_mode: first, targets: [z], if_empty: z,
          context_type: pass_through, context_filter: { rules: [{ type: exclude, pattern: x.* }] },
          processor_config: { x: 1 }, required_context: [a.*], cache: { key: "1" }
      """;

  @LocalServerPort int port;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
    service.graph(graph("keys-child", "{ id: a, type: router }"));
  }

  private static String graph(String name, String node) {
    return """
    name: %s
    channels: { messages: { reducer: messages } }
    nodes:
      - %s
      - { id: z, type: router }
    edges: [{ from: __start__, to: [a, z] }]
    """
        .formatted(name, node);
  }

  private static String node(String type, String config, String keys) {
    return "{ id: a, type: %s, config: %s%s }"
        .formatted(type, config, keys.isEmpty() ? "" : ", " + keys);
  }

  /// Every key on every type: what is not listed here does something there.
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "router     ~ {} ~ retry cache timeout max_concurrency targets if_empty",
        "human      ~ {} ~ retry cache timeout max_concurrency targets if_empty",
        "wait       ~ { for: 1s } ~ retry cache timeout max_concurrency targets if_empty",
        "expression ~ { update: { b: 1 } } ~ retry targets if_empty",
        "expression ~ { goto: [z] } ~ retry if_empty",
        "expression ~ { dispatch: [{ node: z }] } ~ retry",
        "function   ~ { function: teller } ~ if_empty",
        "http       ~ { url: 'https://a.example/' } ~ if_empty",
        "http       ~ { mode: request, url: 'https://a.example/' } ~ targets if_empty",
        "http       ~ { mode: request, url: 'https://a.example/', result: { goto: [z] } } ~"
            + " if_empty",
        "llm        ~ { model: scripted } ~ targets if_empty",
        "tool       ~ {} ~ cache targets if_empty",
        "compact    ~ { summarizer: { type: drop } } ~ targets if_empty",
        "subgraph   ~ { graph: keys-child } ~ cache targets if_empty",
        "subgraph   ~ { graph: keys-child, output: { goto: [z] } } ~ cache if_empty",
        "worker     ~ { queue: q } ~ cache if_empty"
      })
  void refusesKeysThatDoNothingOnItsType(String type, String config, String idle) {
    var refused =
        Stream.concat(Arrays.stream(idle.split(" ")), Stream.of("processor_config"))
            .map(it -> "not_applicable /nodes/0/" + it)
            .toList();

    assertThat(service.problems(graph("keys-idle", node(type, config, ALL_KEYS))))
        .containsExactlyInAnyOrderElementsOf(refused);
  }

  /// An expression sees its attempt, so that it may come to something else in the next one.
  @Test
  void repeatsAnExpressionForTheCodesThatItNames() {
    service.graph(
        graph(
            "keys-again",
            node(
                "expression",
                "{ update: { n: \"{{ run.attempt < 3 ? 1 / 0 : run.attempt }}\" } }",
                "retry: { max_attempts: 3, initial_interval: 1ms, retry_on: ['*'] }")));

    var run = service.run("keys-again", ObjectValue.empty());

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    assertThat(Service.at(run, "/output/n")).isEqualTo(Value.of(3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "http       ~ { url: 'https://a.example/', metod: GET } ~ metod ~ 'method'",
        "http       ~ { mode: request, url: 'https://a.example/', result: { udpate: {} } } ~"
            + " result/udpate ~ 'update'",
        "human      ~ { paylod: x } ~ paylod ~ 'payload'",
        "wait       ~ { for: 1s, utnil: x } ~ utnil ~ 'until'",
        "expression ~ { updates: {} } ~ updates ~ 'update'",
        "function   ~ { function: teller, argments: {} } ~ argments ~ 'arguments'",
        "function   ~ { function: tellr } ~ function ~ 'teller'",
        "llm        ~ { modle: scripted } ~ modle ~ 'model'",
        "llm        ~ { model: scripted, options: { temprature: 1 } } ~ options/temprature ~"
            + " 'temperature'",
        "tool       ~ { aproval: always } ~ aproval ~ 'approval'",
        "tool       ~ { approval: alway } ~ approval ~ 'always'",
        "compact    ~ { keep_lst: 1, summarizer: { type: drop } } ~ keep_lst ~ 'keep_last'",
        "compact    ~ { summarizer: { type: expression, expression: '1', expresion: '1' } } ~"
            + " summarizer/expresion ~ 'expression'",
        "subgraph   ~ { graph: keys-child, inputs: {} } ~ inputs ~ 'input'",
        "subgraph   ~ { graph: keys-child, output: { udpate: {} } } ~ output/udpate ~ 'update'",
        "worker     ~ { queue: q, leas: 1m } ~ leas ~ 'lease'"
      })
  void suggestsWhatWasMeantInTheConfigOfItsType(
      String type, String config, String pointer, String meant) {
    assertThat(service.messages(graph("keys-misspelt", node(type, config, ""))))
        .singleElement()
        .asString()
        .contains("/nodes/0/config/" + pointer, "did you mean " + meant + "?");
  }

  /// One wrong default, one problem; each place of it is named once.
  @Test
  void saysOnceWhatIsWrongWithADefault() {
    var yes = "{ type: string, enum: [yes, no], minLength: 2 }";
    var definition =
        """
        name: keys-defaults
        channels:
          messages: { reducer: messages }
          plain:  { default: 5, schema: %1$s }
          listed: { reducer: append, default: x, schema: { type: array } }
        nodes:
          - { id: a, type: human, config: { answer_schema: %1$s, expires_after: 1h, on_expiry: answer, default_answer: 5 } }
          - { id: b, type: expression, config: { interrupt: { reason: r, schema: %1$s, expires_after: 1h, on_expiry: answer, default_answer: 5 } } }
          - { id: z, type: router }
        edges: [{ from: __start__, to: [a, b, z] }]
        """
            .formatted(yes);

    assertThat(service.problems(definition))
        .containsExactlyInAnyOrder(
            "schema_violation /channels/plain/default",
            "invalid_default /channels/listed/default",
            "schema_violation /nodes/0/config/default_answer",
            "schema_violation /nodes/1/config/interrupt/default_answer");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "llm        ~ { model: scripted, tools: '{{ state.tools }}' } ~ ~ config/tools",
        "tool       ~ { tools: '{{ state.tools }}' } ~ ~ config/tools",
        "http       ~ { url: 'https://a.example/', state_keys: '{{ state.keys }}' } ~ ~"
            + " config/state_keys",
        "tool       ~ { approval: '{{ state.when }}' } ~ ~ config/approval",
        "compact    ~ { keep_last: '{{ state.n }}', summarizer: { type: drop } } ~ ~"
            + " config/keep_last",
        "function   ~ { function: teller } ~ targets: '{{ state.targets }}' ~ targets",
        "function   ~ { function: teller } ~ targets: ['{{ state.target }}'] ~ targets/0",
        "function   ~ { function: teller } ~ timeout: '{{ state.time }}' ~ timeout",
        "function   ~ { function: teller } ~ max_concurrency: '{{ state.n }}' ~ max_concurrency",
        "function   ~ { function: teller } ~ retry: { retry_on: '{{ state.codes }}' } ~"
            + " retry/retry_on",
        "function   ~ { function: teller } ~ required_context: '{{ state.keys }}' ~"
            + " required_context"
      })
  void saysThatATemplateCannotStandThere(
      String type, String config, @Nullable String keys, String pointer) {
    var written = keys == null ? "" : keys;
    assertThat(service.messages(graph("keys-template", node(type, config, written))))
        .singleElement()
        .asString()
        .contains("/nodes/0/" + pointer, "template");
  }

  @Test
  void saysWhatComputesATarget() {
    assertThat(
            service.messages(
                """
                name: keys-target
                interrupt_before: "{{ state.stops }}"
                nodes: [{ id: a, type: router }]
                edges:
                  - { from: __start__, to: a }
                  - { from: a, to: "{{ state.next }}" }
                """))
        .anySatisfy(it -> assertThat(it).contains("/edges/1/to", "'route: state.next'"))
        .anySatisfy(it -> assertThat(it).contains("/interrupt_before", "a template cannot stand"))
        .hasSize(2);
  }
}
