package dev.superstep.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A JSON array. Appending shares structure with the list it came from.
public final class ListValue implements Value, Iterable<Value> {
  private static final ListValue EMPTY = new ListValue(List.of());
  private final List<Value> items;

  private ListValue(List<Value> items) {
    this.items = items;
  }

  public static ListValue empty() {
    return EMPTY;
  }

  public static ListValue of(Value... items) {
    return new ListValue(List.of(items));
  }

  public static ListValue of(Collection<? extends Value> items) {
    return new ListValue(List.copyOf(items));
  }

  public static ListValue texts(String... items) {
    return of(Stream.of(items).map(Value::of).toList());
  }

  public int size() {
    return items.size();
  }

  public boolean isEmpty() {
    return items.isEmpty();
  }

  public Value get(int index) {
    return items.get(index);
  }

  /// This list with `item` behind its last one.
  public ListValue plus(Value item) {
    var joined = new ArrayList<>(items);
    joined.add(item);
    return new ListValue(joined);
  }

  /// This list followed by all of `tail`, in order.
  public ListValue plusAll(ListValue tail) {
    var joined = new ArrayList<>(items);
    joined.addAll(tail.items);
    return new ListValue(joined);
  }

  /// This list with the item at `index` replaced.
  public ListValue with(int index, Value item) {
    var changed = new ArrayList<>(items);
    changed.set(index, item);
    return new ListValue(changed);
  }

  /// The items that `kept` accepts, in order.
  public ListValue filter(Predicate<Value> kept) {
    return new ListValue(items.stream().filter(kept).toList());
  }

  /// The items from `from` (inclusive) to `to` (exclusive).
  public ListValue slice(int from, int to) {
    return new ListValue(List.copyOf(items.subList(from, to)));
  }

  @Override
  public Iterator<Value> iterator() {
    return items.iterator();
  }

  /// A read-only view for code that needs a Java list.
  public List<Value> asList() {
    return items;
  }

  public Stream<Value> stream() {
    return asList().stream();
  }

  @Override
  public String typeName() {
    return "array";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ListValue list && items.equals(list.items);
  }

  @Override
  public int hashCode() {
    return items.hashCode();
  }

  @Override
  public String toString() {
    return Canonical.text(this);
  }
}
