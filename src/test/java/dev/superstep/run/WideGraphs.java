package dev.superstep.run;

import static dev.superstep.run.TestGraphs.graph;

import dev.superstep.engine.DispatchRequest;
import dev.superstep.engine.NodeCall;
import dev.superstep.engine.NodeResult;
import dev.superstep.engine.NodeRunner;
import dev.superstep.engine.Outcome;
import dev.superstep.graph.Node;
import dev.superstep.state.Change;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.List;
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
