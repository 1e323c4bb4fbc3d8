package dev.superstep.definition.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.context.ConditionScope;
import dev.superstep.context.ContextFilter;
import dev.superstep.context.DefaultBehavior;
import dev.superstep.context.EdgeContextFilter;
import dev.superstep.context.FilterRule;
import dev.superstep.context.NodeContext;
import dev.superstep.context.PromptContext;
import dev.superstep.definition.TestNodeTypes;
import dev.superstep.engine.ContextPlan;
import dev.superstep.engine.ContextPlan.EdgeRule;
import dev.superstep.engine.ContextPlan.PlanMode;
import dev.superstep.engine.ContextPlan.Unfit;
import dev.superstep.graph.NodeId;
import dev.superstep.json.Json;
import dev.superstep.json.Yaml;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What definitions say about the prompt context (P8–P13, P18, P19). Wrong ones are in
/// `malformed.txt`.
class ContextRulesTests {
  /// Section 6.1 of the seed within a graph.
  private static final Path SEED = Path.of("src/language/test/resources/definitions/seed-4.yaml");

  private static ReadResult read(String yaml) {
    return TestNodeTypes.READER.read(Yaml.read(yaml));
  }

  private static ContextPlan plan(String yaml) {
    var readResult = read(yaml);
    assertThat(readResult.errors()).isEmpty();
    return readResult.graphPlan().orElseThrow().program().contexts();
  }

  private static NodeContext node(ContextPlan plan, String id) {
    var node = plan.nodes().get(new NodeId(id));
    assertThat(node).isNotNull();
    return node;
  }

  private static EdgeRule edge(ContextPlan plan, String id) {
    var edge = plan.edges().get(id);
    assertThat(edge).isNotNull();
    return edge;
  }

  private static String keys(NodeContext node, String variables) {
    var context =
        new PromptContext(
            "t",
            (ObjectValue) Json.read(variables),
            ListValue.empty(),
            ListValue.empty(),
            ObjectValue.empty());
    var seen = node.view(context, ConditionScope.NONE).context().variables();
    return String.join(" ", seen.asMap().keySet());
  }

  /// P19, S4-24: the fragments of the seed load as they are written there, `===` included.
  @Test
  void loadsTheFragmentsOfTheSeedAsWritten() throws IOException {
    var plan = plan(Files.readString(SEED));

    assertThat(node(plan, "llm_node_1").type().key()).isEqualTo("llm_context");
    assertThat(node(plan, "llm_node_1").filter().orElseThrow())
        .isEqualTo(
            ContextFilter.of(
                List.of(FilterRule.include("llm.*"), FilterRule.exclude("tool.*")),
                DefaultBehavior.BLOCK));
    assertThat(node(plan, "tool_node_1").type().key()).isEqualTo("tool_context");
    assertThat(edge(plan, "edge_1").context().filter())
        .isEqualTo(
            new EdgeContextFilter.Selective(
                EdgeContextFilter.Patterns.of(List.of("relevant.*"), List.of("internal.*"))));
    assertThat(edge(plan, "edge_2").context().filter())
        .isInstanceOfSatisfying(
            EdgeContextFilter.Conditional.class,
            it -> assertThat(it.condition().source()).isEqualTo("context.priority === 'high'"));
  }

  /// S4-16, S4-17, S4-18, P9: the configurations 4.1 of the seed are what nodes do by default.
  @Test
  void givesNodesTheDefaultsOfTheSeed() {
    var plan =
        plan(
            """
            name: g
            context: {template: t}
            nodes:
              - {id: model, type: llm}
              - {id: call, type: tool}
              - {id: decide, type: router}
            edges:
              - {from: __start__, to: [model, call, decide]}
            """);
    var all = "{\"llm.a\": 1, \"prompt.a\": 1, \"tool.a\": 1, \"function.a\": 1, \"x\": 1}";

    assertThat(keys(node(plan, "model"), all)).isEqualTo("llm.a prompt.a");
    assertThat(keys(node(plan, "call"), all)).isEqualTo("function.a tool.a");
    assertThat(keys(node(plan, "decide"), all)).isEqualTo("function.a llm.a prompt.a tool.a x");
  }

  /// S4-10, S4-19, P10: sequence and conditional edges pass everything, error edges what is about
  /// errors; the seed's conditional filter works when it is written out.
  @Test
  void givesEdgesTheirDefaults() {
    var plan =
        plan(
            """
            name: g
            context: {template: t}
            nodes:
              - {id: a, type: router}
              - {id: b, type: router}
            edges:
              - {id: plain, from: __start__, to: a}
              - {id: maybe, from: a, to: b, type: conditional}
              - {id: failed, from: a, to: b, type: error}
              - id: written
                from: a
                to: b
                context_filter:
                  type: conditional
                  condition: "context.relevant === true"
                  include_patterns: ["relevant.*"]
                  exclude_patterns: ["irrelevant.*"]
            """);

    assertThat(edge(plan, "plain").context().isTransparent()).isTrue();
    assertThat(edge(plan, "maybe").context().isTransparent()).isTrue();
    assertThat(edge(plan, "failed").context().isTransparent()).isFalse();
    assertThat(edge(plan, "written").context().isTransparent()).isFalse();
  }

