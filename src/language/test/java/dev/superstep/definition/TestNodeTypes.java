package dev.superstep.definition;

import dev.superstep.context.ContextCache;
import dev.superstep.context.ContextCondition;
import dev.superstep.context.ContextLibrary;
import dev.superstep.context.ContextRuleReader;
import dev.superstep.context.Processors;
import dev.superstep.context.Transforms;
import dev.superstep.definition.read.DefinitionReader;
import dev.superstep.definition.read.DefinitionReaders;
import dev.superstep.definition.read.Registered;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.definition.type.ResultCache;
import dev.superstep.definition.type.SummarizerType;
import dev.superstep.definition.type.Summarizers;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.Node;
import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.util.unit.DataSize;

/// Node types whose nodes do nothing, with the configuration of the real ones as far as reading is
/// concerned.
public final class TestNodeTypes {
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
  public static final DefinitionReader READER =
      reader(new DefinitionLimits(1 << 20, 100, 100, 100, 1_000, 10, 10, DataSize.ofMegabytes(1)));

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

  public static DefinitionReader reader(DefinitionLimits limits) {
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
                    Map.of(),
                    ContextCache.NONE)),
            (_, _, _) -> {},
            ResultCache.NONE),
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
    public Summarizer create(ObjectValue config, String graph) {
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
        throw new InvalidNodeException(e.violations());
      }
      return _ -> new Outcome.Done(NodeResult.NOTHING);
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
