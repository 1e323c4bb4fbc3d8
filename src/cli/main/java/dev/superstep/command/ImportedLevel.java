package dev.superstep.command;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One graph of a drawing: its own nodes, the graphs that are nodes of it, and the edges between
/// them. Start and end are no steps; edges name them.
final class ImportedLevel {
  private final List<String> path;
  private final Map<String, Optional<ImportedNode>> steps = new LinkedHashMap<>();
  private final Map<String, ImportedLevel> children = new LinkedHashMap<>();
  private final Map<List<String>, ImportedEdge> edges = new LinkedHashMap<>();

  ImportedLevel(List<String> path) {
    this.path = List.copyOf(path);
  }

  /// The names of the graphs around it and its own; empty for the whole.
  List<String> path() {
    return path;
  }

  List<String> steps() {
    return List.copyOf(steps.keySet());
  }

  /// Empty for a graph.
  Optional<ImportedNode> node(String step) {
    return steps.getOrDefault(step, Optional.empty());
  }

  Optional<ImportedLevel> child(String step) {
    return Optional.ofNullable(children.get(step));
  }

  Collection<ImportedLevel> children() {
    return children.values();
  }

  List<ImportedEdge> edges() {
    return List.copyOf(edges.values());
  }

  boolean has(ImportedNode.ImportedKind kind) {
    return steps.values().stream()
        .anyMatch(it -> it.filter(node -> node.kind() == kind).isPresent());
  }

  void add(ImportedNode node) {
    if (node.isStart() || node.isEnd()) {
      return;
    }
    if (steps.putIfAbsent(node.name(), Optional.of(node)) != null) {
      throw new ImportException(
          "/nodes", "'%s' is both a node and a subgraph".formatted(node.id()));
    }
  }

  ImportedLevel open(String step) {
    var known = children.get(step);
    if (known != null) {
      return known;
    }
    if (steps.putIfAbsent(step, Optional.empty()) != null) {
      throw new ImportException("/nodes", "'%s' is both a node and a subgraph".formatted(step));
    }
    var inner = new ArrayList<>(path);
    inner.add(step);
    var child = new ImportedLevel(inner);
    children.put(step, child);
    return child;
  }

  /// The first edge between two steps counts, as in LangGraph.
  void add(ImportedEdge edge) {
    if (!edge.from().equals(ImportedNode.END) && !edge.to().equals(ImportedNode.START)) {
      edges.putIfAbsent(List.of(edge.from(), edge.to()), edge);
    }
  }
}
