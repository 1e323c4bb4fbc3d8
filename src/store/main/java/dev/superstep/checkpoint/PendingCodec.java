package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.ChannelSize;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Dispatch;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Writes and reads pending activations, dispatches with their input, armed joins, and the origins
/// of the activations.
final class PendingCodec {
  private PendingCodec() {}

  public static Value write(Pending pending) {
    var origins = new OriginsWriter(pending.origins());
    var out =
        new ObjectWriter()
            .unlessEmpty("next", pending.activations(), it -> write(it, origins))
            .unlessEmpty("joins", joins(pending.arrivals()))
            .unless(0, "sent", pending.dispatched())
            .unlessEmpty("tried", tried(pending.tried()))
            .unlessEmpty("spent", UsageCodec.write(pending.spent()))
            .unlessEmpty("cached", UsageCodec.writeCached(pending.spent()))
            .unlessEmpty("outcomes", pending.outcomes())
            .unlessEmpty("policies", policies(pending.activations()));
    if (pending.ended()) {
      out.put("ended", Value.TRUE);
    }
    origins.writeRest(out);
    return out.value();
  }

  public static Pending read(Value value) {
    var in = StoredObject.reader(value);
    var policies = in.objectOrEmpty("policies");
    var activations = in.list("next", it -> readActivation(it, policies));
    var origins = new OriginsReader(in);
    var stored = in.list("next", it -> it);
    for (int i = 0; i < activations.size(); i++) {
      origins.read(activations.get(i), stored.get(i));
    }
    return new Pending(
        activations,
        readJoins(in.objectOrEmpty("joins")),
        in.has("ended"),
        in.integerOr(0, "sent"),
        readTried(in.objectOrEmpty("tried")),
        origins.origins(),
        UsageCodec.readSpending(in.objectOrEmpty("spent"), in.objectOrEmpty("cached")),
        in.objectOrEmpty("outcomes"));
  }

  /// The policies that came with dispatches, once for each task that has sent some.
  private static ObjectValue policies(List<Activation> activations) {
    var policies = new HashMap<String, Value>(0);
    for (var activation : activations) {
      if (activation instanceof Activation.Sent(var dispatch)) {
        var by = dispatch.by();
        var policy = dispatch.policy();
        if (by != null && policy != null) {
          policies.computeIfAbsent(by.toString(), _ -> DispatchPolicyCodec.write(policy));
        }
      }
    }
    return ObjectValue.of(policies);
  }

  private static ObjectValue tried(Map<String, ChannelSize> sizes) {
    if (sizes.isEmpty()) {
      return ObjectValue.empty();
    }
    var tried = ObjectValue.builder();
    sizes.forEach((channel, size) ->
        tried.put(channel, ListValue.of(Value.of(size.messages()), Value.of(size.tokens()))));
    return tried.build();
  }

  private static Map<String, ChannelSize> readTried(ObjectValue tried) {
    if (tried.isEmpty()) {
      return Map.of();
    }
    var sizes = new HashMap<String, ChannelSize>();
    var in = new ObjectReader(tried);
    for (var channel : tried.asMap().keySet()) {
      var size = in.list(channel, ObjectReader::integer);
      sizes.put(channel, new ChannelSize(size.get(0), size.get(1)));
    }
    return sizes;
  }

  private static Value write(Activation activation, OriginsWriter origins) {
    return switch (activation) {
      case Activation.Plain(var node) -> {
        var by = origins.to(activation);
        yield by.isEmpty()
            ? Value.of(node.value())
            : new ObjectWriter().put("n", node.value()).put(OriginsWriter.BY, by).value();
      }
      case Activation.Sent(var dispatch) -> {
        var out =
            new ObjectWriter()
                .put("n", dispatch.node().value())
                .put("id", dispatch.id())
                .unlessEmpty("in", dispatch.input())
                .unlessEmpty("meta", dispatch.metadata());
        if (dispatch.by() != null) {
          out.put("sent_by", dispatch.by().toString());
        }
        var by = origins.to(activation);
        yield by.isEmpty() ? out.value() : out.put(OriginsWriter.BY, by).value();
      }
    };
  }

  private static Activation readActivation(Value value, ObjectValue policies) {
    if (value instanceof Value.Text(var node)) {
      return new Activation.Plain(new NodeId(node));
    }
    var in = StoredObject.reader(value);
    var node = new NodeId(in.text("n"));
    var by = in.textOrNull("sent_by");
    var policy = by == null ? null : policies.get(by);
    return in.has("id")
        ? new Activation.Sent(
            new Dispatch(
                in.text("id"),
                node,
                in.objectOrEmpty("in"),
                in.objectOrEmpty("meta"),
                readTask(by),
                policy == null ? null : DispatchPolicyCodec.read(policy)))
        : new Activation.Plain(node);
  }

  private static @Nullable TaskKey readTask(@Nullable String text) {
    if (text == null) {
      return null;
    }
    var parts = text.split(":", 3);
    return new TaskKey(
        Integer.parseInt(parts[0]), new NodeId(parts[1]), parts.length == 3 ? parts[2] : null);
  }

  private static ObjectValue joins(Map<String, Set<NodeId>> arrivals) {
    var joins = new TreeMap<String, Value>();
    arrivals.forEach((edge, sources) ->
        joins.put(
            edge,
            ListValue.of(sources.stream().sorted().map(it -> Value.of(it.value())).toList())));
    return ObjectValue.of(joins);
  }

  private static Map<String, Set<NodeId>> readJoins(ObjectValue joins) {
    var arrivals = new HashMap<String, Set<NodeId>>();
    var in = new ObjectReader(joins);
    joins
        .asMap()
        .keySet()
        .forEach(edge ->
            arrivals.put(
                edge,
                in.list(edge, it -> new NodeId(ObjectReader.text(it))).stream()
                    .collect(Collectors.toUnmodifiableSet())));
    return arrivals;
  }
}
