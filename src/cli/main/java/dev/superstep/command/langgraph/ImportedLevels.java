package dev.superstep.command.langgraph;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// Takes apart a drawing in which subgraphs were opened (`xray`): there a node `write` of the graph
/// `team` has the id `team:write`, and edges that lead to `team` lead to its first node.
final class ImportedLevels {
  private final ImportedLevel root = new ImportedLevel(List.of());

  ImportedLevels(Map<String, ImportedNode> nodes, Collection<ImportedEdge> edges) {
    nodes.values().forEach(it -> levelOf(parts(it.id())).add(it));
    edges.forEach(this::place);
  }

  ImportedLevel root() {
    return root;
  }

  private static List<String> parts(String id) {
    return Arrays.asList(id.split(":", -1));
  }

  /// The graph that a node stands in.
  private ImportedLevel levelOf(List<String> parts) {
    var level = root;
    for (var part : parts.subList(0, parts.size() - 1)) {
      level = level.open(part);
    }
    return level;
  }

  /// What crosses the border of a graph becomes an edge around it, and one to each of its ends.
  private void place(ImportedEdge edge) {
    var from = parts(edge.from());
    var to = parts(edge.to());
    int shared = 0;
    while (shared < Math.min(from.size(), to.size()) - 1
        && from.get(shared).equals(to.get(shared))) {
      shared++;
    }
    levelOf(from.subList(0, shared + 1)).add(edge.between(from.get(shared), to.get(shared)));
    for (int depth = shared + 2; depth <= from.size(); depth++) {
      levelOf(from.subList(0, depth)).add(inner(from.get(depth - 1), ImportedNode.END));
    }
    for (int depth = shared + 2; depth <= to.size(); depth++) {
      levelOf(to.subList(0, depth)).add(inner(ImportedNode.START, to.get(depth - 1)));
    }
  }

  private static ImportedEdge inner(String from, String to) {
    return new ImportedEdge(from, to, "", false);
  }
}
