package dev.superstep.graph;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A value from outside and its location, where it reports what it should have been. Null counts as
/// absent. What is absent or of another type reads as empty, so that reading goes on.
///
/// @param wrongType words for a value of another type
public record UncheckedValue(@Nullable Value value, Location at, WrongType wrongType) {

  /// Says what a value must be.
  @FunctionalInterface
  public interface WrongType {
    /// @param wanted such as `a string`
    String message(String wanted, Value found);
  }

  public UncheckedValue key(String key) {
    var member = value instanceof ObjectValue object ? object.get(key) : null;
    return new UncheckedValue(member, at.key(key), wrongType);
  }

  public UncheckedValue item(int index) {
    var item = value instanceof ListValue list ? list.get(index) : null;
    return new UncheckedValue(item, at.item(index), wrongType);
  }

  public boolean isAbsent() {
    return value == null || value instanceof Value.Null;
  }

  public Optional<Value> find() {
    return Optional.ofNullable(value).filter(_ -> !isAbsent());
  }

  public String typeName() {
    return (value == null ? Value.NULL : value).typeName();
  }

  public Optional<String> text() {
    return value instanceof Value.Text(var text) ? Optional.of(text) : other("a string");
  }

  public Optional<ObjectValue> object() {
    return value instanceof ObjectValue object ? Optional.of(object) : other("an object");
  }

  public ObjectValue objectOrEmpty() {
    return object().orElse(ObjectValue.empty());
  }

  public Optional<ListValue> list() {
    return value instanceof ListValue list ? Optional.of(list) : other("a list");
  }

  /// The items of a list, absent ones included; none if it is no list.
  public List<UncheckedValue> items() {
    var items = new ArrayList<UncheckedValue>();
    int size = list().map(ListValue::size).orElse(0);
    for (int i = 0; i < size; i++) {
      items.add(item(i));
    }
    return items;
  }

  /// The strings of a list, which must have nothing else, null neither.
  public List<String> texts() {
    var texts = new ArrayList<String>();
    for (var item : items()) {
      if (item.value instanceof Value.Text(var text)) {
        texts.add(text);
      } else {
        item.refuse("a string");
      }
    }
    return texts;
  }

  /// Reports the keys that are not known here.
  ///
  /// @param message says so of a key
  public void refuseOthers(Set<String> known, Function<String, String> message) {
    if (value instanceof ObjectValue object) {
      object.forEach((key, _) -> {
        if (!known.contains(key)) {
          at.key(key).error("unknown_field", message.apply(key));
        }
      });
    }
  }

  private <T> Optional<T> other(String wanted) {
    if (!isAbsent()) {
      refuse(wanted);
    }
    return Optional.empty();
  }

  private void refuse(String wanted) {
    at.error("wrong_type", wrongType.message(wanted, value == null ? Value.NULL : value));
  }
}
