package dev.superstep.expression;

import dev.cel.common.values.NullValue;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Values as CEL sees them. Lists and objects become views that convert on access: reading one
/// field of a large state costs one field.
final class CelValues {
  private CelValues() {}

  public static Object view(Value value) {
    return switch (value) {
      case Value.Null _ -> NullValue.NULL_VALUE;
      case Value.Bool(var flag) -> flag;
      case Value.Int(var number) -> number;
      case Value.Real(var number) -> number;
      case Value.Text(var text) -> text;
      case ListValue list -> new ListItems(list);
      case ObjectValue object -> new ObjectMembers(object);
    };
  }

  /// A value within a text: null is nothing, a string itself, anything else its JSON.
  public static String inText(Value value) {
    return switch (value) {
      case Value.Null _ -> "";
      case Value.Text(var text) -> text;
      case Value.Bool _, Value.Int _, Value.Real _, ListValue _, ObjectValue _ ->
          Canonical.text(value);
    };
  }

  static final class ListItems extends AbstractList<Object> implements RandomAccess {
    private final ListValue list;

    private ListItems(ListValue list) {
      this.list = list;
    }

    ListValue value() {
      return list;
    }

    @Override
    public Object get(int index) {
      return view(list.get(index));
    }

    @Override
    public int size() {
      return list.size();
    }
  }

  public static final class ObjectMembers extends AbstractMap<String, Object> {
    private final ObjectValue object;

    private ObjectMembers(ObjectValue object) {
      this.object = object;
    }

    ObjectValue value() {
      return object;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return key instanceof String name && object.has(name);
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
      if (!(key instanceof String name)) {
        return null;
      }
      var member = object.get(name);
      return member == null ? null : view(member);
    }

    @Override
    public int size() {
      return object.size();
    }

    @Override
    public Set<String> keySet() {
      return object.asMap().keySet();
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
      return new AbstractSet<>() {
        @Override
        public Iterator<Map.Entry<String, Object>> iterator() {
          var members = object.asMap().entrySet().iterator();
          return new Iterator<>() {
            @Override
            public boolean hasNext() {
              return members.hasNext();
            }

            @Override
            public Map.Entry<String, Object> next() {
              var member = members.next();
              return Map.entry(member.getKey(), view(member.getValue()));
            }
          };
        }

        @Override
        public int size() {
          return object.size();
        }
      };
    }
  }
}
