package dev.superstep.definition.type;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The node types of this server, by name.
public final class NodeTypes {
  private final Map<String, NodeType> types = new TreeMap<>();

  /// @throws IllegalStateException if two types have one name
  public NodeTypes(Collection<NodeType> found) {
    for (var type : found) {
      if (types.put(type.name(), type) != null) {
        throw new IllegalStateException("two node types are named '%s'".formatted(type.name()));
      }
    }
  }

  public Optional<NodeType> find(String name) {
    return Optional.ofNullable(types.get(name));
  }

  public Collection<String> names() {
    return types.keySet();
  }

  public List<NodeType> all() {
    return List.copyOf(types.values());
  }
}
