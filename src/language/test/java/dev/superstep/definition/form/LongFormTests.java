package dev.superstep.definition.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.GraphName;
import dev.superstep.definition.TestNodeTypes;
import dev.superstep.definition.read.ReadResult;
import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.json.Yaml;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LongFormTests {
  /// A definition as an author may write it, and as it is stored.
  record Pair(String what, ObjectValue written, ObjectValue longForm) {
    @Override
    public String toString() {
      return what;
    }
  }

  static List<Pair> pairs() throws IOException {
    try (var in = LongFormTests.class.getResourceAsStream("/definitions/long-form.yaml")) {
      var text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return ((ListValue) Yaml.read(text)).stream().map(LongFormTests::pair).toList();
    }
  }

  private static Pair pair(Value value) {
    var fields = (ObjectValue) value;
    return new Pair(fields.text("what"), fields.object("written"), fields.object("long"));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void isWhatTheAuthorWouldHaveWrittenByHand(Pair pair) {
    var written = read(pair.written());
    var byHand = read(pair.longForm());
    assertThat(written.errors()).isEmpty();
    assertThat(byHand.errors()).isEmpty();
    assertThat(Canonical.text(written.definition())).isEqualTo(Canonical.text(byHand.definition()));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void isItsOwnLongForm(Pair pair) {
    var once = read(pair.written()).definition();
    var again = TestNodeTypes.READER.readStored(once, GraphName.of("")).orElseThrow();
    assertThat(again.definition()).isEqualTo(once);
    assertThat(again.errors()).isEmpty();
  }

  @Test
  void keepsWhatIsTheAuthorsInConfigAndMetadata() {
    var definition =
        read("""
        metadata: { x-team: blue, $schema: s }
        nodes: [{id: a, type: http, config: { x-header: y }, properties: { x-z: 1 }}]
        """)
            .definition();
    assertThat(Canonical.text(definition)).contains("x-team", "$schema", "x-header", "x-z");
  }

  @Test
  void givesTheAgentTemplateWhatTheAuthorDefaults() {
    var definition =
        read("""
        template: agent
        defaults: { llm: { retry: { max_attempts: 5 }, config: { model: small } } }
        nodes: [{id: a, type: llm, next: b}, {id: b, type: tool}]
        """)
            .definition();
    assertThat(Canonical.text(definition))
        .contains(
            "\"retry\":{\"max_attempts\":5}",
            "\"retry\":{}",
            "\"summarizer\":{\"model\":\"small\",\"type\":\"llm\"}");
  }

  /// One mistake is reported once, where the author can mend it.
  @Test
  void reportsAWrongDefaultOnce() {
    var errors =
        read("""
        defaults: { expression: { config: { update: 3 } } }
        nodes: [{id: a, type: expression}, {id: b, type: expression}]
        """)
            .errors();
    assertThat(errors)
        .extracting(Violation::pointer)
        .containsExactly("/defaults/expression/config/update");
  }

  @Test
  void reportsWhatIsWrongWhereTheAuthorWroteIt() {
    var errors =
        read("""
        strict_channels: true
        nodes:
          - id: a
            type: router
            switch: [{ when: "state.typo == 1", to: a }]
        """)
            .errors();
    assertThat(errors).extracting(Violation::pointer).containsExactly("/nodes/0/switch/0/when");
    assertThat(errors.getFirst().hasPosition()).isTrue();
  }

  @Test
  void namesBothPlacesThatSayWhereANodeLeads() {
    var errors =
        read("""
        nodes: [{id: a, type: router}, {id: b, type: router, next: a}]
        edges: [{ from: [a, b], to: a }]
        """)
            .errors();
    assertThat(errors).extracting(Violation::pointer).containsExactly("/edges/0/from/1");
    assertThat(errors.getFirst().message()).contains("'b'", "/nodes/1/next");
  }

  @Test
  void boundsTheEdgesThatAreMade() {
    var cases = "{when: 'true', to: a}, ".repeat(101);
    assertThat(read("nodes: [{id: a, type: router, switch: [" + cases + "]}]").errors())
        .extracting(Violation::code)
        .contains("too_many");
  }

  /// A default of some kilobytes in each of many nodes would be stored as megabytes.
  @Test
  void boundsWhatDefaultsAddToTheDefinitionThatIsStored() {
    var nodes = IntStream.range(0, 90).mapToObj("{id: n%d, type: llm}"::formatted);
    var large = "x".repeat((1 << 20) / 80);
    assertThat(
            read("defaults: {llm: {config: {prompt: %s}}}\nnodes: [%s]"
                    .formatted(large, nodes.collect(Collectors.joining(", "))))
                .errors())
        .extracting(Violation::code)
        .containsExactly("too_many");
  }

  @Test
  void followsOriginsOverSeveralSteps() {
    var at = new Violations().root();
    var origins = new Origins.Builder();
    origins.moved(at.key("nodes").item(0).key("config"), "/defaults/llm/config");
    origins.made(at.key("defaults").key("llm").key("config").key("prompt"), "/prompts/x");
    var built = origins.build();
    assertThat(
            List.of(
                built.of("/nodes/0/config/prompt"),
                built.of("/nodes/0/config/prompt/deep"),
                built.of("/nodes/0/config/model"),
                built.of("/nodes/0/type"),
                built.of("")))
        .containsExactly(
            "/prompts/x", "/prompts/x", "/defaults/llm/config/model", "/nodes/0/type", "");
  }

  private static ReadResult read(String keys) {
    return read((ObjectValue) Yaml.read(keys));
  }

  private static ReadResult read(ObjectValue keys) {
    return TestNodeTypes.READER.read(keys.plus("name", Value.of("g")));
  }
}
