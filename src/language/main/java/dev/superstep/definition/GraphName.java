package dev.superstep.definition;

import dev.superstep.state.value.ObjectValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The name under which a graph runs: that of its definition, or `definition#inline` for an inline
/// graph, which is compiled from the definition around it and has its versions.
///
/// @param definition of a stored graph
/// @param inline "": the stored graph itself
public record GraphName(String definition, String inline) {
  /// The key of a definition that has its inline graphs.
  public static final String GRAPHS = "graphs";

  /// What inline graphs take from the definition around them. Of `strict_channels` their own wins;
  /// the other keys they cannot have.
  public static final List<String> INHERITED = List.of("strict_channels", "params", "tools");

  private static final char MARK = '#';

  public static GraphName of(String text) {
    int mark = text.indexOf(MARK);
    return mark < 0
        ? new GraphName(text, "")
        : new GraphName(text.substring(0, mark), text.substring(mark + 1));
  }

  /// The graph that a node of this one names: `#inline` is within the same definition.
  public GraphName called(String written) {
    return isReference(written) ? new GraphName(definition, written.substring(1)) : of(written);
  }

  /// Whether a node names an inline graph so.
  public static boolean isReference(String written) {
    return !written.isEmpty() && written.charAt(0) == MARK;
  }

  public static String reference(String inline) {
    return MARK + inline;
  }

  public boolean isInline() {
    return !inline.isEmpty();
  }

  /// As runs show it.
  public String text() {
    return isInline() ? definition + MARK + inline : definition;
  }

  /// Says that clients find no such graph.
  public String unknown() {
    return isInline()
        ? "'%s' is an inline graph, which only nodes of graph '%s' run; name '%s'"
            .formatted(text(), definition, definition)
        : "there is no graph '%s'".formatted(definition);
  }

  /// The names of all inline graphs of a definition are after this one, and before [#afterInline],
  /// in the order of bytes.
  public static String beforeInline(String definition) {
    return definition + MARK;
  }

  public static String afterInline(String definition) {
    return definition + MARK + '~';
  }

  /// Where the graph stands in its definition, as JSON pointer.
  public String pointer() {
    return isInline() ? "/" + GRAPHS + "/" + inline : "";
  }

  /// The graph as a definition of its own; empty: there is none.
  ///
  /// @param stored the definition, in long form
  public Optional<ObjectValue> find(ObjectValue stored) {
    if (!isInline()) {
      return Optional.of(stored);
    }
    return Optional.ofNullable(inlineGraphs(stored).get(inline))
        .map(graph -> {
          var whole = graph.plus("name", text());
          for (var key : INHERITED) {
            var inherited = stored.get(key);
            if (inherited != null && !whole.has(key)) {
              whole = whole.plus(key, inherited);
            }
          }
          return whole;
        });
  }

  /// The inline graphs of a definition as they stand there, by name.
  public static Map<String, ObjectValue> inlineGraphs(ObjectValue definition) {
    var graphs = new LinkedHashMap<String, ObjectValue>();
    if (definition.get(GRAPHS) instanceof ObjectValue members) {
      members.forEach((name, value) -> {
        if (value instanceof ObjectValue graph) {
          graphs.put(name, graph);
        }
      });
    }
    return graphs;
  }
}
