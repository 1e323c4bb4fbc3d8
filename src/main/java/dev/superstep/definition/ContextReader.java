package dev.superstep.definition;

import dev.superstep.context.PromptContext;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;

/// Reads what the prompt context of a run starts from (P1, P2).
final class ContextReader {
  private final ExpressionReader expressions;

  ContextReader(ExpressionReader expressions) {
    this.expressions = expressions;
  }

  PromptContext read(Fields graph, Place at) {
    return graph.fields("context").map(it -> context(it, at)).orElse(PromptContext.EMPTY);
  }

  private PromptContext context(Fields context, Place at) {
    var template = context.text("template").orElse("");
    expressions.checkTemplate(template, at.key("template"));
    return new PromptContext(
        template,
        context.objectOr("variables", ObjectValue.empty()),
        ListValue.empty(),
        ListValue.empty(),
        context.objectOr("metadata", ObjectValue.empty()));
  }
}
