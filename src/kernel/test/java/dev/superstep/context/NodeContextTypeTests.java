package dev.superstep.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.context.NodeContextType.Standard;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeContextTypeTests {
  private static final PromptContext MIXED =
      Contexts.context(
          Contexts.keys(
              "llm.model",
              "prompt.tone",
              "model.name",
              "tool.name",
              "function.f",
              "user.name",
              "human.answer",
              "input.topic",
              "system.version",
              "config.x",
              "env.home",
              "other"),
          ListValue.of(
              Contexts.entry("think", 1),
              Contexts.entry("search", 2, "tool_call"),
              Contexts.entry("ask", 3, "human_interaction")),
          Contexts.keys("system.id", "config.id", "trace"));

  /// S4-28, the seed's unit test (8.1).
  @Test
  void filtersLlmContextCorrectly() {
    var seen = Standard.LLM_CONTEXT.apply(Contexts.of("llm.model", "tool.name", "system.version"));
    assertThat(seen.variables().has("llm.model")).isTrue();
    assertThat(seen.variables().has("tool.name")).isFalse();
    assertThat(seen.variables().has("system.version")).isFalse();
  }

  /// S4-5, S4-6: all ten can be named, each knows its own name, and there are custom ones.
  @ParameterizedTest
  @EnumSource(Standard.class)
  void isFoundByItsName(Standard type) {
    assertThat(Standard.values()).hasSize(10);
    assertThat(NodeContextType.find(type.key())).contains(type);
    assertThat(NodeContextType.find("custom:" + type.key()))
        .contains(new NodeContextType.Custom(type.key()));
  }

  /// P8
  @ParameterizedTest
  @EnumSource(
      value = Standard.class,
      names = {"PASS_THROUGH", "FILTER_IN", "FILTER_OUT", "TRANSFORM", "MERGE"})
  void passesTheSameInstanceWhereNothingIsFiltered(Standard type) {
    assertThat(type.apply(MIXED)).isSameAs(MIXED);
  }

  /// P8, S4-20, C14, C20: the variables of models, and no tool calls in the history.
  @Test
  void givesModelsTheirVariablesAndNoToolCalls() {
    var seen = Standard.LLM_CONTEXT.apply(MIXED);
    assertThat(Contexts.variables(seen)).containsExactly("llm.model", "model.name", "prompt.tone");
    assertThat(Contexts.ids(seen)).containsExactly("think1", "ask3");
    assertThat(seen.metadata()).isEqualTo(MIXED.metadata());
    assertThat(seen.template()).isEqualTo(MIXED.template());
  }

  /// P8, S4-21: history and metadata whole.
  @Test
  void givesToolsTheirVariables() {
    var seen = Standard.TOOL_CONTEXT.apply(MIXED);
    assertThat(Contexts.variables(seen)).containsExactly("function.f", "tool.name");
    assertThat(seen.history()).isEqualTo(MIXED.history());
    assertThat(seen.metadata()).isEqualTo(MIXED.metadata());
  }

  /// P8
  @Test
  void givesPeopleWhatPeopleSaid() {
    var seen = Standard.HUMAN_CONTEXT.apply(MIXED);
    assertThat(Contexts.variables(seen))
        .containsExactly("human.answer", "input.topic", "user.name");
    assertThat(Contexts.ids(seen)).containsExactly("ask3");
    assertThat(seen.metadata()).isEqualTo(MIXED.metadata());
  }

  /// P8
  @Test
  void givesSystemNodesConfigurationWithoutHistory() {
    var seen = Standard.SYSTEM_CONTEXT.apply(MIXED);
    assertThat(Contexts.variables(seen)).containsExactly("config.x", "env.home", "system.version");
    assertThat(seen.metadata().asMap().keySet()).containsExactly("config.id", "system.id");
    assertThat(seen.history().isEmpty()).isTrue();
    assertThat(seen.times().isEmpty()).isTrue();
  }

  /// P8
  @Test
  void isolatesAllButTheTemplate() {
    var seen = Standard.ISOLATE.apply(MIXED);
    assertThat(seen)
        .isEqualTo(
            new PromptContext(
                "You are.", seen.variables(), seen.history(), seen.times(), seen.metadata()));
    assertThat(Stream.of(seen.variables(), seen.metadata()).allMatch(it -> it.isEmpty())).isTrue();
    assertThat(seen.history().isEmpty()).isTrue();
  }

  /// S4-20: any value of tool_call that is not false, null, 0 or "" marks a tool call.
  @Test
  void takesOnlyTrueMarksForToolCalls() {
    var entry = Contexts.entry("a", 1);
    var history =
        ListValue.of(
            entry.plus("metadata", Contexts.object("tool_call", "")),
            entry.plus("metadata", Contexts.keys().plus("tool_call", Value.of(0))),
            entry.plus("metadata", Contexts.keys().plus("tool_call", Value.FALSE)),
            entry.plus("metadata", Contexts.keys().plus("tool_call", Value.of("yes"))));
    var context = Contexts.context(Contexts.keys(), history, Contexts.keys());
    assertThat(Standard.LLM_CONTEXT.apply(context).history().size()).isEqualTo(3);
    assertThat(Standard.LLM_CONTEXT.apply(context).times().size()).isEqualTo(3);
  }

  /// P9
  @Test
  void hasADefaultForEachNodeType() {
    assertThat(NodeContextType.defaultFor("llm")).isEqualTo(Standard.LLM_CONTEXT);
    assertThat(NodeContextType.defaultFor("tool")).isEqualTo(Standard.TOOL_CONTEXT);
    assertThat(NodeContextType.defaultFor("human")).isEqualTo(Standard.HUMAN_CONTEXT);
    assertThat(NodeContextType.defaultFor("subgraph")).isEqualTo(Standard.ISOLATE);
    for (var type : new String[] {"router", "expression", "function", "http", "worker", "wait"}) {
      assertThat(NodeContextType.defaultFor(type)).isEqualTo(Standard.PASS_THROUGH);
    }
  }
}
