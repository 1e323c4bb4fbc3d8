package dev.superstep.state.value;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A JSON array. Every version shares structure with the one it came from: appending and replacing
/// cost O(log₃₂ n), also from an old version.
///
/// Its canonical size and its hash are computed when first asked for and handed on to later
/// versions, so that after an append they cost O(items appended). These caches are written without
/// locks: each is one reference to an immutable object, and computing it twice gives the same.
public final class ListValue implements Value, Iterable<Value> {
  private static final ListValue EMPTY = new ListValue(Vector.EMPTY);
  private final Vector items;
  private @Nullable Sized sized;
  private @Nullable HashChain hashChain;
  private @Nullable SortedTree<Integer> ids;
  private @Nullable Counted counted;

  /// The tokens of the first `count` items.
  private record Counted(TokenCounter counter, int count, long tokens) {}

  /// The canonical bytes of the first `count` items, commas and brackets not counted.
  private record Sized(int count, long bytes) {
    static final Sized NOTHING = new Sized(0, 0);
  }

  private ListValue(Vector items) {
    this.items = items;
  }

  public static ListValue empty() {
    return EMPTY;
  }

  /// The value if it is a list.
  public static ListValue orEmpty(@Nullable Value value) {
    return value instanceof ListValue list ? list : EMPTY;
  }

  public static ListValue of(Value... items) {
    return of(List.of(items));
  }

  public static ListValue of(Collection<? extends Value> items) {
    var copy = items.toArray();
    for (var item : copy) {
      Objects.requireNonNull(item, "JSON null is Value.NULL");
    }
    return copy.length == 0 ? EMPTY : new ListValue(Vector.EMPTY.append(copy, 0, copy.length));
  }

  /// Collects items one by one.
  public static Builder builder() {
    return new Builder();
  }

  public static ListValue texts(String... items) {
    return of(Stream.of(items).map(Value::of).toList());
  }

  public int size() {
    return items.size();
  }

  public boolean isEmpty() {
    return items.size() == 0;
  }

  public Value get(int index) {
    return items.get(index);
  }

  /// This list with `item` behind its last one.
  public ListValue plus(Value item) {
    return grown(items.plus(item));
  }

  /// This list followed by all of `tail`, in order.
  public ListValue plusAll(ListValue tail) {
    if (tail.isEmpty()) {
      return this;
    }
    return isEmpty() ? tail : grown(items.plusAll(tail.items));
  }

  /// This list with the item at `index` replaced.
  public ListValue with(int index, Value item) {
    var old = items.get(index);
    if (Identity.same(old, item)) {
      return this;
    }
    var changed = new ListValue(items.with(index, item));
    changed.hashChain = HashChain.within(hashChain, index);
    var told = counted;
    if (told != null && index >= told.count) {
      changed.counted = told;
    } else if (told != null) {
      long more = told.counter.count(item) - told.counter.count(old);
      changed.counted = new Counted(told.counter, told.count, told.tokens + more);
    }
    var known = sized;
    if (known != null) {
      changed.sized =
          index < known.count
              ? new Sized(known.count, known.bytes - Canonical.size(old) + Canonical.size(item))
              : known;
    }
    return changed;
  }

  /// The items that `kept` accepts, in order.
  public ListValue filter(Predicate<Value> kept) {
    int at = 0;
    while (at < size() && kept.test(get(at))) {
      at++;
    }
    if (at == size()) {
      return this;
    }
    var rest = Stream.iterate(at + 1, it -> it < size(), it -> it + 1).map(this::get).filter(kept);
    return slice(0, at).plusAll(of(rest.toList()));
  }

  /// The items from `from` (inclusive) to `to` (exclusive).
  public ListValue slice(int from, int to) {
    if (from < 0 || from > to || to > size()) {
      throw new IndexOutOfBoundsException(
          "no items %d to %d in a list of %d".formatted(from, to, size()));
    }
    if (from == to) {
      return EMPTY;
    }
    if (from > 0) {
      return new ListValue(Vector.EMPTY.appendFrom(items, from, to));
    }
    if (to == size()) {
      return this;
    }
    var prefix = new ListValue(items.take(to));
    prefix.hashChain = HashChain.within(hashChain, to);
    return prefix;
  }

  @Override
  public Iterator<Value> iterator() {
    return items.iterator();
  }

  /// A read-only view for code that needs a Java list.
  public List<Value> asList() {
    return new ListView(items);
  }

  public Stream<Value> stream() {
    return asList().stream();
  }

  /// The items of this type.
  public <T extends Value> Stream<T> items(Class<T> type) {
    return stream().filter(type::isInstance).map(type::cast);
  }

  private ListValue grown(Vector longer) {
    var result = new ListValue(longer);
    result.sized = sized;
    result.hashChain = hashChain;
    result.counted = counted;
    return result;
  }

  /// Canonical bytes, O(items since the last version that was asked).
  long canonicalSize(int depth) {
    int count = size();
    var known = sized;
    if (known == null) {
      known = Sized.NOTHING;
    }
    if (known.count < count) {
      long bytes = known.bytes;
      for (int i = known.count; i < count; i++) {
        bytes += Canonical.size(items.get(i), depth + 1);
      }
      known = new Sized(count, bytes);
      sized = known;
    }
    return known.bytes + 2 + Math.max(0, count - 1);
  }

  /// The tokens of all items, O(items since the last version that was asked).
  public long tokens(TokenCounter counter) {
    var known = counted;
    if (known == null || !Identity.same(known.counter, counter)) {
      known = new Counted(counter, 0, 0);
    }
    if (known.count < size()) {
      long tokens = known.tokens;
      for (int i = known.count; i < size(); i++) {
        tokens += counter.count(items.get(i));
      }
      known = new Counted(counter, size(), tokens);
    }
    counted = known;
    return known.tokens;
  }

  @Nullable HashChain chain() {
    return hashChain;
  }

  void remember(HashChain known) {
    hashChain = known;
  }

  /// Message id → position, if [MessageList] has left it here.
  public @Nullable SortedTree<Integer> ids() {
    return ids;
  }

  public void remember(SortedTree<Integer> known) {
    ids = known;
  }

  @Override
  public String typeName() {
    return "array";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof ListValue list && items.sameItems(list.items));
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (var item : items) {
      hash = 31 * hash + item.hashCode();
    }
    return hash;
  }

  @Override
  public String toString() {
    return Canonical.text(this);
  }

  /// Collects items one by one. Used once.
  public static final class Builder {
    private final List<Value> collected = new ArrayList<>();

    private Builder() {}

    public Builder add(Value item) {
      collected.add(item);
      return this;
    }

    public ListValue build() {
      return of(collected);
    }
  }

  private static final class ListView extends AbstractList<Value> implements RandomAccess {
    private final Vector items;

    private ListView(Vector items) {
      this.items = items;
    }

    @Override
    public Value get(int index) {
      return items.get(index);
    }

    @Override
    public int size() {
      return items.size();
    }

    @Override
    public Iterator<Value> iterator() {
      return items.iterator();
    }
  }
}
