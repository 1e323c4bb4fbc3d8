package dev.superstep.context.transform;

import dev.superstep.context.Glob;
import dev.superstep.context.Part;
import dev.superstep.context.TransformCall;
import dev.superstep.context.trace.Trace;
import dev.superstep.context.trace.Trace.Reason;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// A working copy of variables or metadata while transforms change them.
public final class WorkingCopy {
  private final Part part;
  private final Trace trace;
  private final Map<String, Cell> cells = new LinkedHashMap<>();
  private final Set<String> changed = new HashSet<>();
  private boolean touched;

  WorkingCopy(ObjectValue members, Part part, Trace trace) {
    this.part = part;
    this.trace = trace;
    members.forEach((key, value) -> cells.put(key, new Cell(key, value)));
  }

  /// @param origin the key it had at first; "" if a transform added it
  record Cell(String origin, Value value) {}

  void apply(TransformPipeline.Op op) {
    var matched =
        op.to().isPresent()
            ? rename(op.pattern(), op.to().get(), op.reason())
            : cells.keySet().stream().filter(op.pattern()::matches).toList();
    switch (op.call().orElse(null)) {
      case TransformCall.OfValue call ->
          matched.forEach(it -> replace(it, call.apply(value(it)), op.reason()));
      case TransformCall.Default(_, var value) -> fill(matched, value, op);
      case TransformCall.Rename(_, var to) -> rename(op.pattern(), to, op.reason());
      case null -> {}
    }
  }

  private Value value(String key) {
    var cell = cells.get(key);
    return cell == null ? Value.NULL : cell.value;
  }

  private void replace(String key, Value value, Reason reason) {
    cells.computeIfPresent(key, (_, cell) -> new Cell(cell.origin, value));
    touched = true;
    changed.add(key);
    trace.transformed(part, key, reason);
  }

  private void fill(List<String> matched, Value value, TransformPipeline.Op op) {
    for (var key : matched) {
      if (value(key) instanceof Value.Null) {
        replace(key, value, op.reason());
      }
    }
    var pattern = op.to().orElse(op.pattern().toString());
    if (Glob.of(pattern).isLiteral() && cells.putIfAbsent(pattern, new Cell("", value)) == null) {
      touched = true;
      changed.add(pattern);
      trace.added(part, pattern, op.reason());
    }
  }

  /// All matching keys leave before the first one arrives, so that no rule sees its own work.
  ///
  /// @return the keys they have now
  private List<String> rename(Glob pattern, String to, Reason reason) {
    var moves = new LinkedHashMap<String, String>();
    for (var key : cells.keySet()) {
      pattern.rename(key, to).ifPresent(it -> moves.put(key, it));
    }
    var moving = new ArrayList<Map.Entry<String, Cell>>();
    moves.forEach((from, target) -> moving.add(Map.entry(target, taken(from))));
    for (var move : moving) {
      cells.put(move.getKey(), move.getValue());
      changed.add(move.getKey());
      touched = true;
    }
    trace.renamed(part, moves, reason);
    return moves.values().stream().distinct().toList();
  }

  private Cell taken(String key) {
    return Objects.requireNonNull(cells.remove(key));
  }

  /// What changed, by origin: where it is now and what it is.
  public Map<String, Map.Entry<String, Value>> changes() {
    var changes = new LinkedHashMap<String, Map.Entry<String, Value>>();
    cells.forEach((key, cell) -> {
      if (changed.contains(key)) {
        var origin = cell.origin.isEmpty() ? key : cell.origin;
        changes.put(origin, Map.entry(key, cell.value));
      }
    });
    return changes;
  }

  /// `before` itself if no transform matched anything.
  ObjectValue or(ObjectValue before) {
    if (!touched) {
      return before;
    }
    var members = ObjectValue.builder();
    cells.forEach((key, cell) -> members.put(key, cell.value));
    return members.build();
  }
}
