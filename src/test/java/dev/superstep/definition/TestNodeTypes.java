package dev.superstep.definition;

import dev.superstep.context.ContextCache;
import dev.superstep.context.ContextCondition;
import dev.superstep.context.ContextLibrary;
import dev.superstep.context.ContextRuleReader;
import dev.superstep.context.Processors;
import dev.superstep.context.Transforms;
import dev.superstep.engine.NodeResult;
import dev.superstep.engine.NodeRunner;
import dev.superstep.engine.Outcome;
import dev.superstep.engine.Summarizer;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.Node;
import dev.superstep.json.Json;
import dev.superstep.state.ObjectValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.util.unit.DataSize;

/// Node types whose nodes do nothing, with the configuration of the real ones as far as reading is
/// concerned.
final class TestNodeTypes {
  private static final String OPEN = "{\"type\": \"object\"}";
  private static final String EXPRESSION =
      """
      {"type": "object", "additionalProperties": false, "properties": {
        "update": {"type": ["object", "string"], "minLength": 2}, "dispatch": {}, "goto": {}}}
      """;

  private static final Expressions EXPRESSIONS = new Expressions();

  private static final ServerLimits SERVER =
      new ServerLimits(1_000, 256, 100_000, Duration.ofDays(30));

  /// Shared, because building the expression language takes long.
  static final DefinitionReader READER =
      reader(new DefinitionLimits(1 << 20, 100, 100, 100, 1_000, 10, DataSize.ofMegabytes(1)));

  private TestNodeTypes() {}

  static NodeTypes all() {
    var types = new ArrayList<NodeType>();
    types.add(new Idle("expression", EXPRESSION, Optional.of(Duration.ofMinutes(5))));
    types.add(new Idle("router", OPEN, Optional.of(Duration.ofMinutes(5))));
    types.add(new Idle("http", OPEN, Optional.of(Duration.ofMinutes(5))));
    types.add(new Idle("llm", OPEN, Optional.of(Duration.ofMinutes(5))));
    types.add(new Idle("tool", OPEN, Optional.of(Duration.ofMinutes(5))));
    types.add(new Idle("human", OPEN, Optional.empty()));
    return new NodeTypes(types);
  }

  static DefinitionReader reader(DefinitionLimits limits) {
    return DefinitionReaders.of(
        new Registered(
            all(),
            Map.of("merge_users", (_, it) -> it),
            new Summarizers(List.of(new Silence())),
            new ContextRuleReader(
                new ContextLibrary(
                    TestNodeTypes::condition,
                    Transforms.BUILT_IN,
                    Processors.NONE.with("known", (context, _) -> context),
                    ContextCache.NONE)),
            _ -> List.of()),
        EXPRESSIONS,
        limits,
        SERVER);
  }

  private static ContextCondition condition(String source) throws ContextCondition.Invalid {
    try {
      var condition = EXPRESSIONS.compileCondition(source);
      return new ContextCondition(source, (_, around) -> condition.test(around::get));
    } catch (InvalidExpressionException e) {
      var first = e.problems().getFirst();
      throw new ContextCondition.Invalid(first.message(), first.line(), first.column());
    }
  }

  private record Silence() implements SummarizerType {
    @Override
    public String name() {
      return "drop";
    }

    @Override
    public ObjectValue configSchema() {
      return (ObjectValue) Json.read("{\"additionalProperties\": false}");
    }

    @Override
    public Summarizer create(ObjectValue config) {
      return (_, _) -> Optional.empty();
    }
  }

  private record Idle(String name, String schema, Optional<Duration> defaultTimeout)
      implements NodeType {

    @Override
    public String description() {
      return "does nothing";
    }

    @Override
    public ObjectValue configSchema() {
      return (ObjectValue) Json.read(schema);
    }

    @Override
    public NodeRunner create(Node node, GraphOutline graph) {
      try {
        EXPRESSIONS.compileTemplate(node.config());
      } catch (InvalidExpressionException e) {
        throw new InvalidNodeException(problems(e));
      }
      return _ -> new Outcome.Done(NodeResult.NOTHING);
    }

    private static List<Problem> problems(InvalidExpressionException failure) {
      return failure.problems().stream()
          .map(it ->
              Problem.at(
                  it.pointer(), Codes.INVALID_EXPRESSION, it.message(), it.line(), it.column()))
          .toList();
    }

    @Override
    public boolean available() {
      return !name.equals("llm");
    }

    @Override
    public boolean mayRoute(ObjectValue config) {
      return config.has("goto") || config.has("dispatch") || name.equals("http");
    }
  }
}
