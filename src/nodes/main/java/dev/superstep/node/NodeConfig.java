package dev.superstep.node;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Durations;
import dev.superstep.definition.form.Names;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.Condition;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Node;
import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.Schemas;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// Reads and compiles the `config` of a node, which already satisfies the schema of its type, and
/// keeps every problem, so that an author sees all of them at once.
public final class NodeConfig {
  private static final Expression NOTHING = _ -> Value.NULL;
  private final Node node;
  private final GraphOutline graph;
  private final ObjectValue config;
  private final ObjectValue schema;
  private final Expressions expressions;
  private final Violations violations = new Violations();

  /// @param schema of the type, which declares the keys
  NodeConfig(Node node, GraphOutline graph, ObjectValue schema, Expressions expressions) {
    this.node = node;
    this.graph = graph;
    this.config = node.config();
    this.schema = schema;
    this.expressions = expressions;
  }

  public Node node() {
    return node;
  }

  public GraphOutline graph() {
    return graph;
  }

  public Expressions expressions() {
    return expressions;
  }

  public boolean has(String key) {
    return config.has(key);
  }

  /// The member as a template; null when there is none.
  public Expression template(String key) {
    return config.has(key) ? compile("/" + key, config.getOr(key, Value.NULL)) : NOTHING;
  }

  /// The member as a template; empty when there is none.
  public Optional<Expression> findTemplate(String key) {
    return config.has(key) ? Optional.of(template(key)) : Optional.empty();
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

  /// Some members as one template, whose failures say where in `config` they are.
  Expression members(ObjectValue some) {
    return compile("", some);
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

  /// Refuses what is no condition in CEL, somewhere within the config.
  void checkCondition(String at, String source) {
    try {
      expressions.compileCondition(source);
    } catch (InvalidExpressionException e) {
      refuse("/" + at, e);
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

  /// The member as it stands, which is no template; without it, the default that the schema
  /// declares.
  public Optional<String> text(String key) {
    return config
        .findText(key)
        .or(() -> schema.objectOrEmpty("properties").objectOrEmpty(key).findText("default"));
  }

  /// Who may answer what the node asks: `may_answer`.
  public MayAnswer mayAnswer() {
    return text("may_answer")
        .flatMap(MayAnswer::find)
        .filter(it -> it != MayAnswer.STARTER_WITH_TOKEN)
        .orElse(MayAnswer.ANYBODY);
  }

  public boolean isText(String key, String wanted) {
    return text(key).filter(wanted::equals).isPresent();
  }

  /// The member if it is a text without templates.
  public Optional<String> literal(String key) {
    return config.findText(key).filter(it -> !it.contains("{{"));
  }

  /// The member as a template of a duration; a literal that is none is refused.
  public Expression duration(String key) {
    literal(key)
        .filter(it -> Durations.parse(it).isEmpty())
        .ifPresent(
            _ -> refuse(key, "invalid_duration", "write 500ms, 30s, 5m, 1h, 2d or ISO 8601"));
    return template(key);
  }

  /// A template of a duration somewhere within the config; a literal that is none is refused.
  Expression durationAt(String at, Value given) {
    if (given instanceof Value.Text(var text)
        && !text.contains("{{")
        && Durations.parse(text).isEmpty()) {
      refuse(at, "invalid_duration", "write 500ms, 30s, 5m, 1h, 2d or ISO 8601");
    }
    return template(at, given);
  }

  /// What a template of a duration gave.
  static Duration duration(String key, Value given) {
    var parsed =
        given instanceof Value.Text(var text) ? Durations.parse(text) : Optional.<Duration>empty();
    return parsed.orElseThrow(() ->
        new ExpressionException(
            "invalid_duration", "/%s: %s is no duration".formatted(key, Canonical.text(given))));
  }

  /// Refuses a channel that the node cannot write; see [#channelProblem].
  ///
  /// @param key that names it, or would
  public void checkChannel(String channel, String key, String unnamed, String undeclared) {
    channelProblem(channel, graph, unnamed, undeclared)
        .ifPresent(it -> refuse(key, it.code(), it.message()));
  }

  /// Why a node cannot write a channel, which may be the node's id; empty if it can.
  ///
  /// @param unnamed what to do if an id cannot name a channel
  /// @param undeclared names a channel that is not declared
  public static Optional<Violation> channelProblem(
      String channel, GraphOutline graph, String unnamed, String undeclared) {
    if (!Names.isChannel(channel)) {
      return Optional.of(
          Violation.of(
              "",
              Codes.MISSING_FIELD,
              "the node's id '%s' cannot name a channel; %s".formatted(channel, unnamed)));
    }
    return graph.takes(channel)
        ? Optional.empty()
        : Optional.of(
            Violation.of(
                "",
                Codes.UNKNOWN_CHANNEL,
                undeclared.formatted(channel)
                    + " is not declared, and the graph has strict_channels: true"));
  }

  public Optional<Value> find(String key) {
    return Optional.ofNullable(config.get(key));
  }

  /// Says that something is wrong with a member.
  public void refuse(String key, String code, String message) {
    violations.error("/" + key, code, message);
  }

  void refuse(Violation violation) {
    violations.error(violation);
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
