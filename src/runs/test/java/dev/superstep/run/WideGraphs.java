package dev.superstep.run;

import static dev.superstep.run.TestGraphs.graph;

import dev.superstep.context.ContextCache;
import dev.superstep.context.ContextFilter;
import dev.superstep.context.DefaultBehavior;
import dev.superstep.context.EdgeContext;
import dev.superstep.context.EdgeContextFilter;
import dev.superstep.context.FilterRule;
import dev.superstep.context.NodeContext;
import dev.superstep.context.NodeContextType;
import dev.superstep.context.PromptContext;
import dev.superstep.context.TraceStep;
import dev.superstep.engine.ContextPlan;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// Graphs that fan out: `plan` dispatches `{item: i}` to `work`, and `join` follows.
final class WideGraphs {
  private WideGraphs() {}

  static TestGraphs.Builder fanOut(String name, int width, NodeRunner work) {
    return fanOut(name, width, Node.Policy.DEFAULT, work);
  }

  static TestGraphs.Builder fanOut(String name, int width, Node.Policy policy, NodeRunner work) {
    return graph(name)
        .node("plan", pure(_ -> new Outcome.Done(dispatches(width))))
        .node("work", policy, work)
        .node("join", pure(_ -> TestGraphs.log("joined")))
        .edge("__start__", "plan")
        .edge("work", "join");
  }

  private static NodeResult dispatches(int width) {
    var dispatches =
        IntStream.range(0, width)
            .mapToObj(it ->
                new DispatchRequest(
                    "work", ObjectValue.of("item", Value.of(it)), null, ObjectValue.empty()))
            .toList();
    return new NodeResult(Change.NONE, null, dispatches, ObjectValue.empty(), null, null);
  }

  /// `plan`'s edge dispatches to `work` and holds `tool.*` back, `work` itself `system.*`.
  static TestGraphs.Builder filtered(String name, int width, NodeRunner work) {
    var edge =
        new EdgeContextFilter.Selective(
            EdgeContextFilter.Patterns.of(List.of(), List.of("tool.*")));
    var filter = ContextFilter.of(List.of(FilterRule.exclude("system.*")), DefaultBehavior.PASS);
    var node =
        new NodeContext(
            new NodeContext.Declared(
                NodeContextType.Standard.FILTER_OUT,
                new NodeContext.Own(Optional.of(filter), TraceStep.Stage.FILTER),
                Optional.empty(),
                List.of()),
            ContextCache.NONE);
    var rules =
        Map.of(
            "e0", rule(0, EdgeContext.PASS_ALL),
            "e1", rule(1, new EdgeContext(edge, ContextCache.NONE)));
    return graph(name)
        .node("plan", pure(_ -> new Outcome.Done(NodeResult.NOTHING)))
        .node("work", work)
        .edge("__start__", "plan")
        .route("plan", _ -> items(width))
        .context(
            new PromptContext(
                "template",
                ObjectValue.of("open.x", Value.of(1))
                    .plus("tool.key", Value.of("s3cret"))
                    .plus("system.key", Value.of("s3cret")),
                ListValue.empty(),
                ListValue.empty(),
                ObjectValue.empty()),
            new ContextPlan(
                ContextPlan.PlanMode.VIEW,
                Map.of(new NodeId("work"), node),
                rules,
                dev.superstep.context.HistoryLimit.DEFAULT));
  }

  private static ContextPlan.EdgeRule rule(int place, EdgeContext context) {
    return new ContextPlan.EdgeRule(place, context, ContextPlan.Unfit.TAKEN);
  }

  private static Value items(int width) {
    var items = ListValue.builder();
    for (int i = 0; i < width; i++) {
      items.add(ObjectValue.of("node", Value.of("work")));
    }
    return items.build();
  }

  /// A node that is not worth shipping.
  static NodeRunner pure(NodeRunner runner) {
    return new NodeRunner() {
      @Override
      public Outcome run(NodeCall call) throws Exception {
        return runner.run(call);
      }

      @Override
      public boolean pure() {
        return true;
      }
    };
  }

  static int item(NodeCall call) {
    return call.task().input() instanceof ObjectValue input
            && input.get("item") instanceof Value.Int(var item)
        ? Math.toIntExact(item)
        : -1;
  }

  /// Logs the item and adds 1.
  static Outcome count(NodeCall call) {
    var update = ObjectValue.of("log", Value.of("item " + item(call))).plus("sum", Value.of(1));
    return new Outcome.Done(
        new NodeResult(Change.update(update), null, List.of(), ObjectValue.empty(), null, null));
  }

  static List<String> logged(int width) {
    return IntStream.rangeClosed(0, width)
        .mapToObj(it -> it == width ? "joined" : "item " + it)
        .toList();
  }
}
