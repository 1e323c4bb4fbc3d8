package dev.superstep.node;

import dev.superstep.definition.form.Durations;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Node;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/// Sleeps durably.
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

  /// Waits once: a call that is woken, or that has nothing to wait for, is done.
  private sealed interface WaitNode extends NodeRunner {

    Instant due(NodeCall call);

    @Override
    default Outcome run(NodeCall call) {
      if (call.woken()) {
        return new Outcome.Done(NodeResult.NOTHING);
      }
      var due = due(call);
      return due.isAfter(call.clock())
          ? new Outcome.Waiting(due)
          : new Outcome.Done(NodeResult.NOTHING);
    }

    @Override
    default boolean pure() {
      return true;
    }

    record For(Expression pause) implements WaitNode {
      @Override
      public Instant due(NodeCall call) {
        var value = pause.evaluate(call);
        return text(value)
            .flatMap(Durations::parse)
            .map(call.clock()::plus)
            .orElseThrow(() ->
                new ExpressionException(
                    "invalid_duration",
                    "/for: %s is no duration".formatted(Canonical.text(value))));
      }
    }

    record Until(Expression moment) implements WaitNode {
      @Override
      public Instant due(NodeCall call) {
        var value = moment.evaluate(call);
        return text(value)
            .flatMap(WaitNode::instant)
            .orElseThrow(() ->
                new ExpressionException(
                    "invalid_time",
                    "/until: %s is no RFC 3339 time".formatted(Canonical.text(value))));
      }
    }

    static Optional<Instant> instant(String text) {
      try {
        return Optional.of(OffsetDateTime.parse(text).toInstant());
      } catch (DateTimeException e) {
        return Optional.empty();
      }
    }

    private static Optional<String> text(Value value) {
      return value instanceof Value.Text(var text) ? Optional.of(text) : Optional.empty();
    }
  }
}
