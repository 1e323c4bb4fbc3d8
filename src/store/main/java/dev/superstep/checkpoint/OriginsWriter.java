package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.checkpoint.ActivationOrigins;
import dev.superstep.engine.checkpoint.ContextDelta;
import dev.superstep.engine.checkpoint.ContextDelta.DeltaPiece;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Writes the origins of pending activations: edge ids beside each activation and, in mode `chain`,
/// their source tasks, each written once, with what it has passed on.
final class OriginsWriter {
  static final String BY = "by";
  static final String FROM = "from";
  static final String ARRIVED = "came";

  private final ActivationOrigins activationOrigins;
  private final Map<TaskKey, Integer> sources = new LinkedHashMap<>();

  OriginsWriter(ActivationOrigins activationOrigins) {
    this.activationOrigins = activationOrigins;
  }

  /// The origins of one activation: `edge` or `[edge, source]` each.
  ListValue to(Activation activation) {
    if (activationOrigins.isNone()) {
      return ListValue.empty();
    }
    var known = activationOrigins.to().getOrDefault(ActivationOrigins.To.of(activation), List.of());
    return ListValue.of(known.stream().map(this::write).toList());
  }

  private Value write(ActivationOrigin activationOrigin) {
    var source = activationOrigin.source();
    var edge = Value.of(activationOrigin.edge());
    return source == null ? edge : ListValue.of(edge, place(source));
  }

  private Value place(TaskKey source) {
    return Value.of((long) sources.computeIfAbsent(source, _ -> sources.size()));
  }

  /// Writes the source tasks; to be called after all activations.
  void writeRest(ObjectWriter out) {
    if (!activationOrigins.arrived().isEmpty()) {
      var arrived = new TreeMap<String, Value>();
      new TreeMap<>(activationOrigins.arrived())
          .forEach((edge, tasks) ->
              arrived.put(edge, ListValue.of(tasks.stream().map(this::place).toList())));
      out.put(ARRIVED, ObjectValue.of(arrived));
    }
    out.unlessEmpty(FROM, sources.keySet(), this::source);
  }

  private Value source(TaskKey task) {
    var out =
        new ObjectWriter()
            .put("n", task.node().value())
            .put("s", task.superstep())
            .unlessNull("d", task.dispatchId());
    var passed = activationOrigins.passed().get(task);
    if (passed != null) {
      out.put("h", ListValue.of(passed.history().stream().map(OriginsWriter::piece).toList()));
      part("v", passed.variables(), out);
      part("m", passed.metadata(), out);
    }
    return out.value();
  }

  private static void part(String key, ContextDelta.MemberChange part, ObjectWriter out) {
    out.unlessEmpty(key + "-", part.without(), Value::of).unlessEmpty(key + "+", part.with());
  }

  private static Value piece(DeltaPiece piece) {
    return switch (piece) {
      case DeltaPiece.Range(int from, int to) -> ListValue.of(Value.of(from), Value.of(to));
      case DeltaPiece.Changed(var entry, var time) ->
          new ObjectWriter().put("e", entry).put("t", time).value();
    };
  }
}
