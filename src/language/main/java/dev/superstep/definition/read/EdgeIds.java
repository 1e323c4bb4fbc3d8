package dev.superstep.definition.read;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Names edges: by their `id`, else by what they connect, such as `plan->research`, with `#2`
/// behind the second edge that would be named so. Authors' ids cannot contain `>`.
final class EdgeIds {
  private final Set<String> declared = new HashSet<>();
  private final Map<String, Integer> derived = new HashMap<>();

  private EdgeIds() {}

  /// The ids of all edges, in order.
  static List<String> of(ListValue edges) {
    var ids = new EdgeIds();
    var result = new ArrayList<String>();
    for (var edge : edges) {
      result.add(ids.next(ObjectValue.orEmpty(edge)));
    }
    return result;
  }

  private String next(ObjectValue edge) {
    var id = edge.findText("id");
    if (id.isPresent() && declared.add(id.get())) {
      return id.get();
    }
    var to = edge.has("route") ? "?" : String.join("+", edge.texts("to"));
    var name = String.join("+", edge.texts("from")) + "->" + to;
    int count = derived.merge(name, 1, Integer::sum);
    return count == 1 ? name : name + "#" + count;
  }
}
