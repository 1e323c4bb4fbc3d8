package dev.superstep.context;

import static dev.superstep.context.Contexts.filter;
import static dev.superstep.context.Contexts.object;
import static dev.superstep.context.Contexts.rule;
import static dev.superstep.context.Contexts.variables;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.Violations;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeContextTests {
  private static final PromptContext MIXED =
      Contexts.of("llm.model", "prompt.tone", "model.name", "tool.name", "function.f", "other");

  private static NodeContext read(ObjectValue node) {
    return read(node, Contexts.LIBRARY);
  }

  private static NodeContext read(ObjectValue node, ContextLibrary library) {
    var violations = new Violations();
    var read = new ContextRuleReader(library).node(node, violations.root());
    assertThat(violations.errors()).isEmpty();
    return read;
  }

  private static PromptContext view(ObjectValue node) {
    return read(node).view(MIXED, ConditionScope.NONE).context();
  }

  /// P9, S4-7, S4-16 to S4-18: a node that says nothing.
  @Test
  void hasADefaultForEachNodeType() {
    assertThat(variables(view(object("type", "llm")))).containsExactly("llm.model", "prompt.tone");
    assertThat(variables(view(object("type", "tool")))).containsExactly("function.f", "tool.name");
    assertThat(view(object("type", "human")).variables().isEmpty()).isTrue();
    assertThat(view(object("type", "subgraph")).variables().isEmpty()).isTrue();
    assertThat(view(object("type", "router"))).isSameAs(MIXED);
    assertThat(read(object("type", "http")).isTransparent()).isTrue();
  }

  /// P9: a node's own filter replaces the default one.
  @Test
  void replacesTheDefaultFilterByItsOwn() {
    var node = object("type", "llm").plus("context_filter", filter(rule("exclude", "prompt.*")));
    assertThat(variables(view(node))).containsExactly("llm.model", "model.name");
  }

  /// P9: the default filter belongs to the default type.
  @Test
  void hasNoDefaultFilterWithAnotherType() {
    assertThat(view(object("type", "llm", "context_type", "pass_through"))).isSameAs(MIXED);
    assertThat(variables(view(object("type", "router", "context_type", "llm_context"))))
        .containsExactly("llm.model", "model.name", "prompt.tone");
  }

  /// P8: for filter_in and filter_out the filter is the type.
  @Test
  void takesInAndLeavesOut() {
    var in =
        object("type", "llm", "context_type", "filter_in")
            .plus("context_filter", filter(rule("include", "other")));
    assertThat(variables(view(in))).containsExactly("other");
    var out =
        object("type", "llm", "context_type", "filter_out")
            .plus("context_filter", filter(rule("exclude", "*.*")));
    assertThat(variables(view(out))).containsExactly("other");
  }

  /// P8
  @Test
  void transforms() {
    var node =
        object("type", "router", "context_type", "transform")
            .plus("context_filter", filter(rule("transform", "other", "transform", "upper")));
    assertThat(view(node).variables())
        .isEqualTo(MIXED.variables().plus("other", Value.of("OTHER")));
  }

  /// P5: conditions of a filter see what arrives at the node, not only what its type leaves.
  @Test
  void asksConditionsAboutWhatArrives() {
    var node =
        object("type", "llm")
            .plus("context_filter", filter(rule("exclude", "llm.*", "condition", "has(other)")));
    assertThat(variables(view(node))).containsExactly("model.name", "prompt.tone");
    var failing =
        object("type", "llm")
            .plus("context_filter", filter(rule("exclude", "llm.*", "condition", "fails")));
    assertThat(read(failing).view(MIXED, ConditionScope.NONE).failures())
        .extracting(FailedCondition::rule)
        .containsExactly("/context_filter/rules/0/condition");
  }

  /// P14, S4-14, S4-25: a processor gets its configuration; the node's own filter narrows.
  @Test
  void asksARegisteredProcessor() {
    var processors =
        Processors.NONE.with(
            "custom_llm",
            (context, config) -> context.plusVariables(config).plusVariables(object("tool.x", "")));
    var node =
        object("type", "llm", "context_type", "custom:custom_llm")
            .plus("processor_config", object("llm.added", "yes"))
            .plus("context_filter", filter(rule("exclude", "tool.*")));
    var seen =
        read(node, Contexts.library(Transforms.BUILT_IN, processors))
            .view(MIXED, ConditionScope.NONE)
            .context();
    assertThat(variables(seen))
        .containsExactly(
            "function.f", "llm.added", "llm.model", "model.name", "other", "prompt.tone");
  }

  /// P14
  @Test
  void failsWhereItsProcessorFails() {
    var processors =
        Processors.NONE.with(
            "broken",
            (_, _) -> {
              throw new IllegalStateException("no luck");
            });
    var node =
        read(
            object("type", "llm", "context_type", "custom:broken"),
            Contexts.library(Transforms.BUILT_IN, processors));
    assertThatThrownBy(() -> node.view(MIXED, ConditionScope.NONE))
        .isInstanceOfSatisfying(
            ContextException.class,
            it -> assertThat(it.code()).isEqualTo("context_processor_failed"))
        .hasMessageContaining("no luck");
  }

  /// P14: names are unique, and built-in types cannot be replaced.
  @Test
  void refusesProcessorsWithATakenName() {
    var one = Processors.NONE.with("mine", (context, _) -> context);
    assertThatThrownBy(() -> one.with("mine", (context, _) -> context))
        .hasMessageContaining("two context processors 'mine'");
    assertThatThrownBy(() -> one.with("llm_context", (context, _) -> context))
        .hasMessageContaining("cannot be replaced");
  }

  /// P13, S4-7: each required pattern must match a variable or metadata of the view.
  @Test
  void namesWhatItRequiresAndDoesNotSee() {
    var node =
        read(
            object("type", "llm")
                .plus("required_context", ListValue.texts("llm.*", "trace", "tool.*", "absent")));
    var view = node.view(MIXED, ConditionScope.NONE).context();
    assertThat(node.unmet(view))
        .extracting(Glob::toString)
        .containsExactly("trace", "tool.*", "absent");
    var traced =
        new PromptContext("", view.variables(), view.history(), view.times(), object("trace", "1"));
    assertThat(node.unmet(traced)).extracting(Glob::toString).containsExactly("tool.*", "absent");
  }

  /// P12: what it passes on is narrowed by its filter, with what it added itself.
  @Test
  void narrowsWhatItPassesOn() {
    var node = read(object("type", "tool"));
    var outgoing = Contexts.of("tool.result", "secret");
    assertThat(variables(node.outgoing(outgoing, ConditionScope.NONE).context()))
        .containsExactly("tool.result");
    assertThat(read(object("type", "router")).outgoing(outgoing, ConditionScope.NONE).context())
        .isSameAs(outgoing);
  }

  /// P16: the same content, filter and conditions give the kept view; anything else a new one.
  @Test
  void keepsViewsByContentRulesAndConditions() {
    var views = new HashMap<ContextCache.ViewKey, PromptContext>();
    var library =
        new ContextLibrary(
            Contexts.CONDITIONS,
            Transforms.BUILT_IN,
            Processors.NONE,
            Map.of(),
            (key, made) -> views.computeIfAbsent(key, _ -> made.get()));
    var node =
        read(
            object("type", "router")
                .plus("context_filter", filter(rule("exclude", "k1*", "condition", "asks"))),
            library);
    var first = node.view(large(100), ConditionScope.NONE).context();
    assertThat(node.view(large(100), ConditionScope.NONE).context()).isSameAs(first);
    assertThat(node.view(large(100), _ -> Value.TRUE).context().variables().size()).isEqualTo(89);
    assertThat(node.view(large(101), ConditionScope.NONE).context().variables().size())
        .isEqualTo(101);
    assertThat(views).hasSize(3);
  }

  /// P16: two conditions of one filter that hold in turn give two views of one content: which of
  /// them hold is part of the key.
  @Test
  void keepsAViewForEachCombinationOfConditions() {
    var views = new HashMap<ContextCache.ViewKey, PromptContext>();
    var library =
        new ContextLibrary(
            Contexts.CONDITIONS,
            Transforms.BUILT_IN,
            Processors.NONE,
            Map.of(),
            (key, made) -> views.computeIfAbsent(key, _ -> made.get()));
    var node =
        read(
            object("type", "router")
                .plus("context_filter", filter(rule("exclude", "k1*", "condition", "asks"))),
            library);
    var arriving = large(100);

    var without = node.view(arriving, _ -> Value.TRUE).context();
    var with = node.view(arriving, ConditionScope.NONE).context();

    assertThat(without.variables().size()).isEqualTo(89);
    assertThat(with.variables().size()).isEqualTo(100);
    assertThat(views.keySet())
        .extracting(ContextCache.ViewKey::conditions)
        .hasSize(2)
        .doesNotHaveDuplicates();
  }

  /// P16: only processors that say they are pure are cached.
  @Test
  void asksProcessorsThatAreNotPureAgain() {
    var calls = new int[1];
    var views = new HashMap<ContextCache.ViewKey, PromptContext>();
    var impure =
        Processors.NONE.with(
            "counting",
            (context, _) -> {
              calls[0]++;
              return context;
            });
    var library =
        new ContextLibrary(
            Contexts.CONDITIONS,
            Transforms.BUILT_IN,
            impure,
            Map.of(),
            (key, made) -> views.computeIfAbsent(key, _ -> made.get()));
    var node = read(object("type", "router", "context_type", "custom:counting"), library);
    node.view(large(100), ConditionScope.NONE);
    node.view(large(100), ConditionScope.NONE);
    assertThat(calls[0]).isEqualTo(2);
    assertThat(views).isEmpty();
  }

  private static PromptContext large(int count) {
    return Contexts.of(IntStream.range(0, count).mapToObj(it -> "k" + it).toArray(String[]::new));
  }
}
