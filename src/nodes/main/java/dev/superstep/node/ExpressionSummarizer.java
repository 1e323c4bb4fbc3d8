package dev.superstep.node;

import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.definition.type.SummarizerType;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// Makes a summary with CEL: the messages are `input.messages`, the rest is what a node sees.
final class ExpressionSummarizer implements SummarizerType {
  private static final String SCHEMA =
      """
      {"type": "object", "properties": {"expression": {"type": "string", "minLength": 1}},
       "required": ["expression"], "additionalProperties": false}
      """;
  private final Expressions expressions;

  ExpressionSummarizer(Expressions expressions) {
    this.expressions = expressions;
  }

  @Override
  public String name() {
    return "expression";
  }

  @Override
  public ObjectValue configSchema() {
    return (ObjectValue) Json.read(SCHEMA);
  }

  @Override
  public Summarizer create(ObjectValue config, String graph) {
    var source = config.textOrEmpty("expression");
    try {
      return new Evaluating(expressions.compile(source));
    } catch (InvalidExpressionException e) {
      throw new InvalidNodeException(
          e.violations().stream().map(it -> it.under("/expression")).toList());
    }
  }

  private record Evaluating(Expression expression) implements Summarizer {

    @Override
    public Optional<String> summarize(ListValue messages, NodeCall call) {
      var input = ObjectValue.of("messages", messages);
      return switch (expression.evaluate(call.with("input", input))) {
        case Value.Text(var text) -> Optional.of(text);
        case Value other ->
            throw new TaskFailedException(
                TaskError.permanent(
                    "bad_summary",
                    "the summarizer's expression must give a string, not " + other.typeName()));
      };
    }

    @Override
    public boolean pure() {
      return true;
    }
  }
}
