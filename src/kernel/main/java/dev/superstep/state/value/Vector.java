package dev.superstep.state.value;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/// A persistent sequence: a tree of blocks of 32 with a separate last block. Appending and
/// replacing copy one block per level and share the rest, whichever version they start from.
final class Vector implements Iterable<Value> {
  private static final int BITS = 5;
  private static final int WIDTH = 1 << BITS;
  private static final int MASK = WIDTH - 1;
  private static final Object[] NO_ITEMS = {};
  static final Vector EMPTY = new Vector(0, BITS, NO_ITEMS, NO_ITEMS);

  private final int size;

  /// Bits below the root's: the tree has `shift / BITS` levels above its leaves.
  private final int shift;

  private final Object[] root;
  private final Object[] tail;

  private Vector(int size, int shift, Object[] root, Object[] tail) {
    this.size = size;
    this.shift = shift;
    this.root = root;
    this.tail = tail;
  }

  int size() {
    return size;
  }

  Value get(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("no item %d in a list of %d".formatted(index, size));
    }
    return (Value) block(index)[index & MASK];
  }

  Vector plus(Value item) {
    var room = tail.length == WIDTH ? tailPushed() : this;
    var longer = Arrays.copyOf(room.tail, room.tail.length + 1);
    longer[room.tail.length] = item;
    return new Vector(size + 1, room.shift, room.root, longer);
  }

  Vector plusAll(Vector other) {
    if (size == 0) {
      return other;
    }
    return appendFrom(other, 0, other.size);
  }

  /// This followed by the items of `other` from `from` to `to` (exclusive).
  Vector appendFrom(Vector other, int from, int to) {
    var joined = this;
    for (int at = from; at < to; ) {
      int end = Math.min(to, (at | MASK) + 1);
      joined = joined.append(other.block(at), at & MASK, end - at);
      at = end;
    }
    return joined;
  }

  /// This followed by `count` values of `items`, which must not change afterwards.
  Vector append(Object[] items, int from, int count) {
    var joined = this;
    for (int taken = 0; taken < count; ) {
      int room = WIDTH - joined.tail.length;
      if (room == 0) {
        joined = joined.tailPushed();
        room = WIDTH;
      }
      int block = Math.min(room, count - taken);
      var longer = Arrays.copyOf(joined.tail, joined.tail.length + block);
      System.arraycopy(items, from + taken, longer, joined.tail.length, block);
      joined = new Vector(joined.size + block, joined.shift, joined.root, longer);
      taken += block;
    }
    return joined;
  }

  Vector with(int index, Value item) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("no item %d in a list of %d".formatted(index, size));
    }
    if (index >= tailOffset()) {
      var changed = tail.clone();
      changed[index & MASK] = item;
      return new Vector(size, shift, root, changed);
    }
    return new Vector(size, shift, replaced(root, shift, index, item), tail);
  }

  /// The first `count` items, sharing all blocks but the last.
  Vector take(int count) {
    if (count == size) {
      return this;
    }
    if (count == 0) {
      return EMPTY;
    }
    var last = Arrays.copyOf(block(count - 1), ((count - 1) & MASK) + 1);
    int offset = count - last.length;
    return new Vector(count, shift, offset == 0 ? NO_ITEMS : cut(root, shift, offset - 1), last);
  }

  /// The block that holds `index`; shared, so it must not be changed.
  Object[] block(int index) {
    if (index >= tailOffset()) {
      return tail;
    }
    var node = root;
    for (int level = shift; level > 0; level -= BITS) {
      node = (Object[]) node[(index >>> level) & MASK];
    }
    return node;
  }

  boolean sameItems(Vector other) {
    if (size != other.size) {
      return false;
    }
    for (int at = 0; at < size; at += WIDTH) {
      var mine = block(at);
      var theirs = other.block(at);
      if (!Identity.same(mine, theirs) && !Arrays.equals(mine, theirs)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Iterator<Value> iterator() {
    return new VectorItems();
  }

  private int tailOffset() {
    return size - tail.length;
  }

  private Vector tailPushed() {
    int offset = tailOffset();
    if (offset >>> BITS < 1 << shift) {
      return new Vector(size, shift, pushed(root, shift, offset, tail), NO_ITEMS);
    }
    var higher = new Object[] {root, path(shift, tail)};
    return new Vector(size, shift + BITS, higher, NO_ITEMS);
  }

  private static Object[] pushed(Object[] node, int level, int offset, Object[] leaf) {
    int position = (offset >>> level) & MASK;
    var copy = Arrays.copyOf(node, position + 1);
    if (level == BITS) {
      copy[position] = leaf;
    } else if (position < node.length) {
      copy[position] = pushed((Object[]) node[position], level - BITS, offset, leaf);
    } else {
      copy[position] = path(level - BITS, leaf);
    }
    return copy;
  }

  private static Object[] path(int level, Object[] leaf) {
    return level == 0 ? leaf : new Object[] {path(level - BITS, leaf)};
  }

  private static Object[] replaced(Object[] node, int level, int index, Value item) {
    var copy = node.clone();
    int position = (index >>> level) & MASK;
    copy[position] =
        level == 0 ? item : replaced((Object[]) node[position], level - BITS, index, item);
    return copy;
  }

  private static Object[] cut(Object[] node, int level, int last) {
    int position = (last >>> level) & MASK;
    var copy = Arrays.copyOf(node, position + 1);
    if (level > BITS) {
      copy[position] = cut((Object[]) node[position], level - BITS, last);
    }
    return copy;
  }

  private final class VectorItems implements Iterator<Value> {
    private int next;
    private Object[] block = NO_ITEMS;

    @Override
    public boolean hasNext() {
      return next < size;
    }

    @Override
    public Value next() {
      if (next >= size) {
        throw new NoSuchElementException();
      }
      if ((next & MASK) == 0) {
        block = block(next);
      }
      return (Value) block[next++ & MASK];
    }
  }
}
