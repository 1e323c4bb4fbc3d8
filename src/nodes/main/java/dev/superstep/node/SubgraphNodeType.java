package dev.superstep.node;

import dev.superstep.definition.GraphName;
import dev.superstep.definition.Suggestion;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// Runs another stored graph as one node.
final class SubgraphNodeType implements NodeType {
  private static final Pattern CHANNEL = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

  /// An earlier name of `result`.
  private static final String OUTPUT = "output";

  private final Expressions expressions;
  private final ObjectValue schema = ConfigSchema.read("subgraph");

  SubgraphNodeType(Expressions expressions) {
    this.expressions = expressions;
  }

  @Override
  public String name() {
    return "subgraph";
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    var config = new NodeConfig(node, expressions);
    if (config.text("graph").filter(GraphName::isReference).isPresent() && config.has("version")) {
      config.refuse(
          "version",
          "not_applicable",
          "an inline graph has the version of the definition that it is in; remove 'version'");
    }
    var called = new SubgraphNode.Called(config.text("graph").orElse(""), version(node.config()));
    var input = template("input", config);
    var result =
        ResultTemplate.insteadOf(OUTPUT, config, node, graph)
            .or(() -> ResultTemplate.of(OUTPUT, config, node))
            .orElseGet(() -> toChannel(node.id().value(), graph, config));
    return config.unlessRefused(() -> new SubgraphNode(called, input, result));
  }

  private static Optional<Expression> template(String key, NodeConfig config) {
    return config.has(key) ? Optional.of(config.template(key)) : Optional.empty();
  }

  private static Optional<Integer> version(ObjectValue config) {
    return config.get("version") instanceof Value.Int(var number)
        ? Optional.of(Math.toIntExact(number))
        : Optional.empty();
  }

  /// An id may have a hyphen or be longer than a channel's name; then `result` is required.
  private static ResultTemplate toChannel(String channel, GraphOutline graph, NodeConfig config) {
    if (!CHANNEL.matcher(channel).matches()) {
      config.refuse(
          ResultTemplate.KEY,
          "missing_field",
          "the node's id '%s' cannot name a channel; say what becomes of the child's output"
              .formatted(channel));
    } else if (!graph.takes(channel)) {
      config.refuse(
          ResultTemplate.KEY,
          "unknown_channel",
          "without result the child's output goes to channel '%s', which is not declared, and the graph has strict_channels: true"
              .formatted(channel));
    }
    return ResultTemplate.updating(channel);
  }

  @Override
  public Optional<CalledGraph> calls(ObjectValue config) {
    return config.get("graph") instanceof Value.Text(var graph)
        ? Optional.of(new CalledGraph(graph, version(config)))
        : Optional.empty();
  }

  /// The nodes of the child have theirs.
  @Override
  public Optional<Duration> defaultTimeout() {
    return Optional.empty();
  }

  /// It bounds the wall time of the child.
  @Override
  public boolean mayTimeOut() {
    return true;
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    return written(node.config())
        .map(ResultWrites::of)
        .orElseGet(() -> WrittenChannels.named(node.id().value()));
  }

  /// A node result with unknown keys fails whenever the child has ended.
  @Override
  public void advise(Node node, GraphOutline graph, Location at) {
    if (node.config().get(OUTPUT) instanceof ObjectValue output) {
      for (var key : output.asMap().keySet()) {
        if (!NodeResults.KEYS.contains(key)) {
          at.key(OUTPUT)
              .key(key)
              .error(
                  "unknown_field",
                  "there is no key '%s' in a node result%s"
                      .formatted(key, Suggestion.among(NodeResults.KEYS, key)));
        }
      }
    }
  }

  @Override
  public boolean mayRoute(ObjectValue config) {
    return ResultTemplate.mayRoute(written(config).orElse(null));
  }

  @Override
  public boolean mayBeEmpty(ObjectValue config) {
    return ResultTemplate.mayBeEmpty(written(config).orElse(null));
  }

  /// The node result that the author wrote.
  private static Optional<Value> written(ObjectValue config) {
    return Optional.ofNullable(config.get(ResultTemplate.KEY))
        .or(() -> Optional.ofNullable(config.get(OUTPUT)));
  }
}
