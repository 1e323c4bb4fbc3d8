package dev.superstep.definition.read;

import dev.superstep.context.NodeContextType;
import dev.superstep.graph.Violations;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;

/// Labels nodes and edges of a diagram with their effect on the prompt context: `+` before what
/// they pass, `-` before what they drop, `~` before what they change.
final class ContextLabels {
  private final Drawn drawn;

  /// Whether the graph keeps a prompt context at all.
  private enum Drawn {
    YES,
    NO
  }

  private ContextLabels(Drawn drawn) {
    this.drawn = drawn;
  }

  static ContextLabels of(ObjectValue graph) {
    return new ContextLabels(
        ContextRules.areIn(graph, new Violations().root()) ? Drawn.YES : Drawn.NO);
  }

  /// The label of a node and how it takes the prompt context; nodes that take everything have
  /// nothing.
  String node(String label, ObjectValue node) {
    var words = new ArrayList<String>();
    if (drawn == Drawn.YES) {
      var byDefault = NodeContextType.defaultFor(node.textOrEmpty("type")).key();
      var type = node.findText("context_type").orElse(byDefault);
      if (node.has("context_type") || !type.equals("pass_through")) {
        words.add(type);
      }
      node.findObject("context_filter").ifPresent(it -> rules(it, words));
      for (var filter : node.listOrEmpty("context_filters")) {
        if (filter instanceof ObjectValue object) {
          object.findText("name").ifPresent(words::add);
          rules(object, words);
        }
      }
      node.texts("required_context").forEach(it -> words.add("needs " + it));
    }
    return join(label, words);
  }

  private static void rules(ObjectValue filter, List<String> words) {
    for (var item : filter.listOrEmpty("rules")) {
      if (item instanceof ObjectValue rule) {
        words.add(sign(rule.textOrEmpty("type")) + rule.textOrEmpty("pattern"));
      }
    }
    if (filter.listOrEmpty("rules").isEmpty()) {
      filter.findText("default_behavior").ifPresent(words::add);
    }
  }

  private static String sign(String type) {
    return switch (type) {
      case "include" -> "+";
      case "exclude" -> "-";
      default -> "~";
    };
  }

  /// The label of an edge and what it passes on; edges without a filter have none.
  String edge(String label, ObjectValue edge) {
    var words = new ArrayList<String>();
    edge.findObject("context_filter")
        .ifPresent(it -> {
          words.add(it.textOrEmpty("type"));
          it.texts("include_patterns").forEach(pattern -> words.add("+" + pattern));
          it.texts("exclude_patterns").forEach(pattern -> words.add("-" + pattern));
          for (var rule : it.listOrEmpty("transform_rules")) {
            if (rule instanceof ObjectValue object) {
              words.add("~" + object.textOrEmpty("source_pattern"));
            }
          }
          it.findText("condition").ifPresent(condition -> words.add("if " + condition));
        });
    if (edge.has("on_incompatible")) {
      words.add("or skip");
    }
    return join(label, words);
  }

  private static String join(String label, List<String> words) {
    if (words.isEmpty()) {
      return label;
    }
    var text = "[" + String.join(" ", words) + "]";
    return label.isEmpty() ? text : label + " " + text;
  }
}
