package dev.superstep.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.state.value.ValueText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A node with several context filters (C30).
class SeveralFiltersTests {
  private final CountDownLatch both = new CountDownLatch(2);

  private static ObjectValue json(String text) {
    return (ObjectValue) ValueText.read(text.replace('\'', '"'));
  }

  /// Waits for the other one: they run at the same time, on the same input.
  private JavaContextFilter meeting(String dropped, String marked) {
    return (context, _) -> {
      both.countDown();
      assertThat(both.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(context.variables().has(dropped)).isTrue();
      return new PromptContext(
          context.template(),
          context.variables().minus(dropped).plus("shared", Value.of(marked)),
          context.history(),
          context.times(),
          context.metadata());
    };
  }

  private ContextRuleReader reader() {
    return new ContextRuleReader(
        new ContextLibrary(
            Contexts.CONDITIONS,
            Transforms.BUILT_IN,
            Processors.NONE,
            Map.of(
                "low", meeting("a", "low"),
                "high", meeting("b", "high"),
                "bad",
                    (_, _) -> {
                      throw new IllegalStateException("no luck");
                    }),
            ContextCache.NONE));
  }

  private NodeContext node(String filters) {
    var violations = new Violations();
    var node =
        reader()
            .node(
                json("{'type': 'router', 'context_filters': " + filters + "}"), violations.root());
    assertThat(violations.errors()).isEmpty();
    return node;
  }

  private static PromptContext view(NodeContext node, String... keys) {
    return node.view(Contexts.of(keys), ConditionScope.NONE).context();
  }

  /// P7: one filter of them all; an exclude of any wins, `block` of any blocks, the transform of
  /// the higher priority comes first.
  @Test
  void mergesRuleFiltersByPriority() {
    var node =
        node(
            "[{'rules': [{'type': 'include', 'pattern': 'a*'}, {'type': 'transform', 'pattern':"
                + " 'a1', 'transform': 'prefix(\\\"x\\\")'}], 'default_behavior': 'block'},"
                + " {'rules': [{'type': 'exclude', 'pattern': 'a2'}, {'type': 'transform',"
                + " 'pattern': 'a1', 'transform': 'truncate(1)'}], 'priority': 5}]");

    assertThat(view(node, "a1", "a2", "a3", "b"))
        .extracting(PromptContext::variables)
        .hasToString("{\"a1\":\"xa\",\"a3\":\"a3\"}");
  }

  /// P15, S4-27
  @Test
  void runsJavaFiltersInParallelOnTheInputOfTheRules() {
    var node =
        node(
            """
            [{'type': 'java', 'name': 'low'}, {'rules': [{'type': 'exclude', 'pattern': 'c'}]},
             {'type': 'java', 'name': 'high', 'priority': 2}]
            """);
    var arriving = Contexts.of("a", "b", "c", "d");
    var trace = Trace.of(arriving);

    var seen = node.explain(arriving, ConditionScope.NONE, trace, "n").context();

    assertThat(seen.variables()).isEqualTo(json("{'d': 'd', 'shared': 'high'}"));
    assertThat(
            trace.items().stream()
                .filter(it -> !it.isKept())
                .map(it -> it.key() + " " + it.decision().orElseThrow().rule())
                .toList())
        .containsExactly("a /0", "b /2", "c /1/rules/0");
  }

  /// P15: an entry stays if every filter keeps it, with its time; of those that change it the
  /// highest priority wins.
  @Test
  void joinsTheHistoriesOfJavaFilters() {
    JavaContextFilter low = (context, _) -> history(context, "a", "says low");
    JavaContextFilter high = (context, _) -> history(context, "b", "says high");
    var filters =
        new ParallelFilters(
            List.of(
                new ParallelFilters.One("low", low, ObjectValue.empty(), 1, "/0"),
                new ParallelFilters.One("high", high, ObjectValue.empty(), 2, "/1")));
    var history =
        ListValue.of(
            Contexts.entry("a", 1),
            Contexts.entry("b", 2),
            Contexts.entry("c", 3),
            Contexts.entry("d", 4));
    var context = Contexts.context(ObjectValue.empty(), history, ObjectValue.empty());
    var ruled =
        context.with(
            context.variables(),
            context.metadata(),
            new Entries(history, context.times()).keep(it -> !Entries.id(it).equals("d4")));
    var trace = Trace.of(context);

    var joined = filters.join(context, ruled, 0, trace);

    assertThat(Contexts.ids(joined)).containsExactly("c3");
    assertThat(joined.times()).isEqualTo(ListValue.of(context.times().get(2)));
    assertThat(((ObjectValue) joined.history().get(0)).get("response"))
        .isEqualTo(Value.of("says high"));
    assertThat(
            trace.items().stream()
                .flatMap(it -> it.decision().stream().map(d -> it.key() + " " + d.rule()))
                .toList())
        .containsExactly("a1 /0", "b2 /1");
  }

  /// Without the entry of `node`; all others respond with `says`.
  private static PromptContext history(PromptContext context, String node, String says) {
    return context.with(
        context.variables(),
        context.metadata(),
        new Entries(context.history(), context.times())
            .keep(it -> !Entries.id(it).startsWith(node))
            .map(it -> ((ObjectValue) it).plus("response", Value.of(says))));
  }

  /// A filter that does not answer holds nothing up for longer than its time; it is interrupted.
  @Test
  void failsIfOneDoesNotAnswer() throws InterruptedException {
    var interrupted = new CountDownLatch(1);
    JavaContextFilter mute =
        (context, _) -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
          }
          return context;
        };
    var filters =
        new ParallelFilters(
            List.of(new ParallelFilters.One("mute", mute, ObjectValue.empty(), 0, "/0")),
            Duration.ofMillis(500));
    var context = Contexts.of("a");

