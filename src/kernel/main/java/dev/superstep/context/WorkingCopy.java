package dev.superstep.context;

import dev.superstep.context.Trace.Reason;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A working copy of variables or metadata while transforms change them.
final class WorkingCopy {
  private final Part part;
  private final Trace trace;
  private final Map<String, Value> values = new LinkedHashMap<>();
  private boolean touched;

  WorkingCopy(ObjectValue members, Part part, Trace trace) {
    this.part = part;
    this.trace = trace;
    values.putAll(members.asMap());
  }

  void apply(TransformPipeline.Op op) {
    var matched =
        op.to().isPresent()
            ? rename(op.pattern(), op.to().get(), op.reason())
            : values.keySet().stream().filter(op.pattern()::matches).toList();
    switch (op.call().orElse(null)) {
      case TransformCall.OfValue call ->
          matched.forEach(it -> replace(it, call.apply(value(it)), op.reason()));
      case TransformCall.Default(_, var value) -> fill(matched, value, op);
      case TransformCall.Rename(_, var to) -> rename(op.pattern(), to, op.reason());
      case null -> {}
    }
  }

  private Value value(String key) {
    return values.getOrDefault(key, Value.NULL);
  }

  private void replace(String key, Value value, Reason reason) {
    values.replace(key, value);
    touched = true;
    trace.transformed(part, key, reason);
  }

  private void fill(List<String> matched, Value value, TransformPipeline.Op op) {
    for (var key : matched) {
      if (value(key) instanceof Value.Null) {
        replace(key, value, op.reason());
      }
    }
    var pattern = op.to().orElse(op.pattern().toString());
    if (Glob.of(pattern).isLiteral() && values.putIfAbsent(pattern, value) == null) {
      touched = true;
      trace.added(part, pattern, op.reason());
    }
  }

  /// All matching keys leave before the first one arrives, so that no rule sees its own work.
  ///
  /// @return the keys they have now
  private List<String> rename(Glob pattern, String to, Reason reason) {
    var moves = new LinkedHashMap<String, String>();
    for (var key : values.keySet()) {
      pattern.rename(key, to).ifPresent(it -> moves.put(key, it));
    }
    var moving = new ArrayList<Map.Entry<String, Value>>();
    moves.forEach((from, target) -> moving.add(Map.entry(target, taken(from))));
    for (var move : moving) {
      values.put(move.getKey(), move.getValue());
      touched = true;
    }
    trace.renamed(part, moves, reason);
    return moves.values().stream().distinct().toList();
  }

  private Value taken(String key) {
    return Objects.requireNonNull(values.remove(key));
  }

  /// `before` itself if no transform matched anything.
  ObjectValue or(ObjectValue before) {
    if (!touched) {
      return before;
    }
    return ObjectValue.of(values);
  }
}