  /// P12, P13, S4-13: a compiled graph holds the filters of its nodes and edges by id.
  @Test
  void readsTheModeAndWhatEdgesDoWithUnfitTargets() {
    var plan =
        plan(
            """
            name: g
            context: {mode: chain}
            nodes:
              - {id: a, type: router}
              - {id: b, type: router, required_context: ["user.*"]}
            edges:
              - {from: __start__, to: a}
              - {from: a, to: b, on_incompatible: skip}
            """);

    assertThat(plan.mode()).isEqualTo(PlanMode.CHAIN);
    assertThat(edge(plan, "a->b").unfit()).isEqualTo(Unfit.SKIPPED);
    assertThat(ContextPlan.requires(node(plan, "b"))).isTrue();
  }

  /// P2: any key about prompt contexts makes the graph keep one.
  @Test
  void keepsAContextForEveryKeyThatIsAboutOne() {
    var graph =
        """
        name: g
        nodes:
          - {id: a, type: router%s}
          - {id: b, type: router}
        edges:
          - {from: __start__, to: a}
          - {from: a, to: b%s}
        """;
    assertThat(keeps(graph.formatted("", ""))).isFalse();
    assertThat(keeps(graph.formatted(", context_type: isolate", ""))).isTrue();
    assertThat(keeps(graph.formatted(", required_context: [a]", ""))).isTrue();
    assertThat(keeps(graph.formatted("", ", context_filter: {type: pass_none}"))).isTrue();
  }

  private static boolean keeps(String yaml) {
    return read(yaml).graphPlan().orElseThrow().program().graph().settings().keepsContext();
  }

  /// P18: what is allowed and does nothing is a warning with a pointer.
  @Test
  void warnsOfRulesWithoutEffect() {
    var readResult =
        read(
            """
            name: g
            nodes:
              - {id: a, type: router, context_filter: {rules: [{type: include, pattern: a.*}]}}
              - {id: b, type: router}
            edges:
              - {from: __start__, to: a}
              - {from: a, to: b, on_incompatible: skip}
            """);

    assertThat(readResult.errors()).isEmpty();
    assertThat(readResult.warnings())
        .extracting(it -> it.code() + it.pointer())
        .contains("no_effect/nodes/0/context_filter/rules/0", "no_effect/edges/1/on_incompatible");
  }

  private static List<String> unseen(String template, String node) {
    var readResult =
        read(
            """
            name: g
            context:
              template: "%s"
              variables: {role: clerk, prompt: {tone: dry}}
              metadata: {tenant: acme}
            nodes: [{id: a, type: llm%s}]
            edges: [{from: __start__, to: a}]
            """
                .formatted(template, node));
    assertThat(readResult.errors()).isEmpty();
    return readResult.warnings().stream()
        .filter(it -> it.code().equals("unseen_variable"))
        .map(it -> it.pointer() + " " + it.message())
        .toList();
  }

  /// P9, S4-16: the template opens nothing that the filter of its node closes; a variable that
  /// cannot be seen is named when the definition is posted, and what to do about it.
  @Test
  void warnsOfVariablesThatATemplateNamesAndNoModelSees() {
    assertThat(unseen("You are {{ variables.role }}.", ""))
        .singleElement()
        .asString()
        .startsWith("/context/template node 'a' never sees 'role'")
        .contains("call it prompt.role");
    assertThat(unseen("{{ context.role }}", "")).hasSize(1);
    assertThat(unseen("{{ variables['role'] }}", "")).hasSize(1);
    assertThat(unseen("{{ context.role }} {{ variables['role'] }}", "")).as("once").hasSize(1);
    assertThat(unseen("{{ variables.prompt.tone }}", ""))
        .singleElement()
        .asString()
        .contains("variables['prompt.tone']");
  }

  /// P9: what a node sees, or may see, is no cause for a warning; nor is a template that it does
  /// not use.
  @Test
  void doesNotWarnOfWhatAModelMaySee() {
    assertThat(unseen("{{ variables['prompt.tone'] }} {{ context.prompt.tone }}", "")).isEmpty();
    assertThat(unseen("{{ context.tenant }} variables.role", "")).isEmpty();
    assertThat(unseen("{{ variables.role }}", ", context_type: pass_through")).isEmpty();
    assertThat(unseen("{{ variables.role }}", ", config: {system: hello}")).isEmpty();
    assertThat(
            unseen(
                "{{ variables.role }}",
                ", context_type: pass_through, context_filter: {default_behavior: block, rules:"
                    + " [{type: include, pattern: role, condition: state.go}]}"))
        .isEmpty();
  }
}