    assertThatThrownBy(() -> filters.join(context, context, 0, Trace.OFF))
        .isInstanceOfSatisfying(
            ContextException.class, it -> assertThat(it.code()).isEqualTo("context_filter_failed"))
        .hasMessage("context filter mute has not answered within 500 ms");
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void failsIfOneFails() {
    var node = node("[{'type': 'java', 'name': 'bad'}]");

    assertThatThrownBy(() -> view(node, "a"))
        .isInstanceOfSatisfying(
            ContextException.class, it -> assertThat(it.code()).isEqualTo("context_filter_failed"))
        .hasMessageContaining("context filter bad", "no luck");
  }

  @Test
  void saysWhatIsWrong() {
    var violations = new Violations();
    reader()
        .node(
            json(
                "{'type': 'router', 'context_filters': [{'type': 'java', 'name': 'none'},"
                    + " {'type': 'odd'}, {'type': 'java'}, 7, {'rules': [{'type':"
                    + " 'include'}]}]}"),
            violations.root());

    assertThat(violations.errors())
        .extracting(Violation::pointer)
        .containsExactly(
            "/context_filters/0/name",
            "/context_filters/1/type",
            "/context_filters/2/name",
            "/context_filters/3",
            "/context_filters/4/rules/0/pattern");
  }

  /// S4-9 `supportsContextType`, of the filters of edges.
  @Test
  void knowsWhichTypesAnEdgeSupports() {
    var edge = edge("['tool.*', '*']");
    var tools = edge("['tool.*']");

    assertThat(edge.supportsContextType(NodeContextType.Standard.LLM_CONTEXT)).isTrue();
    assertThat(tools.supportsContextType(NodeContextType.Standard.LLM_CONTEXT)).isFalse();
    assertThat(tools.supportsContextType(NodeContextType.Standard.TOOL_CONTEXT)).isTrue();
    assertThat(tools.supportsContextType(NodeContextType.Standard.PASS_THROUGH)).isTrue();
  }

  private EdgeContext edge(String patterns) {
    return reader()
        .edge(
            json("{'context_filter': {'type': 'selective', 'include_patterns': " + patterns + "}}"),
            new Violations().root());
  }
}
