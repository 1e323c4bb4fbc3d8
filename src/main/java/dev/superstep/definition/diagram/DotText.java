package dev.superstep.definition.diagram;

import java.util.Map;

/// Writes drawings in Graphviz's DOT language.
final class DotText {
  private static final int LABEL_MAX = 80;

  private DotText() {}

  static String write(Drawing drawing, Map<String, Mark> marks) {
    var out = new StringBuilder();
    out.append("digraph ").append(quote(drawing.title())).append(" {\n  node [shape=box];\n");
    drawing.shapes().forEach(it -> shape(it, marks, out));
    for (var cluster : drawing.clusters()) {
      out.append("  subgraph ").append(quote("cluster_" + cluster.reference()));
      out.append(" {\n  label=").append(quote(cluster.reference())).append(";\n");
      cluster.shapes().forEach(it -> shape(it, marks, out));
      out.append("  }\n");
    }
    drawing.arrows().forEach(it -> arrow(it, out));
    return out.append("}\n").toString();
  }

  private static void shape(Drawing.Shape shape, Map<String, Mark> marks, StringBuilder out) {
    out.append("  ").append(quote(shape.id())).append(" [label=").append(quote(shape.label()));
    out.append(", shape=").append(shapeName(shape.kind()));
    var mark = marks.get(shape.id());
    if (mark != null) {
      out.append(", style=filled, fillcolor=").append(quote(Palette.fill(mark)));
      out.append(", color=").append(quote(Palette.style(mark)));
    }
    out.append("];\n");
  }

  private static void arrow(Drawing.Arrow arrow, StringBuilder out) {
    out.append("  ").append(quote(arrow.from())).append(" -> ").append(quote(arrow.to()));
    out.append(
        switch (arrow.line()) {
          case SOLID -> " [style=solid";
          case DASHED -> " [style=dashed";
        });
    if (!arrow.label().isEmpty()) {
      out.append(", label=").append(quote(arrow.label()));
    }
    out.append("];\n");
  }

  private static String shapeName(Drawing.Kind kind) {
    return switch (kind) {
      case BOUNDARY -> "oval";
      case NODE -> "box";
      case ROUTER -> "diamond";
      case HUMAN -> "parallelogram";
      case SUBGRAPH -> "component";
      case FAIL -> "octagon";
      case JOIN, ANYWHERE -> "circle";
    };
  }

  private static String quote(String text) {
    var quoted = new StringBuilder("\"");
    Palette.shorten(text, LABEL_MAX)
        .codePoints()
        .forEach(c -> {
          if (c == '"' || c == '\\') {
            quoted.append('\\');
          }
          quoted.appendCodePoint(c < ' ' ? ' ' : c);
        });
    return quoted.append('"').toString();
  }
}
