package dev.superstep.definition;

import dev.superstep.state.ObjectValue;
import java.util.ArrayList;
import java.util.List;

/// One object of a list, such as a node, and where it stands.
record Item(int index, Fields fields, Place at) {

  /// The objects in the list at `key`, without what is no object.
  static List<Item> each(Fields graph, String key, Place at) {
    var items = new ArrayList<Item>();
    var list = graph.list(key);
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) instanceof ObjectValue object) {
        items.add(new Item(i, new Fields(object), at.key(key).item(i)));
      }
    }
    return items;
  }
}
