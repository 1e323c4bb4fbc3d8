package dev.superstep.context;

import dev.superstep.state.value.Identity;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Handles history entries with their times, which are kept beside them.
record Entries(ListValue history, ListValue times) {
  /// The same instance if all are kept.
  public Entries keep(Predicate<Value> kept) {
    var left = ListValue.builder();
    var leftTimes = ListValue.builder();
    int count = 0;
    int size = history.size();
    int timed = times.size();
    for (int i = 0; i < size; i++) {
      var entry = history.get(i);
      if (kept.test(entry)) {
        count++;
        left.add(entry);
        if (i < timed) {
          leftTimes.add(times.get(i));
        }
      }
    }
    return count == size ? this : new Entries(left.build(), leftTimes.build());
  }

  /// The same instance if none changes.
  public Entries map(UnaryOperator<Value> change) {
    var changed = history;
    for (int i = 0; i < history.size(); i++) {
      changed = changed.with(i, change.apply(history.get(i)));
    }
    return Identity.same(changed, history) ? this : new Entries(changed, times);
  }

  public static String id(Value entry) {
    return text(entry, "id");
  }

  public static String node(Value entry) {
    return text(entry, "node_id");
  }

  static long superstep(Value entry) {
    return ObjectValue.orEmpty(entry).findWhole("superstep").orElse(0L);
  }

  private static String text(Value entry, String key) {
    return ObjectValue.orEmpty(entry).textOrEmpty(key);
  }

  /// Whether the entry's metadata has something under `key` that is not false, null, 0 or "".
  public static boolean isMarked(Value entry, String key) {
    return entry instanceof ObjectValue object
        && object.get("metadata") instanceof ObjectValue metadata
        && isTrue(metadata.getOr(key, Value.NULL));
  }

  private static boolean isTrue(Value value) {
    return switch (value) {
      case Value.Null _ -> false;
      case Value.Bool(var flag) -> flag;
      case Value.Int(var number) -> number != 0;
      case Value.Real(var number) -> number != 0;
      case Value.Text(var text) -> !text.isEmpty();
      case ListValue _, ObjectValue _ -> true;
    };
  }
}
