package dev.superstep.definition.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.TestNodeTypes;
import dev.superstep.definition.read.ReadResult;
import dev.superstep.graph.Violation;
import dev.superstep.json.Yaml;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PromptsTests {

  @Test
  void reportsAMistakeInAPromptOnceAndWhereItIs() {
    var errors =
        errors(
            """
            prompts:
              greet: |
                Hello {{ state.name }},
                you are {{ 1 + }} years old
            nodes:
              - { id: a, type: expression, config: { update: { x: "😀 {{ prompts.greet }}", y: "{{ prompts.greet }}" } } }
            """);
    assertThat(errors).containsExactly("/prompts/greet invalid_expression 2:16");
  }

  @Test
  void reportsAMistakeBesideAPromptWhereItIs() {
    var errors =
        errors(
            """
            prompts: { long: "one\\ntwo\\nthree" }
            nodes:
              - id: a
                type: expression
                config:
                  update:
                    x: |
                      {{ prompts.long }} and {{ 1 + }}
                      {{ 2 + }}, {{ prompts.long }} {{ 3 + }}
            """);
    assertThat(errors)
        .containsExactly(
            "/nodes/0/config/update/x invalid_expression 1:31",
            "/nodes/0/config/update/x invalid_expression 2:8",
            "/nodes/0/config/update/x invalid_expression 2:38");
  }

  /// Each costs a search of the whole text.
  @Test
  void reportsOnlySomeOfManyUnknownPrompts() {
    var names = IntStream.range(0, 1_000).mapToObj("{{ prompts.p%d }}"::formatted);
    var text = names.collect(Collectors.joining(" "));
    var nested = "{{ prompts.greeting }}".repeat(1_000);
    var read =
        read(
            """
            prompts: { greeting: hello, nested: "%s" }
            nodes:
              - { id: a, type: expression, config: { update: { x: "%s" } } }
            """
                .formatted(nested, text));
    assertThat(read.errors()).filteredOn(it -> it.code().equals("unknown_prompt")).hasSize(100);
    assertThat(read.errors()).filteredOn(it -> it.pointer().equals("/prompts/nested")).hasSize(1);
  }

  @Test
  void suggestsThePromptThatWasMeant() {
    var read =
        read(
            """
            prompts: { greeting: hello }
            nodes:
              - { id: a, type: expression, config: { update: { x: "oh {{ prompts.greting }}", y: "{{ prompts.greeting }}" } } }
            """);
    assertThat(read.errors())
        .singleElement()
        .satisfies(it -> {
          assertThat(shown(it)).isEqualTo("/nodes/0/config/update/x unknown_prompt 1:6");
          assertThat(it.message()).contains("did you mean 'greeting'?");
        });
  }

  @Test
  void refusesPromptsInPrompts() {
    var errors =
        errors(
            """
            prompts: { a: "see {{ prompts.b }}", b: "{{ prompts.b }}" }
            nodes: [{ id: a, type: expression, config: { update: { x: "{{ prompts.a }}{{ prompts.b }}" } } }]
            """);
    assertThat(errors).contains("/prompts/a invalid_value 1:5", "/prompts/b invalid_value 1:1");
  }

  @Test
  void saysHowPromptsAreUsedWhereTheyAreNot() {
    var read =
        read(
            """
            nodes: [{ id: a, type: expression, config: { update: { x: "{{ prompts.a + 'b' }}" } } }]
            """);
    assertThat(read.errors())
        .singleElement()
        .extracting(Violation::message)
        .asString()
        .contains("under 'prompts'", "{{ prompts.name }}");
  }

  @Test
  void warnsOfAPromptThatNothingUses() {
    var read =
        read(
            """
            prompts: { a: hello }
            nodes: [{ id: a, type: expression, config: { update: { x: "{{ 'prompts.a' }}" } } }]
            """);
    assertThat(read.errors()).isEmpty();
    assertThat(read.warnings()).extracting(PromptsTests::shown).contains("/prompts/a no_effect");
  }

  /// A short definition must not come to a long one without bound.
  @Test
  void boundsWhatPromptsComeTo() {
    var prompt = "x".repeat(200_000);
    var uses = "{{ prompts.a }}".repeat(20);
    var errors =
        errors(
            """
            prompts: { a: "%s" }
            nodes:
              - { id: a, type: expression, config: { update: { x: "%s", y: "%s" } } }
            """
                .formatted(prompt, uses, uses));
    assertThat(errors).singleElement().asString().contains("/nodes/0/config/update/", "too_many");
  }

  private static List<String> errors(String yaml) {
    return read(yaml).errors().stream().map(PromptsTests::shown).toList();
  }

  private static ReadResult read(String yaml) {
    return TestNodeTypes.READER.read(Yaml.read("name: g\n" + yaml));
  }

  private static String shown(Violation violation) {
    var shown = violation.pointer() + " " + violation.code();
    return violation.hasPosition()
        ? shown + " %d:%d".formatted(violation.line(), violation.column())
        : shown;
  }
}
