package dev.superstep.state.value;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Few members: keys in order beside their values. Objects that differ in values share the keys.
final class SortedArrays implements Members {
  static final SortedArrays EMPTY = new SortedArrays(new String[0], new Value[0]);

  /// Up to here comparing keys one by one beats searching.
  private static final int SCANNED = 8;

  private final String[] keys;
  private final Value[] values;

  /// @param keys in order, without doubles; the arrays must not change afterwards
  SortedArrays(String[] keys, Value[] values) {
    this.keys = keys;
    this.values = values;
  }

  @Override
  public int size() {
    return keys.length;
  }

  String key(int position) {
    return keys[position];
  }

  Value at(int position) {
    return values[position];
  }

  @Override
  public @Nullable Value value(String key) {
    int position = position(key);
    return position < 0 ? null : values[position];
  }

  @Override
  public Members with(String key, Value value) {
    int position = search(key);
    if (position >= 0) {
      var changed = values.clone();
      changed[position] = value;
      return new SortedArrays(keys, changed);
    }
    int free = -1 - position;
    var moreKeys = new String[keys.length + 1];
    var moreValues = new Value[keys.length + 1];
    System.arraycopy(keys, 0, moreKeys, 0, free);
    System.arraycopy(values, 0, moreValues, 0, free);
    moreKeys[free] = key;
    moreValues[free] = value;
    System.arraycopy(keys, free, moreKeys, free + 1, keys.length - free);
    System.arraycopy(values, free, moreValues, free + 1, keys.length - free);
    return of(moreKeys, moreValues);
  }

  @Override
  public Members without(String key) {
    int position = search(key);
    var lessKeys = new String[keys.length - 1];
    var lessValues = new Value[keys.length - 1];
    System.arraycopy(keys, 0, lessKeys, 0, position);
    System.arraycopy(values, 0, lessValues, 0, position);
    System.arraycopy(keys, position + 1, lessKeys, position, lessKeys.length - position);
    System.arraycopy(values, position + 1, lessValues, position, lessKeys.length - position);
    return new SortedArrays(lessKeys, lessValues);
  }

  /// The members in the form that fits their number.
  static Members of(String[] keys, Value[] values) {
    return keys.length <= SMALL
        ? new SortedArrays(keys, values)
        : new TreeMembers(SortedTree.ofSorted(keys, values));
  }

  @Override
  public void each(BiConsumer<String, Value> action) {
    for (int i = 0; i < keys.length; i++) {
      action.accept(keys[i], values[i]);
    }
  }

  @Override
  public Iterator<Map.Entry<String, Value>> entries() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < keys.length;
      }

      @Override
      public Map.Entry<String, Value> next() {
        if (next >= keys.length) {
          throw new NoSuchElementException();
        }
        return Map.entry(keys[next], values[next++]);
      }
    };
  }

  /// Where the key is, or something negative.
  private int position(String key) {
    if (keys.length > SCANNED) {
      return search(key);
    }
    for (int i = 0; i < keys.length; i++) {
      if (keys[i].equals(key)) {
        return i;
      }
    }
    return -1;
  }

  /// Where the key is, or −1 − where it belongs.
  private int search(String key) {
    int low = 0;
    int high = keys.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Identity.same(keys[middle], key) ? 0 : Canonical.KEYS.compare(keys[middle], key);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1 - low;
  }
}
