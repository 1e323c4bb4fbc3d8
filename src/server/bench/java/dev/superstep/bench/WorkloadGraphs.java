package dev.superstep.bench;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The definitions of the workloads.
final class WorkloadGraphs {
  private WorkloadGraphs() {}

  /// W1: `__start__` → n0 → … ; each node adds one message and 1 to the counter.
  ///
  /// @param pure of every node
  static String chain(String name, int nodes, String function, Purity pure) {
    var all = IntStream.range(0, nodes).boxed().toList();
    return """
    name: %s
    channels: { messages: { reducer: append }, counter: { reducer: sum } }
    nodes:
    %s
    edges:
      - { from: __start__, to: n0 }
    %s
    """
        .formatted(
            name,
            all.stream()
                .map(it -> node("n" + it, function, pure))
                .collect(Collectors.joining("\n")),
            all.stream()
                .skip(1)
                .map(it -> "  - { from: n%d, to: n%d }".formatted(it - 1, it))
                .collect(Collectors.joining("\n")));
  }

  /// W2: planner → one worker for each item → join.
  ///
  /// @param pure of the worker
  static String fanOut(String name, String function, Purity pure) {
    return """
    name: %s
    channels: { results: { reducer: append } }
    limits: { max_concurrency: 2000 }
    nodes:
    %s
    %s
    %s
    edges:
      - { from: __start__, to: planner }
      - { from: worker, to: join }
    """
        .formatted(
            name,
            node("planner", "benchPlan"),
            node("worker", function, pure),
            node("join", "benchJoin"));
  }

  /// Whether nodes only compute, so that their results need not be recorded (E10.3) and their
  /// commits may wait for each other, or may call out.
  enum Purity {
    PURE,
    EFFECTFUL
  }

  /// W3: a node with a conditional edge to itself until the counter has reached the limit.
  static String history(String name) {
    return """
    name: %s
    channels: { messages: { reducer: append }, counter: { reducer: sum } }
    limits: { max_supersteps: 1000 }
    nodes:
    %s
    edges:
      - { from: __start__, to: turn }
      - { from: turn, condition: "state.counter < state.limit", to: turn }
    """
        .formatted(name, node("turn", "benchTurn"));
  }

  /// W4: a → ask (interrupt) → b.
  static String question(String name) {
    return """
    name: %s
    channels: { messages: { reducer: append }, counter: { reducer: sum } }
    nodes:
    %s
    %s
    %s
    edges:
      - { from: __start__, to: a }
      - { from: a, to: ask }
      - { from: ask, to: b }
    """
        .formatted(name, node("a", "benchStep"), node("ask", "benchAsk"), node("b", "benchStep"));
  }

  /// W4 without what follows the question: the answered run ends with its next commit.
  static String lastQuestion(String name) {
    return """
    name: %s
    channels: { messages: { reducer: append }, counter: { reducer: sum } }
    nodes:
    %s
    %s
    edges:
      - { from: __start__, to: a }
      - { from: a, to: ask }
    """
        .formatted(name, node("a", "benchStep"), node("ask", "benchAsk"));
  }

  private static String node(String id, String function) {
    return node(id, function, Purity.EFFECTFUL);
  }

  private static String node(String id, String function, Purity pure) {
    return "  - { id: %s, type: function, config: { function: %s, pure: %s } }"
        .formatted(id, function, pure == Purity.PURE);
  }
}
