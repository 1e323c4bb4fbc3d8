package dev.superstep.context;

import static dev.superstep.context.Contexts.filter;
import static dev.superstep.context.Contexts.ids;
import static dev.superstep.context.Contexts.object;
import static dev.superstep.context.Contexts.rule;
import static dev.superstep.context.Contexts.variables;
import static dev.superstep.context.DefaultBehavior.BLOCK;
import static dev.superstep.context.DefaultBehavior.PASS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.Violations;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContextFilterTests {
  private static final PromptContext TOOLS =
      Contexts.of("llm.model", "prompt.tone", "model.name", "tool.key", "other");

  private static ContextFilter read(ObjectValue filter) {
    var violations = new Violations();
    var node =
        new ContextRuleReader(Contexts.LIBRARY)
            .node(object("type", "router").plus("context_filter", filter), violations.root());
    assertThat(violations.errors()).isEmpty();
    return node.filter().orElseThrow();
  }

  private static PromptContext apply(ObjectValue filter, PromptContext context) {
    return read(filter).apply(context, ConditionScope.NONE).context();
  }

  private static ObjectValue blocking(ObjectValue... rules) {
    return filter(rules).plus("default_behavior", Value.of("block"));
  }

  /// S4-16: the default of model nodes.
  @Test
  void keepsWhatModelNodesNeedByDefault() {
    var filter = ContextFilter.defaultFor("llm").orElseThrow();
    assertThat(variables(filter.apply(TOOLS, ConditionScope.NONE).context()))
        .containsExactly("llm.model", "prompt.tone");
    assertThat(filter.defaultBehavior()).isEqualTo(BLOCK);
  }

  /// S4-17: the default of tool nodes.
  @Test
  void keepsWhatToolNodesNeedByDefault() {
    var filter = ContextFilter.defaultFor("tool").orElseThrow();
    var context = Contexts.of("tool.a", "function.b", "llm.c");
    assertThat(variables(filter.apply(context, ConditionScope.NONE).context()))
        .containsExactly("function.b", "tool.a");
  }

  /// S4-18: decision nodes get everything, the same instance.
  @Test
  void filtersNothingWithoutRules() {
    assertThat(ContextFilter.defaultFor("router")).isEmpty();
    assertThat(apply(filter(), TOOLS)).isSameAs(TOOLS);
  }

  /// P5: includes are a union, and an exclude always wins.
  @Test
  void unitesIncludesAndLetsExcludesWin() {
    var seen =
        apply(
            blocking(
                rule("exclude", "tool.key"), rule("include", "tool.*"), rule("include", "llm.*")),
            Contexts.of("tool.key", "tool.name", "llm.model", "other"));
    assertThat(variables(seen)).containsExactly("llm.model", "tool.name");
  }

  /// P5: blocking without an include yields nothing.
  @Test
  void yieldsNothingWithoutAnIncludeWhereItBlocks() {
    assertThat(apply(blocking(rule("exclude", "x")), TOOLS).variables().isEmpty()).isTrue();
  }

  /// P5: metadata and history are governed only where a rule targets them.
  @Test
  void leavesHistoryAndMetadataAloneUnlessARuleTargetsThem() {
    var context =
        Contexts.context(
            Contexts.keys("a"),
            ListValue.of(Contexts.entry("x", 1), Contexts.entry("y", 2)),
            Contexts.keys("m", "n"));
    var variablesOnly = apply(blocking(rule("include", "b")), context);
    assertThat(variablesOnly.variables().isEmpty()).isTrue();
    assertThat(variablesOnly.history()).isSameAs(context.history());
    assertThat(variablesOnly.metadata()).isSameAs(context.metadata());
    var history = apply(blocking(rule("include", "y", "target", "history")), context);
    assertThat(ids(history)).containsExactly("y2");
    assertThat(history.times()).containsExactly(Value.of("2026-01-01T00:00:01Z"));
    assertThat(history.metadata()).isSameAs(context.metadata());
    var all = apply(blocking(rule("include", "m", "target", "all")), context);
    assertThat(all.metadata()).isEqualTo(Contexts.keys("m"));
    assertThat(all.history().isEmpty()).isTrue();
  }

  /// P5: a transform of history does not make the filter govern it.
  @Test
  void doesNotBlockWhatATransformTargets() {
    var context =
        Contexts.context(Contexts.keys(), ListValue.of(Contexts.entry("x", 1)), Contexts.keys());
    var seen =
        apply(
            blocking(rule("transform", "*", "transform", "truncate(4)", "target", "history")),
            context);
    var entry = (ObjectValue) seen.history().get(0);
    assertThat(entry.get("prompt")).isEqualTo(Value.of("asks"));
    assertThat(entry.get("response")).isEqualTo(Value.of("answ"));
  }

  /// P5: a rule whose condition is false is skipped.
  @Test
  void skipsARuleWhoseConditionIsFalse() {
    var filter =
        filter(
            rule("exclude", "llm.*", "condition", "false"),
            rule("exclude", "tool.*", "condition", "has(other)"));
    assertThat(variables(apply(filter, TOOLS)))
        .containsExactly("llm.model", "model.name", "other", "prompt.tone");
  }

  /// P5: one whose condition fails too, and the failure is named.
  @Test
  void namesAConditionThatFails() {
    var view =
        read(filter(rule("exclude", "x"), rule("exclude", "*", "condition", "fails")))
            .apply(TOOLS, ConditionScope.NONE);
    assertThat(view.context()).isSameAs(TOOLS);
    assertThat(view.failures())
        .containsExactly(new FailedCondition("/rules/1/condition", "fails", "no such key: x"));
  }

  /// P5: a condition that does not hold never opens what the filter governs.
  @Test
  void keepsHistoryClosedWhenItsOnlyIncludeIsSkipped() {
    var context =
        Contexts.context(Contexts.keys(), ListValue.of(Contexts.entry("x", 1)), Contexts.keys());
    var filter = blocking(rule("include", "x", "target", "history", "condition", "false"));
    assertThat(apply(filter, context).history().isEmpty()).isTrue();
  }

  /// S4-12, of its `condition`: it sees what the task sees.
  @Test
  void asksTheSurroundings() {
    var filter = read(blocking(rule("include", "*", "condition", "asks")));
    assertThat(filter.apply(TOOLS, _ -> Value.TRUE).context()).isSameAs(TOOLS);
    assertThat(filter.apply(TOOLS, ConditionScope.NONE).context().variables().isEmpty()).isTrue();
  }

  /// P5: transforms run last, in list order, and each sees what the ones before it made.
  @Test
  void transformsLastInListOrder() {
    var seen =
        apply(
            blocking(
                rule("transform", "llm.*", "transform", "rename('model.*')"),
                rule("transform", "model.*", "transform", "upper"),
                rule("transform", "model.*", "transform", "prefix('>')"),
                rule("include", "llm.*")),
            TOOLS);
    assertThat(seen.variables()).isEqualTo(object("model.model", ">LLM.MODEL"));
  }

  /// P7, S4-11
  @Test
  void mergesByPriority() {
    var low = read(blocking(rule("include", "a")));
    var high = read(filter(rule("exclude", "b")).plus("priority", Value.of(5)));
    var merged = low.merge(high);
    assertThat(merged.priority()).isEqualTo(5);
    assertThat(merged.defaultBehavior()).isEqualTo(BLOCK);
    assertThat(merged.rules()).containsExactly(high.rules().getFirst(), low.rules().getFirst());
    assertThat(low.merge(low).rules()).hasSize(2);
    assertThat(ContextFilter.of(List.of(), PASS).merge(high).defaultBehavior()).isEqualTo(PASS);
  }

  /// P7
  @Test
  void ordersFiltersByPriorityThenDeclaration() {
    var a = ContextFilter.of(List.of(FilterRule.exclude("a")), PASS, 1);
    var b = ContextFilter.of(List.of(FilterRule.exclude("b")), PASS, 2);
    var c = ContextFilter.of(List.of(FilterRule.exclude("c")), PASS, 1);
    assertThat(ContextFilter.inOrder(List.of(a, b, c))).containsExactly(b, a, c);
  }

  /// P12: what a node passes on is not transformed.
  @Test
  void narrowsWithoutTransforming() {
    var filter =
        read(blocking(rule("include", "llm.*"), rule("transform", "*", "transform", "mask")));
    var passed = filter.narrow(TOOLS, ConditionScope.NONE).context();
    assertThat(passed.variables()).isEqualTo(Contexts.keys("llm.model"));
  }

  /// P6: what a failing transform should have changed never gets through.
  @Test
  void failsWhereATransformFails() {
    var transforms =
        Transforms.with(
            Map.of(
                "broken",
                (_, _) -> {
                  throw new IllegalStateException("no key server");
                }));
    var filter =
        ContextFilter.of(List.of(FilterRule.transform("tool.*", transforms.call("broken"))), PASS);
    assertThatThrownBy(() -> filter.apply(TOOLS, ConditionScope.NONE))
        .isInstanceOfSatisfying(
            ContextException.class,
            it -> assertThat(it.code()).isEqualTo("context_transform_failed"))
        .hasMessageContaining("no key server");
  }
}
