package dev.superstep.node;

import dev.superstep.definition.Codes;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.graph.Violation;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Sleeps durably.
final class WaitNodeType extends ConfiguredNodeType {

  private static final String EVENT = "event";
  private static final List<String> KINDS = List.of("for", "until", EVENT);

  WaitNodeType(Expressions expressions) {
    super("wait", expressions);
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    KINDS.stream()
        .filter(config::has)
        .skip(1)
        .findFirst()
        .ifPresent(it ->
            config.refuse(it, Codes.NOT_APPLICABLE, "for, until and event exclude each other"));
    if (config.has(ResultTemplate.KEY) && !config.has(EVENT)) {
      config.refuse(ResultTemplate.KEY, Codes.NOT_APPLICABLE, "needs event, which it is about");
    }
    if (config.has(EVENT)) {
      return EventWait.read(
          config,
          ResultTemplate.orOwnChannel(config, channelProblem(config.node(), config.graph())));
    }
    var pause = config.duration("for");
    var until = config.template("until");
    config
        .literal("until")
        .filter(it -> WaitNode.instant(it).isEmpty())
        .ifPresent(_ ->
            config.refuse(
                "until", "invalid_value", "write an RFC 3339 time: 2026-01-31T08:00:00Z"));
    return () -> config.has("for") ? new WaitNode.For(pause) : new WaitNode.Until(until);
  }

  private static Optional<Violation> channelProblem(Node node, GraphOutline graph) {
    return NodeConfig.channelProblem(
        node.id().value(),
        graph,
        "say what becomes of the event, {} for nothing",
        "without result the event goes to channel '%s', which");
  }

  private static boolean updatesItsChannel(ObjectValue config) {
    return config.has(EVENT) && !config.has(ResultTemplate.KEY);
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    return updatesItsChannel(node.config())
        ? WrittenChannels.named(node.id().value())
        : super.writes(node, graph);
  }

  @Override
  public boolean mayRoute(ObjectValue config) {
    return super.mayRoute(config) || config.objectOrEmpty(EVENT).has("on_timeout");
  }

  @Override
  public void advise(Node node, GraphOutline graph, Location at) {
    if (updatesItsChannel(node.config())) {
      channelProblem(node, graph).ifPresent(at.key(ResultTemplate.KEY)::error);
    }
  }

  @Override
  public Optional<Duration> defaultTimeout() {
    return Optional.empty();
  }

  @Override
  public boolean makesAttempts() {
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
        return call.clock().plus(NodeConfig.duration("for", pause.evaluate(call)));
      }
    }

    record Until(Expression moment) implements WaitNode {
      @Override
      public Instant due(NodeCall call) {
        var value = moment.evaluate(call);
        var given =
            value instanceof Value.Text(var text) ? instant(text) : Optional.<Instant>empty();
        return given.orElseThrow(() ->
            new ExpressionException(
                "invalid_time", "/until: %s is no RFC 3339 time".formatted(Canonical.text(value))));
      }
    }

    private static Optional<Instant> instant(String text) {
      try {
        return Optional.of(OffsetDateTime.parse(text).toInstant());
      } catch (DateTimeException e) {
        return Optional.empty();
      }
    }
  }
}
