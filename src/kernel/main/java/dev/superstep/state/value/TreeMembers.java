package dev.superstep.state.value;

import java.util.Iterator;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The members of a large object, as a [SortedTree].
record TreeMembers(SortedTree<Value> tree) implements Members {

  @Override
  public int size() {
    return tree.size();
  }

  @Override
  public @Nullable Value value(String key) {
    return tree.get(key);
  }

  @Override
  public Members with(String key, Value value) {
    return new TreeMembers(tree.with(key, value));
  }

  @Override
  public Members without(String key) {
    var rest = tree.without(key);
    if (rest.size() > SMALL / 2) {
      return new TreeMembers(rest);
    }
    var keys = new String[rest.size()];
    var values = new Value[rest.size()];
    int at = 0;
    for (var entry : rest) {
      keys[at] = entry.getKey();
      values[at++] = entry.getValue();
    }
    return new SortedArrays(keys, values);
  }

  @Override
  public void each(BiConsumer<String, Value> action) {
    tree.each(action);
  }

  @Override
  public Iterator<Map.Entry<String, Value>> entries() {
    return tree.iterator();
  }
}
