package dev.superstep.definition.form;

import dev.superstep.graph.Location;
import dev.superstep.state.value.Accessors;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An object of a definition that was checked against its table, such as a node: its members are
/// read by name, and what is wrong with them is reported where they stand.
///
/// @param index among the items of its list or the members of its object
/// @param name its key in its object; "" in a list
public record Item(int index, String name, ObjectValue object, Location at) implements Accessors {

  public Item(ObjectValue object, Location at) {
    this(0, "", object, at);
  }

  /// A text with its location.
  public record Name(String text, Location at) {}

  /// The objects in the list or the object at `key`, without what is no object.
  public static List<Item> each(ObjectValue graph, String key, Location at) {
    return new Item(graph, at).each(key);
  }

  /// The objects in the list or the object at `key`, without what is no object.
  public List<Item> each(String key) {
    var items = new ArrayList<Item>();
    var here = at(key);
    int index = 0;
    for (var value : listOrEmpty(key)) {
      if (value instanceof ObjectValue item) {
        items.add(new Item(index, "", item, here.item(index)));
      }
      index++;
    }
    for (var member : objectOrEmpty(key).asMap().entrySet()) {
      if (member.getValue() instanceof ObjectValue item) {
        items.add(new Item(index, member.getKey(), item, here.key(member.getKey())));
      }
      index++;
    }
    return items;
  }

  /// The text at a key, or the texts in the list there.
  public List<Name> names(String key) {
    var here = at(key);
    if (get(key) instanceof Value.Text(var text)) {
      return List.of(new Name(text, here));
    }
    var names = new ArrayList<Name>();
    int index = 0;
    for (var value : listOrEmpty(key)) {
      if (value instanceof Value.Text(var text)) {
        names.add(new Name(text, here.name(index)));
      }
      index++;
    }
    return names;
  }

  @Override
  public @Nullable Value get(String key) {
    return object.get(key);
  }

  /// The object at a key; empty if there is none.
  public Item in(String key) {
    return new Item(objectOrEmpty(key), at(key));
  }

  public Location at(String key) {
    return at.key(key);
  }

  public void error(String key, String code, String message) {
    at(key).error(code, message);
  }

  public void warn(String key, String code, String message) {
    at(key).warn(code, message);
  }

  /// Reports a member that must not be there, if it is.
  public void refuse(String key, String code, String message) {
    if (has(key)) {
      error(key, code, message);
    }
  }
}
