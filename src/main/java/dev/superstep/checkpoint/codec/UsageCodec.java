package dev.superstep.checkpoint.codec;

import dev.superstep.checkpoint.CorruptCheckpointException;
import dev.superstep.engine.budget.Spending;
import dev.superstep.engine.budget.Usage;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashMap;

/// Writes and reads the usage of models: `[calls, input tokens, output tokens]`.
final class UsageCodec {
  private UsageCodec() {}

  static Value write(Usage usage) {
    return ListValue.of(
        Value.of(usage.calls()), Value.of(usage.inputTokens()), Value.of(usage.outputTokens()));
  }

  static Usage read(Value value) {
    if (value instanceof ListValue list && list.size() == 3) {
      return new Usage(
          ObjectReader.integer(list.get(0)),
          ObjectReader.integer(list.get(1)),
          ObjectReader.integer(list.get(2)));
    }
    throw new CorruptCheckpointException("usage is three numbers");
  }

  static ObjectValue write(Spending spending) {
    if (spending.nodes().isEmpty()) {
      return ObjectValue.empty();
    }
    var nodes = ObjectValue.builder();
    spending.nodes().forEach((node, usage) -> nodes.put(node.value(), write(usage)));
    return nodes.build();
  }

  static Spending readSpending(ObjectValue nodes) {
    if (nodes.isEmpty()) {
      return Spending.NOTHING;
    }
    var spent = new HashMap<NodeId, Usage>();
    nodes.asMap().forEach((node, usage) -> spent.put(new NodeId(node), read(usage)));
    return new Spending(spent);
  }
}
