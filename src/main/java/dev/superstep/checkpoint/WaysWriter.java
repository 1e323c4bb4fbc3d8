package dev.superstep.checkpoint;

import dev.superstep.engine.Activation;
import dev.superstep.engine.PassedContext;
import dev.superstep.engine.PassedContext.Piece;
import dev.superstep.engine.TaskKey;
import dev.superstep.engine.Way;
import dev.superstep.engine.Ways;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Writes the ways that led to pending activations: edge ids beside each of them and, in mode
/// `chain`, the tasks they come from, each written once, with what it has passed on.
final class WaysWriter {
  static final String BY = "by";
  static final String FROM = "from";
  static final String ARRIVED = "came";

  private final Ways ways;
  private final Map<TaskKey, Integer> sources = new LinkedHashMap<>();

  WaysWriter(Ways ways) {
    this.ways = ways;
  }

  /// The ways to one activation: `edge` or `[edge, source]` each.
  ListValue to(Activation activation) {
    if (ways.isNone()) {
      return ListValue.empty();
    }
    var known = ways.to().getOrDefault(Ways.To.of(activation), List.of());
    return ListValue.of(known.stream().map(this::write).toList());
  }

  private Value write(Way way) {
    var source = way.source();
    var edge = Value.of(way.edge());
    return source == null ? edge : ListValue.of(edge, place(source));
  }

  private Value place(TaskKey source) {
    return Value.of((long) sources.computeIfAbsent(source, _ -> sources.size()));
  }

  /// What stands beside the activations; to be written after all of them.
  void writeRest(ObjectWriter out) {
    if (!ways.arrived().isEmpty()) {
      var arrived = new TreeMap<String, Value>();
      new TreeMap<>(ways.arrived())
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
    var passed = ways.passed().get(task);
    if (passed != null) {
      out.put("h", ListValue.of(passed.history().stream().map(WaysWriter::piece).toList()));
      part("v", passed.variables(), out);
      part("m", passed.metadata(), out);
    }
    return out.value();
  }

  private static void part(String key, PassedContext.Part part, ObjectWriter out) {
    out.unlessEmpty(key + "-", part.without(), Value::of).unlessEmpty(key + "+", part.with());
  }

  private static Value piece(Piece piece) {
    return switch (piece) {
      case Piece.Range(int from, int to) -> ListValue.of(Value.of(from), Value.of(to));
      case Piece.Changed(var entry, var time) ->
          new ObjectWriter().put("e", entry).put("t", time).value();
    };
  }
}
