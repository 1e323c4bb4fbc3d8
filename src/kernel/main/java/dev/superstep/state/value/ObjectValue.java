package dev.superstep.state.value;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A JSON object. Members are kept and visited by code point of their key (the canonical order).
///
/// Changing one member of a large object costs O(log n) and shares the rest. Canonical size and
/// hash are computed when first asked for; a version changed in one member inherits the size.
public final class ObjectValue implements Value, Accessors {
  private static final ObjectValue EMPTY = new ObjectValue(SortedArrays.EMPTY);
  private final Members members;

  /// Canonical bytes; 0: not known yet. Written without locks: computing it twice gives the same.
  private long bytes;

  private @Nullable Hash hash;

  private ObjectValue(Members members) {
    this.members = members;
  }

  public static ObjectValue empty() {
    return EMPTY;
  }

  /// The value if it is an object.
  public static ObjectValue orEmpty(@Nullable Value value) {
    return value instanceof ObjectValue object ? object : EMPTY;
  }

  public static ObjectValue of(String key, Value value) {
    return new ObjectValue(
        new SortedArrays(
            new String[] {Objects.requireNonNull(key)},
            new Value[] {Objects.requireNonNull(value)}));
  }

  public static ObjectValue of(String key, String value) {
    return of(key, Value.of(value));
  }

  public static ObjectValue of(String key, long value) {
    return of(key, Value.of(value));
  }

  public static ObjectValue of(Map<String, ? extends Value> members) {
    var builder = builder();
    members.forEach(builder::put);
    return builder.build();
  }

  /// Collects members in any order; the last one of a key wins.
  public static Builder builder() {
    return new Builder();
  }

  public int size() {
    return members.size();
  }

  public boolean isEmpty() {
    return members.size() == 0;
  }

  @Override
  public boolean has(String key) {
    return members.value(key) != null;
  }

  /// The member, or `null` when there is none. A member that is JSON null is [Value.Null].
  @Override
  public @Nullable Value get(String key) {
    return members.value(key);
  }

  public Value getOr(String key, Value absent) {
    var found = members.value(key);
    return found == null ? absent : found;
  }

  public ObjectValue plus(String key, Value value) {
    Objects.requireNonNull(value, "JSON null is Value.NULL");
    var old = members.value(key);
    if (Identity.same(old, value)) {
      return this;
    }
    var changed = new ObjectValue(members.with(key, value));
    long known = bytes;
    if (known != 0 && !isEmpty()) {
      long more = old == null ? Canonical.quotedSize(key) + 2 : -Canonical.size(old);
      changed.bytes = known + more + Canonical.size(value);
    }
    return changed;
  }

  public ObjectValue plus(String key, String value) {
    return plus(key, Value.of(value));
  }

  public ObjectValue plus(String key, long value) {
    return plus(key, Value.of(value));
  }

  public ObjectValue plus(String key, boolean value) {
    return plus(key, Value.of(value));
  }

  /// This object with the members of `other` on top of its own.
  public ObjectValue plusAll(ObjectValue other) {
    if (isEmpty()) {
      return other;
    }
    if (other.size() > Members.SMALL && other.size() > size() / 16) {
      var builder = builder();
      forEach(builder::put);
      other.forEach(builder::put);
      return builder.build();
    }
    var joined = this;
    for (var entries = other.members.entries(); entries.hasNext(); ) {
      var entry = entries.next();
      joined = joined.plus(entry.getKey(), entry.getValue());
    }
    return joined;
  }

  public ObjectValue minus(String key) {
    var old = members.value(key);
    if (old == null) {
      return this;
    }
    if (members.size() == 1) {
      return EMPTY;
    }
    var changed = new ObjectValue(members.without(key));
    long known = bytes;
    if (known != 0) {
      changed.bytes = known - Canonical.quotedSize(key) - 2 - Canonical.size(old);
    }
    return changed;
  }

  public void forEach(BiConsumer<String, Value> action) {
    members.each(action);
  }

  /// A read-only view in canonical order.
  public Map<String, Value> asMap() {
    return new View(members);
  }

  Members members() {
    return members;
  }

  @Nullable Hash hash() {
    return hash;
  }

  void remember(Hash known) {
    hash = known;
  }

  /// Canonical bytes; O(1) once known.
  long canonicalSize(int depth) {
    long known = bytes;
    if (known == 0) {
      var sum = new long[] {1 + Math.max(1, size())};
      members.each((key, value) ->
          sum[0] += Canonical.quotedSize(key) + 1 + Canonical.size(value, depth + 1));
      known = sum[0];
      bytes = known;
    }
    return known;
  }

  @Override
  public String typeName() {
    return "object";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof ObjectValue object) || size() != object.size()) {
      return false;
    }
    var mine = members.entries();
    var theirs = object.members.entries();
    while (mine.hasNext()) {
      if (!mine.next().equals(theirs.next())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    int sum = 0;
    for (var entries = members.entries(); entries.hasNext(); ) {
      sum += entries.next().hashCode();
    }
    return sum;
  }

  @Override
  public String toString() {
    return Canonical.text(this);
  }

  /// Collects members in any order; the last one of a key wins. Used once.
  public static final class Builder {
    private final List<String> keys = new ArrayList<>();
    private final List<Value> values = new ArrayList<>();
    private boolean sorted = true;

    private Builder() {}

    public Builder put(String key, Value value) {
      Objects.requireNonNull(value, "JSON null is Value.NULL");
      sorted = sorted && (keys.isEmpty() || Canonical.KEYS.compare(keys.getLast(), key) < 0);
      keys.add(key);
      values.add(value);
      return this;
    }

    public Builder put(String key, String value) {
      return put(key, Value.of(value));
    }

    public Builder put(String key, long value) {
      return put(key, Value.of(value));
    }

    public ObjectValue build() {
      if (keys.isEmpty()) {
        return EMPTY;
      }
      if (!sorted) {
        var ordered = new TreeMap<String, Value>(Canonical.KEYS);
        for (int i = 0; i < keys.size(); i++) {
          ordered.put(keys.get(i), values.get(i));
        }
        return new ObjectValue(arrays(ordered.keySet(), ordered.values()));
      }
      return new ObjectValue(arrays(keys, values));
    }

    private static Members arrays(Collection<String> keys, Collection<Value> values) {
      return SortedArrays.of(keys.toArray(new String[0]), values.toArray(new Value[0]));
    }
  }

  private static final class View extends AbstractMap<String, Value> {
    private final Members members;

    private View(Members members) {
      this.members = members;
    }

    @Override
    public @Nullable Value get(@Nullable Object key) {
      return key instanceof String text ? members.value(text) : null;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return get(key) != null;
    }

    @Override
    public Set<Map.Entry<String, Value>> entrySet() {
      return new AbstractSet<>() {
        @Override
        public Iterator<Map.Entry<String, Value>> iterator() {
          return members.entries();
        }

        @Override
        public int size() {
          return members.size();
        }
      };
    }
  }
}
