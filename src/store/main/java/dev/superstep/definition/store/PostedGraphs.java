package dev.superstep.definition.store;

import dev.superstep.definition.GraphName;
import dev.superstep.definition.type.NodeType.CalledGraph;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The graphs of a definition that is posted: itself, and its inline graphs. Nodes that name no
/// version mean what is posted, not what is stored.
record PostedGraphs(ObjectValue definition) {
  GraphName whole() {
    return GraphName.of(definition.textOrEmpty("name"));
  }

  /// The definition itself is the first.
  List<GraphName> names() {
    var names = new ArrayList<GraphName>();
    names.add(whole());
    for (var inline : GraphName.inlineGraphs(definition).keySet()) {
      names.add(new GraphName(whole().definition(), inline));
    }
    return names;
  }

  /// As nodes write the inline graphs.
  List<String> references() {
    return GraphName.inlineGraphs(definition).keySet().stream().map(GraphName::reference).toList();
  }

  boolean has(CalledGraph called) {
    return find(called).isPresent();
  }

  Optional<ObjectValue> find(CalledGraph called) {
    var name = GraphName.of(called.graph());
    boolean here = called.version().isEmpty() && name.definition().equals(whole().definition());
    return here ? name.find(definition) : Optional.empty();
  }
}
