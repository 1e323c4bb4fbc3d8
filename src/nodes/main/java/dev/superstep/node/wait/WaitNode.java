package dev.superstep.node.wait;

import dev.superstep.definition.form.Durations;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.task.NodeResult;
import dev.superstep.expression.Expression;
import dev.superstep.graph.ExpressionException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/// Waits once: a call that is woken, or that has nothing to wait for, is done.
sealed interface WaitNode extends NodeRunner {

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
                  "invalid_duration", "/for: %s is no duration".formatted(Canonical.text(value))));
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
