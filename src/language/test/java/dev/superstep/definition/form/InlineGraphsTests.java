package dev.superstep.definition.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.GraphName;
import dev.superstep.definition.TestNodeTypes;
import dev.superstep.definition.read.ReadResult;
import dev.superstep.json.Yaml;
import dev.superstep.state.value.Canonical;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InlineGraphsTests {
  private static ReadResult read(String yaml) {
    return TestNodeTypes.READER.read(Yaml.read("name: outer\n" + yaml));
  }

  private static List<String> errors(String yaml) {
    return read(yaml).errors().stream().map(it -> it.pointer() + " " + it.code()).toList();
  }

  @Test
  void haveTheirAbbreviationsExpandedAndTheDefaultsOfTheDefinition() {
    var read =
        read(
            """
            defaults: { expression: { config: { update: { x: "{{ prompts.p }}" } } } }
            prompts: { p: "{{ state.a }}" }
            nodes: [{ id: a, type: router }]
            graphs:
              inner: { nodes: [{ id: b, type: expression, next: c }, { id: c, type: router }] }
            """);
    assertThat(read.errors()).isEmpty();
    assertThat(Canonical.text(read.definition()))
        .isEqualTo(
            Canonical.text(
                read("""
                nodes: [{ id: a, type: router }]
                edges: [{ from: __start__, to: a }]
                graphs:
                  inner:
                    nodes:
                      - { id: b, type: expression, config: { update: { x: "{{ state.a }}" } } }
                      - { id: c, type: router }
                    edges: [{ from: __start__, to: b }, { from: b, to: c }]
                """)
                    .definition()));
  }

  @Test
  void reportMistakesWhereTheyWereWritten() {
    assertThat(
            errors(
                """
                defaults: { expression: { config: { update: { x: "{{ 1 + }}" } } } }
                nodes: [{ id: a, type: router }]
                graphs:
                  inner:
                    nodes:
                      - { id: b, type: expression, switch: [{ when: "2 +", to: c }, { else: d }] }
                      - { id: c, type: router }
                """))
        .containsExactlyInAnyOrder(
            "/defaults/expression/config/update/x invalid_expression",
            "/graphs/inner/nodes/0/switch/0/when invalid_expression",
            "/graphs/inner/nodes/0/switch/1/else unknown_node");
  }

  @Test
  void reportWhatTheyInheritOnce() {
    assertThat(
            errors(
                """
                params: { low: { schema: { type: integer }, default: much } }
                nodes: [{ id: a, type: router }]
                graphs: { inner: { nodes: [{ id: b, type: router }] } }
                """))
        .containsExactly("/params/low/default schema_violation");
  }

  @Test
  void inheritStrictChannelsUnlessTheySayOtherwise() {
    assertThat(
            errors(
                """
                strict_channels: true
                nodes: [{ id: a, type: router }]
                graphs:
                  strict: { output: { channels: [x] }, nodes: [{ id: b, type: router }] }
                  free: { strict_channels: false, output: { channels: [x] }, nodes: [{ id: b, type: router }] }
                """))
        .containsExactly("/graphs/strict/output/channels/0 unknown_channel");
  }

  @Test
  void countForTheLimitsOfTheDefinition() {
    var nodes =
        IntStream.range(0, 60)
            .mapToObj("{ id: n%d, type: router }"::formatted)
            .collect(Collectors.joining(", ", "[", "]"));
    assertThat(errors("nodes: %s\ngraphs: { inner: { nodes: %s } }".formatted(nodes, nodes)))
        .containsExactly("/graphs too_many");
  }

  @Test
  void areReadOneByOneFromAStoredDefinition() {
    var stored =
        read("""
        strict_channels: true
        nodes: [{ id: a, type: router }]
        graphs: { inner: { nodes: [{ id: b, type: router }] } }
        """)
            .definition();
    var plan =
        TestNodeTypes.READER
            .readStored(stored, GraphName.of("outer#inner"))
            .flatMap(ReadResult::graphPlan)
            .orElseThrow();
    assertThat(plan.program().graph().nodes().getFirst().id().value()).isEqualTo("b");
    assertThat(plan.program().graph().channels().strict()).isTrue();
    assertThat(TestNodeTypes.READER.readStored(stored, GraphName.of("outer#other"))).isEmpty();
  }
}
