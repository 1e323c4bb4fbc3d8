package dev.superstep.expression;

import dev.superstep.expression.ValueType.KnownMembers;
import dev.superstep.expression.ValueType.ListOf;
import dev.superstep.expression.ValueType.ObjectOf;
import dev.superstep.expression.ValueType.Simple;
import dev.superstep.expression.ValueType.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Collects the dispatches that one expression makes.
final class Sends {
  private static final Set<String> KEYS = Set.of("node", "input", "id", "metadata");
  private static final int FOUND_MAX = 100;

  private final List<Send> found = new ArrayList<>();
  private boolean complete = true;

  /// All of them; empty: there may be others, to any node.
  public Optional<List<Send>> all() {
    return complete ? Optional.of(List.copyOf(found)) : Optional.empty();
  }

  /// There may be dispatches that cannot be seen.
  void others() {
    complete = false;
  }

  /// @param types of the arguments
  void called(String function, List<ValueType> types) {
    if (types.isEmpty()) {
      return;
    }
    switch (function) {
      case "dispatch" -> add(types.getFirst(), types.size() > 1 ? types.get(1) : Simple.NULL);
      case "fan_out" -> add(types.getFirst(), types.size() > 1 ? item(types) : Simple.ANY);
      default -> {}
    }
  }

  private static ValueType item(List<ValueType> types) {
    var item = types.get(1) instanceof ListOf(var it) ? it : Simple.ANY;
    if (types.size() == 2) {
      return item;
    }
    return types.get(2) instanceof Text(var keys) && keys.size() == 1
        ? ValueTypes.closed(Map.of(keys.getFirst(), item))
        : ValueTypes.OBJECT;
  }

  /// An object written out is a dispatch if it looks like one.
  void written(ObjectOf object) {
    var fields = object.fields();
    if (object.members() == KnownMembers.CLOSED
        && fields.containsKey("node")
        && KEYS.containsAll(fields.keySet())) {
      add(fields.get("node"), fields.getOrDefault("input", Simple.NULL));
    }
  }

  private void add(ValueType node, ValueType input) {
    if (node instanceof Text(var names) && !names.isEmpty() && found.size() < FOUND_MAX) {
      names.forEach(it -> found.add(new Send(it, input)));
    } else {
      complete = false;
    }
  }
}
