package dev.superstep.definition.diagram;

import dev.superstep.definition.form.Fields;
import dev.superstep.state.value.ObjectValue;
import java.util.Map;

/// Draws graphs as diagrams.
public final class Diagrams {
  private Diagrams() {}

  /// The language of a picture.
  public enum Format {
    /// A Mermaid flowchart.
    MERMAID,
    /// Graphviz.
    DOT
  }

  /// Draws a graph. Texts of authors are quoted: they cannot change the picture's structure.
  ///
  /// @param definition in long form
  /// @param marks node id → status; `{}` for a graph that does not run
  public static String render(ObjectValue definition, Format format, Map<String, Mark> marks) {
    var drawing = Drawing.of(new Fields(definition));
    return switch (format) {
      case MERMAID -> MermaidText.write(drawing, marks);
      case DOT -> DotText.write(drawing, marks);
    };
  }
}
