package dev.superstep.definition.read;

import dev.superstep.context.PromptContext;
import dev.superstep.definition.form.ContextTables;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;

/// Reads what the prompt context of a run starts from (P1, P2).
final class ContextReader {
  private final ExpressionReader expressions;

  ContextReader(ExpressionReader expressions) {
    this.expressions = expressions;
  }

  PromptContext read(ObjectValue graph, Location at) {
    var context = initial(graph);
    expressions.checkTemplate(context.template(), at.key("template"));
    return context;
  }

  /// Without a look at the template.
  static PromptContext initial(ObjectValue graph) {
    return ContextTables.CONTEXT.of(graph.objectOrEmpty("context")).initial();
  }
}
