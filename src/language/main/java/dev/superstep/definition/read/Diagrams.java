package dev.superstep.definition.read;

import dev.superstep.state.value.ObjectValue;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// Draws graphs as Mermaid flowcharts. Nodes get ids of our own, because words like `end` have a
/// meaning there.
public final class Diagrams {
  private static final int LABEL_MAX = 80;
  private static final String UNSAFE = "\"#<>&`\\;";

  private final StringBuilder out = new StringBuilder("flowchart TD\n");
  private final Map<String, String> ids = new HashMap<>();

  private Diagrams() {}

  /// Draws a graph. Texts of authors are quoted: they cannot change the picture's structure.
  ///
  /// @param definition in long form
  /// @param marks node id → status; `{}` for a graph that does not run
  public static String render(ObjectValue definition, Map<String, Mark> marks) {
    var drawing = Drawing.of(definition);
    var diagram = new Diagrams();
    drawing.shapes().forEach(diagram::shape);
    drawing.clusters().forEach(diagram::cluster);
    drawing.arrows().forEach(diagram::arrow);
    diagram.marks(drawing, marks);
    return diagram.out.toString();
  }

  private void cluster(Drawing.Cluster cluster) {
    out.append("  subgraph g")
        .append(ids.size())
        .append('[')
        .append(quote(cluster.reference()))
        .append("]\n");
    cluster.shapes().forEach(this::shape);
    out.append("  end\n");
  }

  private void shape(Drawing.Shape shape) {
    var id = "n" + ids.size();
    ids.put(shape.id(), id);
    var label = quote(shape.label());
    out.append("  ")
        .append(id)
        .append(
            switch (shape.kind()) {
              case BOUNDARY -> "([" + label + "])";
              case NODE -> "[" + label + "]";
              case ROUTER -> "{" + label + "}";
              case HUMAN -> "[/" + label + "/]";
              case SUBGRAPH -> "[[" + label + "]]";
              case FAIL -> "{{" + label + "}}";
              case JOIN, ANYWHERE -> "((" + label + "))";
            })
        .append('\n');
  }

  private void arrow(Drawing.Arrow arrow) {
    var head =
        switch (arrow.line()) {
          case SOLID -> " -->";
          case DASHED -> " -.->";
        };
    out.append("  ").append(ids.get(arrow.from())).append(head);
    if (!arrow.label().isEmpty()) {
      out.append('|').append(quote(arrow.label())).append('|');
    }
    out.append(' ').append(ids.get(arrow.to())).append('\n');
  }

  private void marks(Drawing drawing, Map<String, Mark> marks) {
    if (marks.isEmpty()) {
      return;
    }
    for (var mark : Mark.values()) {
      out.append("  classDef ")
          .append(name(mark))
          .append(" fill:")
          .append(fill(mark))
          .append(",stroke:")
          .append(stroke(mark))
          .append('\n');
    }
    for (var shape : drawing.shapes()) {
      var mark = marks.get(shape.id());
      if (mark != null) {
        out.append("  class ").append(ids.get(shape.id())).append(' ').append(name(mark));
        out.append('\n');
      }
    }
  }

  private static String name(Mark mark) {
    return mark.name().toLowerCase(Locale.ROOT);
  }

  /// In quotes, with everything that Mermaid or HTML would read otherwise as character codes.
  private static String quote(String label) {
    var quoted = new StringBuilder("\"");
    shorten(label)
        .codePoints()
        .forEach(c -> {
          if (UNSAFE.indexOf(c) >= 0) {
            quoted.append('#').append(c).append(';');
          } else {
            quoted.appendCodePoint(c < ' ' ? ' ' : c);
          }
        });
    return quoted.append('"').toString();
  }

  private static String shorten(String label) {
    return label.codePointCount(0, label.length()) <= LABEL_MAX
        ? label
        : label.substring(0, label.offsetByCodePoints(0, LABEL_MAX - 1)) + "…";
  }

  private static String fill(Mark mark) {
    return switch (mark) {
      case DONE -> "#d4f4dd";
      case HANDLED -> "#f3e0c7";
      case ACTIVE -> "#d6e8ff";
      case FAILED -> "#ffd9d6";
      case INTERRUPTED -> "#fff1c9";
    };
  }

  private static String stroke(Mark mark) {
    return switch (mark) {
      case DONE -> "#2e7d32";
      case HANDLED -> "#b45309";
      case ACTIVE -> "#1565c0";
      case FAILED -> "#c62828";
      case INTERRUPTED -> "#b58900";
    };
  }
}
