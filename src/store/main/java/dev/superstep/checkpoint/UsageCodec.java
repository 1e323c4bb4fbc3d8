package dev.superstep.checkpoint;

import dev.superstep.engine.run.CachedInput;
import dev.superstep.engine.run.Cost;
import dev.superstep.engine.run.Spending;
import dev.superstep.engine.run.Usage;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/// Writes and reads the usage of models: `[calls, input tokens, output tokens]`, and where a cost
/// is known also `priced calls, "cost"`. What caches have had of the input stands beside it, as
/// `[read, written]`, where a release that does not know it passes it over.
final class UsageCodec {
  private UsageCodec() {}

  static Value write(Usage usage) {
    var calls = Value.of(usage.calls());
    var input = Value.of(usage.inputTokens());
    var output = Value.of(usage.outputTokens());
    var cost = usage.cost();
    return cost.isNothing()
        ? ListValue.of(calls, input, output)
        : ListValue.of(calls, input, output, Value.of(cost.calls()), Value.of(cost.text()));
  }

  static Usage read(Value value) {
    if (value instanceof ListValue list && (list.size() == 3 || list.size() == 5)) {
      return new Usage(
          ObjectReader.integer(list.get(0)),
          ObjectReader.integer(list.get(1)),
          ObjectReader.integer(list.get(2)),
          list.size() == 3 ? Cost.NOTHING : cost(list.get(3), list.get(4)));
    }
    throw new CorruptCheckpointException("usage is three numbers, or five");
  }

  private static Cost cost(Value calls, Value amount) {
    if (amount instanceof Value.Text(var text)) {
      try {
        return new Cost(ObjectReader.integer(calls), new BigDecimal(text));
      } catch (NumberFormatException _) {
        // reported below
      }
    }
    throw new CorruptCheckpointException("a cost is a decimal number");
  }

  static Value write(CachedInput cached) {
    return ListValue.of(Value.of(cached.read()), Value.of(cached.written()));
  }

  static CachedInput readCached(Value value) {
    if (value instanceof ListValue list && list.size() == 2) {
      return new CachedInput(ObjectReader.integer(list.get(0)), ObjectReader.integer(list.get(1)));
    }
    throw new CorruptCheckpointException("cached input is two numbers");
  }

  /// Only of nodes that have used a cache.
  static ObjectValue writeCached(Spending spending) {
    if (spending.nodes().isEmpty()) {
      return ObjectValue.empty();
    }
    var nodes = ObjectValue.builder();
    spending
        .nodes()
        .forEach((node, usage) -> {
          if (!usage.cached().isNothing()) {
            nodes.put(node.value(), write(usage.cached()));
          }
        });
    return nodes.build();
  }

  static ObjectValue write(Spending spending) {
    if (spending.nodes().isEmpty()) {
      return ObjectValue.empty();
    }
    var nodes = ObjectValue.builder();
    spending.nodes().forEach((node, usage) -> nodes.put(node.value(), write(usage)));
    return nodes.build();
  }

  static Spending readSpending(ObjectValue nodes, ObjectValue cached) {
    if (nodes.isEmpty()) {
      return Spending.NOTHING;
    }
    var spent = new HashMap<NodeId, Usage>();
    nodes
        .asMap()
        .forEach((node, usage) -> spent.put(new NodeId(node), read(usage, cached.get(node))));
    return new Spending(spent);
  }

  /// @param cached null: nothing
  static Usage read(Value usage, @Nullable Value cached) {
    return cached == null ? read(usage) : read(usage).with(readCached(cached));
  }
}
