package dev.superstep.node.function;

import dev.superstep.definition.FunctionSource;
import dev.superstep.node.NodeFunction;
import dev.superstep.node.SummaryFunction;
import dev.superstep.state.reducer.MergeFunction;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The functions of this server by bean name, which Spring keeps unique.
final class NodeFunctions implements FunctionSource {
  private final Map<String, NodeFunction> nodes;
  private final Map<String, MergeFunction> merges;
  private final Map<String, SummaryFunction> summaries;

  NodeFunctions(
      Map<String, NodeFunction> nodes,
      Map<String, MergeFunction> merges,
      Map<String, SummaryFunction> summaries) {
    this.nodes = new TreeMap<>(nodes);
    this.merges = new TreeMap<>(merges);
    this.summaries = new TreeMap<>(summaries);
  }

  Optional<NodeFunction> find(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  Set<String> names() {
    return nodes.keySet();
  }

  @Override
  public List<Description> functions() {
    return Stream.of(
            nodes.entrySet().stream().map(it -> describe(it.getKey(), it.getValue())),
            merges.keySet().stream().map(NodeFunctions::describeMerge),
            summaries.entrySet().stream().map(it -> describe(it.getKey(), it.getValue())))
        .flatMap(it -> it)
        .toList();
  }

  private static Description describe(String name, NodeFunction function) {
    return new Description(
        name,
        "node",
        function.description(),
        function.pure() ? Purity.PURE : Purity.EFFECTFUL,
        function.argumentsSchema());
  }

  private static Description describe(String name, SummaryFunction function) {
    return new Description(
        name, "summary", function.description(), Purity.EFFECTFUL, function.argumentsSchema());
  }

  private static Description describeMerge(String name) {
    return new Description(
        name, "merge", "Merges two values of a channel.", Purity.PURE, ObjectValue.empty());
  }
}
