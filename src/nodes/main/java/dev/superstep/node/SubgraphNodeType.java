package dev.superstep.node;

import dev.superstep.definition.GraphName;
import dev.superstep.definition.Suggestion;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs another stored graph as one node.
final class SubgraphNodeType extends ConfiguredNodeType {
  /// An earlier name of `result`.
  private static final String OUTPUT = "output";

  SubgraphNodeType(Expressions expressions) {
    super("subgraph", expressions);
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    var graph = config.text("graph").orElse("");
    if (GraphName.isReference(graph) && config.has("version")) {
      config.refuse(
          "version",
          "not_applicable",
          "an inline graph has the version of the definition that it is in; remove 'version'");
    }
    var called = new SubgraphNode.Called(graph, config.node().config().findInt("version"));
    var input = config.findTemplate("input");
    var result =
        ResultTemplate.insteadOf(OUTPUT, config)
            .or(() -> ResultTemplate.of(OUTPUT, config))
            .orElseGet(() -> toChannel(config));
    return () -> new SubgraphNode(called, input, result);
  }

  /// An id may have a hyphen or be longer than a channel's name; then `result` is required.
  private static ResultTemplate toChannel(NodeConfig config) {
    var channel = config.node().id().value();
    config.checkChannel(
        channel,
        ResultTemplate.KEY,
        "say what becomes of the child's output",
        "without result the child's output goes to channel '%s', which");
    return ResultTemplate.updating(channel);
  }

  @Override
  public Optional<CalledGraph> calls(ObjectValue config) {
    return config.findText("graph").map(it -> new CalledGraph(it, config.findInt("version")));
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
    return result(node.config()) == null
        ? WrittenChannels.named(node.id().value())
        : super.writes(node, graph);
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
  protected @Nullable Value result(ObjectValue config) {
    var result = super.result(config);
    return result == null ? config.get(OUTPUT) : result;
  }

  @Override
  public boolean mayBeCached() {
    return false;
  }
}
