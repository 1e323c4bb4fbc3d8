package dev.superstep.definition.read;

import dev.superstep.definition.GraphName;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The shapes and arrows of a graph's diagram, before they are written as text.
///
/// @param clusters of the inline graphs
record Drawing(List<Shape> shapes, List<Cluster> clusters, List<Arrow> arrows) {
  private static final String START = NodeId.START.value();
  private static final String END = NodeId.END.value();

  /// @param id of the node, or of a join or an open route, which no node can have
  record Shape(String id, String label, DrawnKind kind) {}

  /// The shapes of an inline graph, whose arrows are among those of the whole.
  ///
  /// @param reference as nodes write it
  record Cluster(String reference, List<Shape> shapes) {
    private Cluster(String reference, Drawing drawing) {
      this(
          reference,
          drawing.shapes().stream()
              .map(it -> new Shape(within(reference, it.id()), it.label(), it.kind()))
              .toList());
    }

    /// No node can have such an id.
    private static String within(String reference, String id) {
      return GraphName.isReference(id) ? id : reference + "/" + id;
    }
  }

  enum DrawnKind {
    BOUNDARY,
    NODE,
    ROUTER,
    HUMAN,
    SUBGRAPH,
    FAIL,
    JOIN,
    ANYWHERE
  }

  /// @param label "" for none
  record Arrow(String from, String to, String label, Line line) {
    private Arrow within(String reference) {
      return new Arrow(Cluster.within(reference, from), Cluster.within(reference, to), label, line);
    }
  }

  enum Line {
    SOLID,
    DASHED
  }

  static Drawing of(ObjectValue graph) {
    var builder = new Builder(ContextLabels.of(graph));
    builder.shape(START, START, DrawnKind.BOUNDARY);
    graph.listOrEmpty("nodes").forEach(it -> builder.node(fields(it)));
    builder.shape(END, END, DrawnKind.BOUNDARY);
    graph.listOrEmpty("edges").forEach(it -> builder.edge(fields(it)));
    builder.endOpenBranches();
    var clusters = new ArrayList<Cluster>();
    GraphName.inlineGraphs(graph)
        .forEach((name, inline) -> {
          var reference = GraphName.reference(name);
          var drawing = of(inline);
          clusters.add(new Cluster(reference, drawing));
          drawing.arrows().forEach(it -> builder.arrows.add(it.within(reference)));
        });
    return new Drawing(
        List.copyOf(builder.shapes.values()), List.copyOf(clusters), List.copyOf(builder.arrows));
  }

  private static ObjectValue fields(Value value) {
    return ObjectValue.orEmpty(value);
  }

  private static final class Builder {
    private final Map<String, Shape> shapes = new LinkedHashMap<>();
    private final List<Arrow> arrows = new ArrayList<>();
    private final Set<String> leadOn = new HashSet<>();

    /// Nodes of which only the first true edge is taken.
    private final Set<String> choosing = new HashSet<>();

    /// Nodes that fail where none of their edges is taken.
    private final Set<String> failing = new HashSet<>();

    /// Nodes that some edge leaves whatever its condition.
    private final Set<String> alwaysLeadOn = new HashSet<>();

    private final ContextLabels contexts;
    private int extras;

    Builder(ContextLabels contexts) {
      this.contexts = contexts;
    }

    void shape(String id, String label, DrawnKind kind) {
      shapes.put(id, new Shape(id, label, kind));
    }

    private String extra(String label, DrawnKind kind) {
      extras++;
      var id = "*" + extras;
      shape(id, label, kind);
      return id;
    }

    void node(ObjectValue node) {
      var id = node.textOrEmpty("id");
      var kind =
          switch (node.textOrEmpty("type")) {
            case "router" -> DrawnKind.ROUTER;
            case "human" -> DrawnKind.HUMAN;
            case "subgraph" -> DrawnKind.SUBGRAPH;
            case "fail" -> DrawnKind.FAIL;
            default -> DrawnKind.NODE;
          };
      shape(id, contexts.node(label(id, node, kind), node), kind);
      if (node.isText("edge_mode", "first")) {
        choosing.add(id);
      }
      if (node.isText("on_no_match", "fail")) {
        failing.add(id);
      }
      for (var target : node.texts("targets")) {
        arrow(id, target, "", Line.DASHED);
        leadOn.add(id);
        alwaysLeadOn.add(id);
      }
      node.findText("if_empty").ifPresent(it -> arrow(id, it, "if empty", Line.DASHED));
      node.findObject("config")
          .flatMap(it -> it.findText("graph"))
          .filter(it -> kind == DrawnKind.SUBGRAPH && GraphName.isReference(it))
          .ifPresent(it -> arrow(id, Cluster.within(it, START), "", Line.DASHED));
    }

