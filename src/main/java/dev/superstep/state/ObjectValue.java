package dev.superstep.state;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A JSON object. Members are kept and visited by code point of their key (the canonical order).
public final class ObjectValue implements Value {
  private static final ObjectValue EMPTY = new ObjectValue(new TreeMap<>());
  private final NavigableMap<String, Value> members;

  private ObjectValue(NavigableMap<String, Value> members) {
    this.members = members;
  }

  public static ObjectValue empty() {
    return EMPTY;
  }

  public static ObjectValue of(String key, Value value) {
    return EMPTY.plus(key, value);
  }

  public static ObjectValue of(Map<String, ? extends Value> members) {
    var copy = new TreeMap<String, Value>(Canonical.KEYS);
    copy.putAll(members);
    return new ObjectValue(copy);
  }

  public int size() {
    return members.size();
  }

  public boolean isEmpty() {
    return members.isEmpty();
  }

  public boolean has(String key) {
    return members.containsKey(key);
  }

  /// The member, or `null` when there is none. A member that is JSON null is [Value.Null].
  public @Nullable Value get(String key) {
    return members.get(key);
  }

  public Value getOr(String key, Value absent) {
    var found = members.get(key);
    return found == null ? absent : found;
  }

  public ObjectValue plus(String key, Value value) {
    var copy = new TreeMap<String, Value>(Canonical.KEYS);
    copy.putAll(members);
    copy.put(key, value);
    return new ObjectValue(copy);
  }

  /// This object with the members of `other` on top of its own.
  public ObjectValue plusAll(ObjectValue other) {
    var copy = new TreeMap<String, Value>(Canonical.KEYS);
    copy.putAll(members);
    copy.putAll(other.members);
    return new ObjectValue(copy);
  }

  public ObjectValue minus(String key) {
    if (!members.containsKey(key)) {
      return this;
    }
    var copy = new TreeMap<String, Value>(Canonical.KEYS);
    copy.putAll(members);
    copy.remove(key);
    return new ObjectValue(copy);
  }

  public void forEach(BiConsumer<String, Value> action) {
    members.forEach(action);
  }

  /// A read-only view in canonical order.
  public Map<String, Value> asMap() {
    return Collections.unmodifiableMap(members);
  }

  @Override
  public String typeName() {
    return "object";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ObjectValue object && members.equals(object.members);
  }

  @Override
  public int hashCode() {
    return members.hashCode();
  }

  @Override
  public String toString() {
    return Canonical.text(this);
  }
}
