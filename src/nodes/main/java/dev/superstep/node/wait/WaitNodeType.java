package dev.superstep.node.wait;

import dev.superstep.definition.form.Durations;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.compile.Expressions;
import dev.superstep.graph.Node;
import dev.superstep.node.ConfigSchema;
import dev.superstep.node.NodeConfig;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Sleeps durably.
@Component
final class WaitNodeType implements NodeType {
  private final Expressions expressions;
  private final ObjectValue schema = ConfigSchema.read("wait");

  WaitNodeType(Expressions expressions) {
    this.expressions = expressions;
  }

  @Override
  public String name() {
    return "wait";
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    var config = new NodeConfig(node, expressions);
    var pause = config.template("for");
    var until = config.template("until");
    constant(config, "for")
        .filter(it -> Durations.parse(it).isEmpty())
        .ifPresent(_ ->
            config.refuse("for", "invalid_duration", "write 500ms, 30s, 5m, 1h, 2d or ISO 8601"));
    constant(config, "until")
        .filter(it -> WaitNode.instant(it).isEmpty())
        .ifPresent(_ ->
            config.refuse(
                "until", "invalid_value", "write an RFC 3339 time: 2026-01-31T08:00:00Z"));
    return config.unlessRefused(
        () -> config.has("for") ? new WaitNode.For(pause) : new WaitNode.Until(until));
  }

  private static Optional<String> constant(NodeConfig config, String key) {
    return config.text(key).filter(it -> !it.contains("{{"));
  }

  @Override
  public Optional<Duration> defaultTimeout() {
    return Optional.empty();
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    return WrittenChannels.NOTHING;
  }

  @Override
  public boolean makesAttempts() {
    return false;
  }

  @Override
  public boolean mayRoute(ObjectValue config) {
    return false;
  }
}