    /// The label of a subgraph node names the graph that it runs.
    private static String label(String id, ObjectValue node, DrawnKind kind) {
      var label = node.findText("name").orElse(id);
      var called = node.findObject("config").flatMap(it -> it.findText("graph"));
      return kind == DrawnKind.SUBGRAPH ? label + called.map(" → %s"::formatted).orElse("") : label;
    }

    void edge(ObjectValue edge) {
      var from = edge.texts("from");
      if (from.size() > 1) {
        var join = extra(edge.findText("join").orElse("all"), DrawnKind.JOIN);
        from.forEach(it -> arrow(it, join, "", Line.SOLID));
        leadOn.addAll(from);
        alwaysLeadOn.addAll(from);
        var label = contexts.edge("", edge);
        edge.texts("to").forEach(it -> arrow(join, it, label, Line.SOLID));
        return;
      }
      from.forEach(it -> edge(it, edge));
    }

    private void edge(String from, ObjectValue edge) {
      boolean error = EdgeRules.isError(edge);
      boolean otherwise =
          choosing.contains(from) && leadOn.contains(from) && !edge.has("condition");
      if (!error) {
        leadOn.add(from);
        if (!edge.has("condition") && !edge.has("on_incompatible")) {
          alwaysLeadOn.add(from);
        }
      }
      var words = label(edge, error);
      var label = contexts.edge(words.isEmpty() && otherwise ? "else" : words, edge);
      if (edge.has("route")) {
        route(from, edge, label);
      } else {
        edge.texts("to").forEach(it -> arrow(from, it, label, error ? Line.DASHED : Line.SOLID));
      }
    }

    private static String label(ObjectValue edge, boolean error) {
      var named =
          Stream.of(edge.findText("name"), edge.findText("condition"))
              .flatMap(Optional::stream)
              .collect(Collectors.joining(": "));
      if (!error) {
        return named;
      }
      var codes = String.join(", ", edge.texts("error_codes"));
      return ("error " + codes + " " + named).strip();
    }

    private void route(String from, ObjectValue edge, String label) {
      var known = new HashSet<String>();
      edge.objectOrEmpty("route_map")
          .forEach((key, value) -> {
            if (value instanceof Value.Text(var target)) {
              known.add(target);
              arrow(from, target, key, Line.DASHED);
            }
          });
      for (var target : edge.texts("targets")) {
        if (known.add(target)) {
          arrow(from, target, label, Line.DASHED);
        }
      }
      if (known.isEmpty()) {
        arrow(from, extra("?", DrawnKind.ANYWHERE), label, Line.DASHED);
      }
      edge.findText("if_empty").ifPresent(it -> arrow(from, it, "if empty", Line.DASHED));
    }

    /// A node without an edge that leads on ends its branch, and so does one whose edges all have
    /// conditions that do not hold (E24).
    void endOpenBranches() {
      for (var shape : List.copyOf(shapes.values())) {
        boolean node =
            switch (shape.kind()) {
              case NODE, ROUTER, HUMAN, SUBGRAPH -> true;
              case BOUNDARY -> shape.id().equals(START) && leadOn.contains(START);
              case FAIL, JOIN, ANYWHERE -> false;
            };
        boolean led = leadOn.contains(shape.id());
        boolean open = !alwaysLeadOn.contains(shape.id()) && !(led && failing.contains(shape.id()));
        if (node && open) {
          arrow(shape.id(), END, led ? "else" : "", Line.SOLID);
        }
      }
    }

    private void arrow(String from, String to, String label, Line line) {
      arrows.add(new Arrow(from, to, label, line));
    }
  }
}
