package dev.superstep.context;

import static dev.superstep.context.Contexts.ids;
import static dev.superstep.context.Contexts.object;
import static dev.superstep.context.Contexts.variables;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Violations;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import org.junit.jupiter.api.Test;

class EdgeContextTests {
  private static final PromptContext MIXED =
      Contexts.context(
          Contexts.keys("relevant.a", "relevant.b", "irrelevant.c", "internal.d"),
          ListValue.of(Contexts.entry("relevant.x", 1), Contexts.entry("y", 2)),
          Contexts.keys("relevant.m", "other"));

  private static EdgeContext read(ObjectValue filter) {
    var violations = new Violations();
    var edge =
        new ContextRuleReader(Contexts.LIBRARY)
            .edge(ObjectValue.of("context_filter", filter), violations.root());
    assertThat(violations.all()).isEmpty();
    return edge;
  }

  private static PromptContext pass(ObjectValue filter) {
    return read(filter).view(MIXED, ConditionScope.NONE).context();
  }

  private static ObjectValue patterns(String type, String include, String exclude) {
    var filter = object("type", type);
    filter = include.isEmpty() ? filter : filter.plus("include_patterns", ListValue.texts(include));
    return exclude.isEmpty() ? filter : filter.plus("exclude_patterns", ListValue.texts(exclude));
  }

  /// P10, S4-8
  @Test
  void passesAll() {
    assertThat(pass(object("type", "pass_all"))).isSameAs(MIXED);
  }

  /// P10, S4-8
  @Test
  void passesNothingButTheTemplate() {
    var passed = pass(object("type", "pass_none"));
    assertThat(passed)
        .isEqualTo(
            new PromptContext(
                "You are.",
                ObjectValue.empty(),
                ListValue.empty(),
                ListValue.empty(),
                ObjectValue.empty()));
  }

  /// P10: on variables and metadata; history passes.
  @Test
  void passesASelection() {
    var passed = pass(patterns("selective", "relevant.*", "relevant.b"));
    assertThat(variables(passed)).containsExactly("relevant.a");
    assertThat(passed.metadata()).isEqualTo(Contexts.keys("relevant.m"));
    assertThat(passed.history()).isSameAs(MIXED.history());
    var rest = pass(patterns("selective", "", "*relevant.*"));
    assertThat(variables(rest)).containsExactly("internal.d");
  }

  /// P10: on history only with `target`.
  @Test
  void selectsWhatTheTargetSays() {
    var filter = patterns("selective", "relevant.*", "");
    var history = pass(filter.plusAll(object("target", "history")));
    assertThat(ids(history)).containsExactly("relevant.x1");
    assertThat(history.variables()).isSameAs(MIXED.variables());
    var metadata = pass(filter.plusAll(object("target", "metadata")));
    assertThat(metadata.variables()).isSameAs(MIXED.variables());
    assertThat(metadata.metadata()).isEqualTo(Contexts.keys("relevant.m"));
    var all = pass(filter.plusAll(object("target", "all")));
    assertThat(variables(all)).containsExactly("relevant.a", "relevant.b");
    assertThat(ids(all)).containsExactly("relevant.x1");
  }

  /// P10: true → as selective; false → as pass_none.
  @Test
  void passesASelectionWhenTheConditionHolds() {
    var filter = patterns("conditional", "relevant.*", "");
    var passed = pass(filter.plusAll(object("condition", "has(relevant.a)")));
    assertThat(variables(passed)).containsExactly("relevant.a", "relevant.b");
    var nothing = pass(filter.plusAll(object("condition", "false")));
    assertThat(nothing).isEqualTo(pass(object("type", "pass_none")));
    assertThat(pass(object("type", "conditional", "condition", "true"))).isSameAs(MIXED);
  }

  /// P10: a condition that errors is false, and named.
  @Test
  void namesAConditionThatFails() {
    var view =
        read(object("type", "conditional", "condition", "fails")).view(MIXED, ConditionScope.NONE);
    assertThat(view.context().variables().isEmpty()).isTrue();
    assertThat(view.failures())
        .containsExactly(new FailedCondition("/condition", "fails", "no such key: x"));
  }

  /// P10: the rules, on everything.
  @Test
  void transforms() {
    var rules =
        ListValue.of(
            object("source_pattern", "relevant.*", "target_pattern", "llm.*", "transform", "upper"),
            object(
                "source_pattern",
                "i?ternal.d",
                "target_pattern",
                "i?ternal.d",
                "transform",
                "mask"));
    var passed = pass(object("type", "transform").plus("transform_rules", rules));
    assertThat(passed.variables())
        .isEqualTo(
            object(
                "llm.a",
                "RELEVANT.A",
                "llm.b",
                "RELEVANT.B",
                "irrelevant.c",
                "irrelevant.c",
                "internal.d",
                "***"));
    assertThat(passed.metadata()).isEqualTo(object("llm.m", "RELEVANT.M", "other", "other"));
    assertThat(passed.history()).isSameAs(MIXED.history());
  }

  /// P10: a rule transforms what it renamed, not what had the new key's pattern already.
  @Test
  void transformsOnlyWhatItRenamed() {
    var rules =
        ListValue.of(
            object(
                "source_pattern",
                "relevant.*",
                "target_pattern",
                "internal.*",
                "transform",
                "mask"));
    var passed = pass(object("type", "transform").plus("transform_rules", rules));
    assertThat(passed.variables())
        .isEqualTo(
            object(
                "internal.a",
                "***",
                "internal.b",
                "***",
                "internal.d",
                "internal.d",
                "irrelevant.c",
                "irrelevant.c"));
  }

  /// P10, S4-19, C17: error edges keep the seed's default; conditional edges pass all.
  @Test
  void hasADefaultForEachEdgeType() {
    assertThat(EdgeContextFilter.defaultFor("sequence")).isEqualTo(new EdgeContextFilter.PassAll());
    assertThat(EdgeContextFilter.defaultFor("conditional"))
        .isEqualTo(new EdgeContextFilter.PassAll());
    var read =
        new ContextRuleReader(Contexts.LIBRARY)
            .edge(object("type", "error"), new Violations().root());
    var seen =
        read.view(
                Contexts.of("error.code", "exception.x", "success.y", "result.z", "llm.model"),
                ConditionScope.NONE)
            .context();
    assertThat(variables(seen)).containsExactly("error.code", "exception.x");
  }
}
