package dev.superstep.node;

import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.Condition;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Node;
import dev.superstep.graph.Violations;
import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.Schemas;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.function.Supplier;

/// Reads and compiles the `config` of a node, which already satisfies the schema of its type, and
/// keeps every problem, so that an author sees all of them at once.
public final class NodeConfig {
  private static final Expression NOTHING = _ -> Value.NULL;
  private final ObjectValue config;
  private final Expressions expressions;
  private final Violations violations = new Violations();

  public NodeConfig(Node node, Expressions expressions) {
    this.config = node.config();
    this.expressions = expressions;
  }

  public boolean has(String key) {
    return config.has(key);
  }

  /// The member as a template; null when there is none.
  public Expression template(String key) {
    return config.has(key) ? compile("/" + key, config.getOr(key, Value.NULL)) : NOTHING;
  }

  /// The member as a template, with another value in its place.
  public Expression template(String key, Value instead) {
    return compile("/" + key, instead);
  }

  /// The member as a template, whose failures say where in `config` they are.
  public Expression located(String key) {
    var template = compile("", ObjectValue.of(key, config.getOr(key, Value.NULL)));
    return scope ->
        template.evaluate(scope) instanceof ObjectValue rendered
            ? rendered.getOr(key, Value.NULL)
            : Value.NULL;
  }

  /// The whole of `config` as a template.
  public Expression whole() {
    return compile("", config);
  }

  private Expression compile(String pointer, Value source) {
    try {
      return expressions.compileTemplate(source)::render;
    } catch (InvalidExpressionException e) {
      return refuse(pointer, e);
    }
  }

  /// The member as a condition in CEL; a template that is true or false does as well.
  public Optional<Condition> condition(String key) {
    return text(key).map(it -> it.contains("{{") ? condition(template(key), key) : cel(key, it));
  }

  private Condition cel(String key, String source) {
    try {
      return expressions.compileCondition(source);
    } catch (InvalidExpressionException e) {
      return condition(refuse("/" + key, e), key);
    }
  }

  private static Condition condition(Expression expression, String key) {
    return scope -> {
      var value = expression.evaluate(scope);
      if (value instanceof Value.Bool(var flag)) {
        return flag;
      }
      throw new ExpressionException(
          "not_boolean", "/%s must be true or false; got %s".formatted(key, value.typeName()));
    };
  }

  /// The member as a JSON Schema; everything passes when there is none.
  public ValueCheck schema(String key) {
    try {
      return find(key)
          .filter(it -> !it.equals(Value.NULL))
          .map(Schemas::compile)
          .orElse(ValueCheck.NONE);
    } catch (InvalidSchemaException e) {
      e.problems().forEach(it -> refuse(key + it.pointer(), "invalid_schema", it.message()));
      return ValueCheck.NONE;
    }
  }

  /// The member as it stands, which is no template.
  public Optional<String> text(String key) {
    return config.findText(key);
  }

  public Optional<Value> find(String key) {
    return Optional.ofNullable(config.get(key));
  }

  /// Says that something is wrong with a member.
  public void refuse(String key, String code, String message) {
    violations.error("/" + key, code, message);
  }

  private Expression refuse(String pointer, InvalidExpressionException thrown) {
    thrown.violations().forEach(it -> violations.error(it.under(pointer)));
    return NOTHING;
  }

  /// What `made` makes, unless something was refused.
  ///
  /// @throws InvalidNodeException naming all that was
  public <T> T unlessRefused(Supplier<T> made) {
    if (violations.hasErrors()) {
      throw new InvalidNodeException(violations.errors());
    }
    return made.get();
  }
}
