package dev.superstep.state.value;

import java.util.Iterator;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The members of an object, ordered by key. Immutable; small ones are arrays, large ones a tree.
sealed interface Members permits SortedArrays, TreeMembers {
  /// Up to here, copying arrays beats walking a tree (ADR 10).
  int SMALL = 32;

  int size();

  @Nullable Value value(String key);

  Members with(String key, Value value);

  /// These members without `key`, which is there.
  Members without(String key);

  void each(BiConsumer<String, Value> action);

  Iterator<Map.Entry<String, Value>> entries();
}
