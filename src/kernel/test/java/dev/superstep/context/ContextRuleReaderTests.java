package dev.superstep.context;

import static dev.superstep.context.Contexts.filter;
import static dev.superstep.context.Contexts.object;
import static dev.superstep.context.Contexts.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContextRuleReaderTests {
  private static final ContextRuleReader READER = new ContextRuleReader(Contexts.LIBRARY);

  private static List<String> node(ObjectValue node) {
    return told(problems(node));
  }

  private static List<String> filterOf(ObjectValue filter) {
    return node(object("type", "router").plus("context_filter", filter));
  }

  private static List<String> edge(ObjectValue filter) {
    var violations = new Violations();
    READER.edge(ObjectValue.of("context_filter", filter), violations.root());
    return told(violations.all());
  }

  private static List<Violation> problems(ObjectValue node) {
    var violations = new Violations();
    READER.node(node, violations.root());
    return violations.all();
  }

  private static List<String> told(List<Violation> problems) {
    return problems.stream().map(it -> it.pointer() + " " + it.code()).toList();
  }

  /// P18: all problems of a filter at once, each with its place.
  @Test
  void findsAllProblemsOfAFilter() {
    assertThat(
            filterOf(
                filter(
                        rule("include", " "),
                        rule("exclude", "x", "transform", "upper"),
                        rule("transform", "x"),
                        rule("transform", "x", "transform", "nobody"),
                        rule("transform", "x", "transform", "truncate(a)"),
                        rule("hide", "x"),
                        object("type", "include"),
                        rule("exclude", "x", "target", "everything"),
                        rule("exclude", "x", "condition", "what"),
                        rule("exclude", "x", "when", "true"))
                    .plus("default_behavior", Value.of("drop"))
                    .plus("priority", Value.of("high"))
                    .plus("mode", Value.of("x"))))
        .containsExactlyInAnyOrder(
            "/context_filter/mode unknown_field",
            "/context_filter/rules/0/pattern invalid_pattern",
            "/context_filter/rules/1/transform not_applicable",
            "/context_filter/rules/2/transform missing_field",
            "/context_filter/rules/3/transform unknown_transform",
            "/context_filter/rules/4/transform invalid_transform",
            "/context_filter/rules/5/type invalid_value",
            "/context_filter/rules/6/pattern missing_field",
            "/context_filter/rules/7/target invalid_value",
            "/context_filter/rules/8/condition invalid_expression",
            "/context_filter/rules/9/when unknown_field",
            "/context_filter/default_behavior invalid_value",
            "/context_filter/priority wrong_type",
            "/context_filter no_effect");
  }

  /// P18: where in the text a condition is wrong.
  @Test
  void saysWhereAConditionIsWrong() {
    var problems =
        problems(ObjectValue.of("context_filter", filter(rule("exclude", "x", "condition", "?"))));
    assertThat(problems.getFirst().line()).isEqualTo(1);
    assertThat(problems.getFirst().column()).isEqualTo(3);
  }

  /// P18: an include with default pass is a warning.
  @Test
  void warnsOfRulesWithoutEffect() {
    var violations = new Violations();
    READER.node(
        ObjectValue.of("context_filter", filter(rule("include", "llm.*"))), violations.root());
    assertThat(told(violations.warnings())).containsExactly("/context_filter/rules/0 no_effect");
    assertThat(violations.hasErrors()).isFalse();
    var blocked = filter(rule("exclude", "x")).plus("default_behavior", Value.of("block"));
    assertThat(filterOf(blocked)).containsExactly("/context_filter no_effect");
  }

  /// P6, P18
  @Test
  void refusesRenamesThatCannotWork() {
    assertThat(
            filterOf(
                filter(
                    rule("transform", "a.*", "transform", "rename('b.*.*')"),
                    rule("transform", "a.*", "transform", "rename('b.?')"),
                    rule("transform", "*", "transform", "rename('x')", "target", "history"),
                    rule("transform", "x", "transform", "default(1)", "target", "all"))))
        .containsExactly(
            "/context_filter/rules/0/transform invalid_pattern",
            "/context_filter/rules/1/transform invalid_pattern",
            "/context_filter/rules/2/transform not_applicable",
            "/context_filter/rules/3/transform not_applicable");
  }

  /// P8, P18: types that are nothing without a filter.
  @Test
  void demandsTheRulesThatATypeNeeds() {
    for (var type : List.of("filter_in", "filter_out", "transform")) {
      assertThat(node(object("context_type", type)))
          .containsExactly("/context_filter missing_field");
      assertThat(node(object("context_type", type).plus("context_filter", ObjectValue.empty())))
          .containsExactly("/context_filter/rules missing_field");
    }
    var open = filter(rule("include", "x")).plus("default_behavior", Value.of("pass"));
    assertThat(node(object("context_type", "filter_in").plus("context_filter", open)))
        .contains("/context_filter/default_behavior invalid_value");
  }

  /// P14, P18
  @Test
  void refusesUnknownTypesAndProcessors() {
    assertThat(node(object("context_type", "llm"))).containsExactly("/context_type invalid_value");
    assertThat(node(object("context_type", "custom:nobody")))
        .containsExactly("/context_type unknown_processor");
    assertThat(node(ObjectValue.of("processor_config", object("a", "b"))))
        .containsExactly("/processor_config not_applicable");
    assertThat(node(ObjectValue.of("context_type", Value.of(1))))
        .containsExactly("/context_type wrong_type");
  }

  /// P13, P18
  @Test
  void refusesRequirementsThatAreNoPatterns() {
    var required = ListValue.of(Value.of("a.*"), Value.of(""), Value.of(3));
    assertThat(node(ObjectValue.of("required_context", required)))
        .containsExactly("/required_context/1 invalid_pattern", "/required_context/2 wrong_type");
  }

  /// P10, P18, S4-9 `validateFilter`
  @Test
  void findsAllProblemsOfAnEdgeFilter() {
    assertThat(edge(object("type", "selective"))).containsExactly("/context_filter missing_field");
    assertThat(edge(object("type", "conditional")))
        .containsExactly("/context_filter/condition missing_field");
    assertThat(edge(object("type", "transform")))
        .containsExactly("/context_filter/transform_rules missing_field");
    assertThat(edge(object("type", "some"))).containsExactly("/context_filter/type invalid_value");
    assertThat(edge(ObjectValue.empty())).containsExactly("/context_filter/type missing_field");
    assertThat(edge(object("type", "pass_all", "condition", "true", "priority", "1")))
        .containsExactly(
            "/context_filter/priority unknown_field", "/context_filter/condition not_applicable");
  }

  /// P10, P18
  @Test
  void findsProblemsOfTransformRules() {
    var rules =
        ListValue.of(
            object("source_pattern", "a.*", "target_pattern", "b.*.*"),
            object("source_pattern", "a.*", "target_pattern", "b", "transform", "rename('c')"),
            object("source_pattern", "a.*"),
            object("source_pattern", "a", "target_pattern", "b", "transform", "nobody"));
    assertThat(edge(object("type", "transform").plus("transform_rules", rules)))
        .containsExactly(
            "/context_filter/transform_rules/0/target_pattern invalid_pattern",
            "/context_filter/transform_rules/1/transform not_applicable",
            "/context_filter/transform_rules/2/target_pattern missing_field",
            "/context_filter/transform_rules/3/transform unknown_transform");
  }

  /// P19, S4-24: keys as the seed writes them (section 6.1).
  @Test
  void readsTheFragmentsOfTheSeed() {
    var node =
        object("id", "llm_node_1", "type", "llm", "context_type", "llm_context")
            .plus(
                "context_filter",
                filter(rule("include", "llm.*"), rule("exclude", "tool.*"))
                    .plus("default_behavior", Value.of("block")));
    assertThat(node(node)).isEmpty();
    var edge =
        object("type", "selective")
            .plus("include_patterns", ListValue.texts("relevant.*"))
            .plus("exclude_patterns", ListValue.texts("internal.*"));
    assertThat(edge(edge)).isEmpty();
  }
}
