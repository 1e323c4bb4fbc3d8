package dev.superstep.definition.diagram;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// Writes drawings as Mermaid flowcharts. Nodes get ids of our own, because words like `end` have a
/// meaning there.
final class MermaidText {
  private static final int LABEL_MAX = 80;
  private static final String UNSAFE = "\"#<>&`\\;";

  private final StringBuilder out = new StringBuilder("flowchart TD\n");
  private final Map<String, String> ids = new HashMap<>();

  private MermaidText() {}

  static String write(Drawing drawing, Map<String, Mark> marks) {
    var text = new MermaidText();
    drawing.shapes().forEach(text::shape);
    drawing.clusters().forEach(text::cluster);
    drawing.arrows().forEach(text::arrow);
    text.marks(drawing, marks);
    return text.out.toString();
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
          .append(Palette.fill(mark))
          .append(",stroke:")
          .append(Palette.style(mark))
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
    Palette.shorten(label, LABEL_MAX)
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
}
