package dev.superstep.definition.read;

import dev.superstep.definition.read.Drawing.Arrow;
import dev.superstep.definition.read.Drawing.DrawnKind;
import dev.superstep.definition.read.Drawing.Line;
import dev.superstep.definition.read.Drawing.Shape;
import dev.superstep.state.value.ObjectValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/// The nodes of a graph and what leads from one to another, for programs that draw it themselves.
/// Joins are not nodes here: each of their sources leads to each of their targets.
///
/// @param nodes ids, `__start__` and `__end__` among them
public record DrawnGraph(List<String> nodes, List<DrawnEdge> edges) {
  public DrawnGraph {
    nodes = List.copyOf(nodes);
    edges = List.copyOf(edges);
  }

  /// @param label "" for none
  public record DrawnEdge(String source, String target, String label, boolean conditional) {}

  /// @param definition in long form; its inline graphs are left out
  /// @param work pays for each edge before it is there; ends the drawing by an exception
  public static DrawnGraph of(ObjectValue definition, LongConsumer work) {
    var drawing = Drawing.of(definition);
    var kinds = drawing.shapes().stream().collect(Collectors.toMap(Shape::id, Shape::kind));
    var nodes =
        drawing.shapes().stream()
            .filter(it -> it.kind() != DrawnKind.JOIN && it.kind() != DrawnKind.ANYWHERE)
            .map(Shape::id)
            .toList();
    var known = new LinkedHashSet<>(nodes);
    var edges = new LinkedHashSet<DrawnEdge>();
    var joined = joined(drawing.arrows(), kinds);
    for (var arrow : drawing.arrows()) {
      if (known.contains(arrow.from())) {
        var targets = joined.getOrDefault(arrow.to(), List.of(arrow.to()));
        work.accept(targets.size());
        for (var target : targets) {
          if (known.contains(target)) {
            edges.add(
                new DrawnEdge(
                    arrow.from(),
                    target,
                    arrow.label(),
                    arrow.line() == Line.DASHED || !arrow.label().isEmpty()));
          }
        }
      }
    }
    return new DrawnGraph(nodes, List.copyOf(edges));
  }

  /// Join → where it leads to.
  private static Map<String, List<String>> joined(
      List<Arrow> arrows, Map<String, DrawnKind> kinds) {
    return arrows.stream()
        .filter(it -> kinds.get(it.from()) == DrawnKind.JOIN)
        .collect(
            Collectors.groupingBy(Arrow::from, Collectors.mapping(Arrow::to, Collectors.toList())));
  }
}
