package dev.superstep.node;

import dev.superstep.definition.FunctionSource;
import dev.superstep.state.MergeFunction;
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
  public List<FunctionDescription> functions() {
    return Stream.of(
            nodes.entrySet().stream().map(it -> describe(it.getKey(), it.getValue())),
            merges.keySet().stream().map(NodeFunctions::describeMerge),
            summaries.entrySet().stream().map(it -> describe(it.getKey(), it.getValue())))
        .flatMap(it -> it)
        .toList();
  }

  private static FunctionDescription describe(String name, NodeFunction function) {
    return new FunctionDescription(
        name,
        "node",
        function.description(),
        function.pure() ? Purity.PURE : Purity.EFFECTFUL,
        function.argumentsSchema());
  }

  private static FunctionDescription describe(String name, SummaryFunction function) {
    return new FunctionDescription(
        name, "summary", function.description(), Purity.EFFECTFUL, function.argumentsSchema());
  }

  private static FunctionDescription describeMerge(String name) {
    return new FunctionDescription(
        name, "merge", "Merges two values of a channel.", Purity.PURE, ObjectValue.empty());
  }
}
