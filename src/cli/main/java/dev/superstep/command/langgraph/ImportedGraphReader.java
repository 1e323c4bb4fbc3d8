package dev.superstep.command.langgraph;

import dev.superstep.command.langgraph.ImportedNode.Kind;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.violation.Pointer;
import java.util.ArrayList;
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
    var metadata = node.get("metadata") instanceof ObjectValue noted ? noted : ObjectValue.empty();
    return new ImportedNode(id, kind(node), metadata);
  }

  /// `data.id` is the path of a class.
  private static Kind kind(ObjectValue node) {
    if (!(node.get("data") instanceof ObjectValue data)
        || !(data.get("id") instanceof ListValue path)
        || path.isEmpty()
        || !(path.get(path.size() - 1) instanceof Value.Text(var type))) {
      return Kind.CODE;
    }
    return switch (type) {
      case "ToolNode" -> Kind.TOOLS;
      case "CompiledStateGraph", "CompiledGraph", "Pregel", "RemoteGraph" -> Kind.GRAPH;
      default -> Kind.CODE;
    };
  }

  private void readEdges(ListValue list) {
    for (int i = 0; i < list.size(); i++) {
      var at = Pointer.child("/edges", i);
      var edge = object(list.get(i), at);
      var label = edge.get("data") instanceof Value.Text(var text) ? text : "";
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
}
