package dev.superstep.command;

import dev.superstep.command.ImportedNode.ImportedKind;
import dev.superstep.graph.Pointer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads what `get_graph().to_json()` gives, in Python and JavaScript, and `GET
/// /assistants/{id}/graph` of an Agent Server: `{nodes: [{id, type, data, metadata}], edges:
/// [{source, target, data, conditional}]}`.
final class ImportedGraphReader {
  private static final int NODES_MAX = 2_000;
  private static final int EDGES_MAX = 5_000;
  private static final int DEPTH_MAX = 20;
  private static final String HOW = "write it with json.dump(graph.get_graph().to_json(), file)";

  private final Map<String, ImportedNode> nodes = new LinkedHashMap<>();
  private final List<ImportedEdge> edges = new ArrayList<>();

  /// @throws ImportException if it is not what LangGraph writes
  static ImportedLevel read(Value drawing) {
    if (!(drawing instanceof ObjectValue object)) {
      throw new ImportException(
          "", "this is no drawing of a graph, but %s; %s".formatted(type(drawing), HOW));
    }
    var reader = new ImportedGraphReader();
    reader.readNodes(list(object, "nodes", NODES_MAX));
    reader.readEdges(list(object, "edges", EDGES_MAX));
    return new ImportedLevels(reader.nodes, reader.edges).root();
  }

  private static ListValue list(ObjectValue drawing, String key, int max) {
    if (!(drawing.get(key) instanceof ListValue list)) {
      throw new ImportException("/" + key, "must be the list of %s; %s".formatted(key, HOW));
    }
    if (list.size() > max) {
      throw new ImportException(
          "/" + key, "has %d %s, and a definition at most %d".formatted(list.size(), key, max));
    }
    return list;
  }

  private void readNodes(ListValue list) {
    for (int i = 0; i < list.size(); i++) {
      var at = Pointer.child("/nodes", i);
      var node = node(object(list.get(i), at), at);
      if (nodes.put(node.id(), node) != null) {
        throw new ImportException(
            at + "/id", "'%s' is the id of another node, too".formatted(node.id()));
      }
    }
    if (!nodes.containsKey(ImportedNode.START)) {
      throw new ImportException(
          "/nodes", "has no node '__start__', which every LangGraph graph has; " + HOW);
    }
  }

  private static ImportedNode node(ObjectValue node, String at) {
    var id = id(node, "id", at);
    if (id.split(":", -1).length > DEPTH_MAX) {
      throw new ImportException(at + "/id", "is deeper than %d graphs".formatted(DEPTH_MAX));
    }
    var metadata = node.objectOrEmpty("metadata");
    return new ImportedNode(id, kind(node), metadata);
  }

  /// `data.id` is the path of a class.
  private static ImportedKind kind(ObjectValue node) {
    if (!(node.get("data") instanceof ObjectValue data)
        || !(data.get("id") instanceof ListValue path)
        || path.isEmpty()
        || !(path.get(path.size() - 1) instanceof Value.Text(var type))) {
      return ImportedKind.CODE;
    }
    return switch (type) {
      case "ToolNode" -> ImportedKind.TOOLS;
      case "CompiledStateGraph", "CompiledGraph", "Pregel", "RemoteGraph" -> ImportedKind.GRAPH;
      default -> ImportedKind.CODE;
    };
  }

  private void readEdges(ListValue list) {
    for (int i = 0; i < list.size(); i++) {
      var at = Pointer.child("/edges", i);
      var edge = object(list.get(i), at);
      var label = edge.textOrEmpty("data");
      edges.add(
          new ImportedEdge(
              end(edge, "source", at),
              end(edge, "target", at),
              label,
              edge.getOr("conditional", Value.of(false)).equals(Value.of(true))));
    }
  }

  private String end(ObjectValue edge, String key, String at) {
    var id = id(edge, key, at);
    if (!nodes.containsKey(id)) {
      throw new ImportException(
          at + "/" + key, "names '%s', which is not among the nodes".formatted(id));
    }
    return id;
  }

  /// Runnables without a name have numbers.
  private static String id(ObjectValue object, String key, String at) {
    return switch (object.get(key)) {
      case Value.Text(var text) when !text.isBlank() -> text;
      case Value.Int(var number) -> Long.toString(number);
      case null, default -> throw new ImportException(at + "/" + key, "must be the id of a node");
    };
  }

  private static ObjectValue object(Value value, String at) {
    if (value instanceof ObjectValue object) {
      return object;
    }
    throw new ImportException(at, "must be an object, and is " + type(value));
  }

  private static String type(Value value) {
    return value.typeName();
  }

  /// Takes apart a drawing in which subgraphs were opened (`xray`): there a node `write` of the
  /// graph `team` has the id `team:write`, and edges that lead to `team` lead to its first node.
  private static final class ImportedLevels {
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
}
