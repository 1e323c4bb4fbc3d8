package dev.superstep.definition.form;

import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;

/// One object of a list, such as a node, with its location.
public record Item(int index, ObjectValue object, Location at) {

  /// The objects in the list at `key`, without what is no object.
  public static List<Item> each(ObjectValue graph, String key, Location at) {
    var items = new ArrayList<Item>();
    var list = graph.listOrEmpty(key);
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) instanceof ObjectValue object) {
        items.add(new Item(i, object, at.key(key).item(i)));
      }
    }
    return items;
  }
}
