package dev.superstep.state.value;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A persistent map from string to `V`, ordered by code point: a weight-balanced tree (Adams 1993,
/// with the parameters 3 and 2 of Hirai and Yamamoto 2011). Reading and changing cost O(log n);
/// versions share all but the changed path.
public final class SortedTree<V> implements Iterable<Map.Entry<String, V>> {
  private static final int DELTA = 3;
  private static final int RATIO = 2;
  private final @Nullable Branch<V> root;

  private record Branch<V>(
      String key, V value, @Nullable Branch<V> left, @Nullable Branch<V> right, int size) {
    Branch(String key, V value, @Nullable Branch<V> left, @Nullable Branch<V> right) {
      this(key, value, left, right, weight(left) + weight(right) + 1);
    }
  }

  private SortedTree(@Nullable Branch<V> root) {
    this.root = root;
  }

  public static <V> SortedTree<V> empty() {
    return new SortedTree<>(null);
  }

  /// @param keys in order, without doubles
  static <V> SortedTree<V> ofSorted(String[] keys, V[] values) {
    return new SortedTree<>(built(keys, values, 0, keys.length));
  }

  int size() {
    return weight(root);
  }

  public @Nullable V get(String key) {
    var at = root;
    while (at != null) {
      int order = Canonical.KEYS.compare(key, at.key);
      if (order == 0) {
        return at.value;
      }
      at = order < 0 ? at.left : at.right;
    }
    return null;
  }

  public SortedTree<V> with(String key, V value) {
    return new SortedTree<>(put(root, key, value));
  }

  SortedTree<V> without(String key) {
    return new SortedTree<>(removed(root, key));
  }

  void each(BiConsumer<? super String, ? super V> action) {
    visit(root, action);
  }

  @Override
  public Iterator<Map.Entry<String, V>> iterator() {
    return new InOrder<>(root);
  }

  private static int weight(@Nullable Branch<?> branch) {
    return branch == null ? 0 : branch.size;
  }

  private static <V> void visit(
      @Nullable Branch<V> branch, BiConsumer<? super String, ? super V> action) {
    if (branch != null) {
      visit(branch.left, action);
      action.accept(branch.key, branch.value);
      visit(branch.right, action);
    }
  }

  private static <V> @Nullable Branch<V> built(String[] keys, V[] values, int from, int to) {
    if (from == to) {
      return null;
    }
    int middle = (from + to) >>> 1;
    return new Branch<>(
        keys[middle],
        values[middle],
        built(keys, values, from, middle),
        built(keys, values, middle + 1, to));
  }

  private static <V> Branch<V> put(@Nullable Branch<V> at, String key, V value) {
    if (at == null) {
      return new Branch<>(key, value, null, null, 1);
    }
    int order = Canonical.KEYS.compare(key, at.key);
    if (order == 0) {
      return new Branch<>(at.key, value, at.left, at.right, at.size);
    }
    return order < 0
        ? balanced(at, put(at.left, key, value), at.right)
        : balanced(at, at.left, put(at.right, key, value));
  }

  private static <V> @Nullable Branch<V> removed(@Nullable Branch<V> at, String key) {
    if (at == null) {
      return null;
    }
    int order = Canonical.KEYS.compare(key, at.key);
    if (order < 0) {
      return balanced(at, removed(at.left, key), at.right);
    }
    if (order > 0) {
      return balanced(at, at.left, removed(at.right, key));
    }
    return glued(at.left, at.right);
  }

  private static <V> @Nullable Branch<V> glued(
      @Nullable Branch<V> left, @Nullable Branch<V> right) {
    if (left == null) {
      return right;
    }
    if (right == null) {
      return left;
    }
    if (left.size > right.size) {
      var last = left;
      while (last.right != null) {
        last = last.right;
      }
      return balanced(last, removed(left, last.key), right);
    }
    var first = right;
    while (first.left != null) {
      first = first.left;
    }
    return balanced(first, left, removed(right, first.key));
  }

  /// The entry of `at` over subtrees of which one has just gained or lost an entry.
  private static <V> Branch<V> balanced(
      Branch<V> at, @Nullable Branch<V> left, @Nullable Branch<V> right) {
    int leftSize = weight(left);
    int rightSize = weight(right);
    if (leftSize + rightSize > 1) {
      if (right != null && rightSize > DELTA * leftSize) {
        return rotatedLeft(at, left, right);
      }
      if (left != null && leftSize > DELTA * rightSize) {
        return rotatedRight(at, left, right);
      }
    }
    return new Branch<>(at.key, at.value, left, right, leftSize + rightSize + 1);
  }

  private static <V> Branch<V> rotatedLeft(
      Branch<V> at, @Nullable Branch<V> left, Branch<V> right) {
    var inner = right.left;
    if (inner == null || inner.size < RATIO * weight(right.right)) {
      return new Branch<>(
          right.key, right.value, new Branch<>(at.key, at.value, left, inner), right.right);
    }
    return new Branch<>(
        inner.key,
        inner.value,
        new Branch<>(at.key, at.value, left, inner.left),
        new Branch<>(right.key, right.value, inner.right, right.right));
  }

  private static <V> Branch<V> rotatedRight(
      Branch<V> at, Branch<V> left, @Nullable Branch<V> right) {
    var inner = left.right;
    if (inner == null || inner.size < RATIO * weight(left.left)) {
      return new Branch<>(
          left.key, left.value, left.left, new Branch<>(at.key, at.value, inner, right));
    }
    return new Branch<>(
        inner.key,
        inner.value,
        new Branch<>(left.key, left.value, left.left, inner.left),
        new Branch<>(at.key, at.value, inner.right, right));
  }

  private static final class InOrder<V> implements Iterator<Map.Entry<String, V>> {
    private final Deque<Branch<V>> open = new ArrayDeque<>();

    private InOrder(@Nullable Branch<V> root) {
      descend(root);
    }

    private void descend(@Nullable Branch<V> from) {
      for (var at = from; at != null; at = at.left) {
        open.push(at);
      }
    }

    @Override
    public boolean hasNext() {
      return !open.isEmpty();
    }

    @Override
    public Map.Entry<String, V> next() {
      var at = open.pop();
      descend(at.right);
      return Map.entry(at.key, at.value);
    }
  }
}
