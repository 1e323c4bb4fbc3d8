package dev.superstep.context;

import static dev.superstep.context.Contexts.filter;
import static dev.superstep.context.Contexts.object;
import static dev.superstep.context.Contexts.rule;
import static dev.superstep.context.Contexts.variables;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Violations;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Sections 4 to 6 of seed 4, with the types of this package.
class SeedFlowTests {
  private static final ContextRuleReader READER = new ContextRuleReader(Contexts.LIBRARY);

  private static NodeContext node(ObjectValue node) {
    return READER.node(node, new Violations().root());
  }

  private static EdgeContext edge(String include, String exclude) {
    var filter =
        object("type", "selective")
            .plus("include_patterns", ListValue.texts(include))
            .plus("exclude_patterns", ListValue.texts(exclude));
    return READER.edge(ObjectValue.of("context_filter", filter), new Violations().root());
  }

  /// S4-1: contexts never change; adding gives another one.
  @Test
  void leavesContextsAsTheyWere() {
    var before = Contexts.of("llm.model");
    var after = before.plusEntry(Contexts.entry("a", 1), "2026-01-01T00:00:00Z");
    assertThat(before.history().isEmpty()).isTrue();
    assertThat(after.history().size()).isEqualTo(1);
    assertThat(after.variables()).isSameAs(before.variables());
  }

  /// S4-3, S4-30: control per edge, per node and per node type, apart from each other: edges pass,
  /// nodes take.
  @Test
  void separatesWhatEdgesPassFromWhatNodesTake() {
    var all = Contexts.of("llm.model", "llm.key", "tool.name", "other");
    var passed = edge("*", "*.key").view(all, ConditionScope.NONE).context();
    assertThat(variables(passed)).containsExactly("llm.model", "other", "tool.name");
    assertThat(variables(view(node(object("type", "llm")), passed))).containsExactly("llm.model");
    assertThat(variables(view(node(object("type", "tool")), passed))).containsExactly("tool.name");
    assertThat(view(node(object("type", "router")), passed)).isSameAs(passed);
  }

  private static PromptContext view(NodeContext node, PromptContext arriving) {
    return node.view(arriving, ConditionScope.NONE).context();
  }

  /// S4-13, S4-15, S4-22, section 5.1 in the mode that follows its letter: edge filters in order,
  /// the node's filter on what arrives, compatibility, the node, its filter on what leaves, the
  /// entry.
  @Test
  void followsTheOrderOfTheSeed() {
    var node =
        node(
            object("type", "llm")
                .plus("required_context", ListValue.texts("llm.model"))
                .plus(
                    "context_filter",
                    filter(rule("include", "llm.*")).plus("default_behavior", Value.of("block"))));
    var context = Contexts.of("llm.model", "llm.draft", "tool.name");
    for (var edge : List.of(edge("*", "tool.*"), edge("llm.*", "llm.draft"))) {
      context = edge.view(context, ConditionScope.NONE).context();
    }
    assertThat(variables(context)).containsExactly("llm.model");
    var incoming = view(node, context);
    assertThat(node.unmet(incoming)).isEmpty();

    var outgoing = incoming.plusVariables(object("llm.answer", "42", "tool.debug", "x"));
    var left = node.outgoing(outgoing, ConditionScope.NONE).context();
    var updated = left.plusEntry(Contexts.entry("think", 1), "2026-01-01T00:00:00Z");

    assertThat(variables(updated)).containsExactly("llm.answer", "llm.model");
    assertThat(Contexts.ids(updated)).containsExactly("think1");
  }

  /// S4-22 step 3: what the node requires did not arrive.
  @Test
  void findsThatAContextIsIncompatible() {
    var node = node(object("type", "llm").plus("required_context", ListValue.texts("llm.model")));
    var passed = edge("tool.*", "x").view(Contexts.of("llm.model"), ConditionScope.NONE).context();
    assertThat(node.unmet(view(node, passed)))
        .extracting(Glob::toString)
        .containsExactly("llm.model");
  }
}
