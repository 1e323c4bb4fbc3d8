package dev.superstep.definition.read;

import dev.superstep.context.PromptContext;
import dev.superstep.definition.form.Fields;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;

/// Reads what the prompt context of a run starts from (P1, P2).
final class ContextReader {
  private final ExpressionReader expressions;

  ContextReader(ExpressionReader expressions) {
    this.expressions = expressions;
  }

  PromptContext read(Fields graph, Location at) {
    var context = initial(graph);
    expressions.checkTemplate(context.template(), at.key("template"));
    return context;
  }

  /// Without a look at the template.
  static PromptContext initial(Fields graph) {
    return graph.fields("context").map(ContextReader::initialOf).orElse(PromptContext.EMPTY);
  }

  private static PromptContext initialOf(Fields context) {
    return new PromptContext(
        context.text("template").orElse(""),
        context.objectOr("variables", ObjectValue.empty()),
        ListValue.empty(),
        ListValue.empty(),
        context.objectOr("metadata", ObjectValue.empty()));
  }
}
