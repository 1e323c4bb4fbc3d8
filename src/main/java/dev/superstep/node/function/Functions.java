package dev.superstep.node.function;

import dev.superstep.definition.FunctionSource;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.MergeFunction;
import dev.superstep.state.ObjectValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The functions of this server by bean name, which Spring keeps unique.
final class Functions implements FunctionSource {
  private final Map<String, NodeFunction> nodes;
  private final Map<String, MergeFunction> merges;

  Functions(Map<String, NodeFunction> nodes, Map<String, MergeFunction> merges) {
    this.nodes = new TreeMap<>(nodes);
    this.merges = new TreeMap<>(merges);
  }

  Optional<NodeFunction> find(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  Set<String> names() {
    return nodes.keySet();
  }

  @Override
  public List<Description> functions() {
    return Stream.concat(
            nodes.entrySet().stream().map(it -> describe(it.getKey(), it.getValue())),
            merges.keySet().stream().map(Functions::describeMerge))
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

  private static Description describeMerge(String name) {
    return new Description(
        name, "merge", "Merges two values of a channel.", Purity.PURE, ObjectValue.empty());
  }
}
