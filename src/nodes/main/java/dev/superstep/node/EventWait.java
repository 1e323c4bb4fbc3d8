package dev.superstep.node;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.TriggerTables;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.CallbackRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.expression.Expression;
import dev.superstep.graph.ExpressionException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Waits for an event from outside (E50), which is delivered as the answer to a callback that
/// nobody has a token of.
///
/// @param match CEL; "": any event of the name
/// @param onTimeout where to go on when the time is over; empty: the task fails
record EventWait(
    Expression name,
    String match,
    Optional<Expression> timeout,
    Optional<String> onTimeout,
    ResultTemplate result)
    implements MockableNode {
  private static final Duration LONGEST = Duration.ofDays(366);

  static Supplier<NodeRunner> read(NodeConfig config, ResultTemplate result) {
    var event = config.node().config().objectOrEmpty("event");
    var name = config.template("event/name", event.getOr("name", Value.NULL));
    var match = event.textOrEmpty("match");
    if (!match.isEmpty()) {
      config.checkCondition("event/match", match);
      EventCondition.unknown(match)
          .ifPresent(it ->
              config.refuse(
                  "event/match",
                  Codes.NOT_APPLICABLE,
                  "'%s' is not known when an event comes; name event, run, state, input, params or dispatch"
                      .formatted(it)));
    }
    var timeout = event.find("timeout").map(it -> config.durationAt("event/timeout", it));
    var to = event.objectOrEmpty("on_timeout").findText("to");
    to.ifPresent(it ->
        new LiteralReferences(config)
            .check(
                "event/on_timeout/", ObjectValue.of("goto", ListValue.of(List.of(Value.of(it))))));
    return () -> new EventWait(name, match, timeout, to, result);
  }

  @Override
  public Outcome run(NodeCall call) throws InterruptedException {
    return call.callbackEnd().isPresent()
        ? ended(call, call.callbackEnd().get())
        : new Outcome.Callback(call.openCallback(expectation(call)));
  }

  private CallbackRequest expectation(NodeCall call) {
    if (!(name.evaluate(call) instanceof Value.Text(var type))
        || !TriggerTables.isEventType(type)) {
      throw new ExpressionException(
          "invalid_value",
          "/event/name: must be a text of up to 512 bytes; got %s"
              .formatted(Canonical.text(name.evaluate(call))));
    }
    return new CallbackRequest(
        EventCondition.taskType(type),
        EventCondition.of(match, call).payload(),
        timeout.map(it -> CallbackWait.duration("event/timeout", it, call)).orElse(LONGEST),
        Optional.empty(),
        "");
  }

  private Outcome ended(NodeCall call, WorkerEnd end) {
    if (end instanceof WorkerEnd.Failed && onTimeout.isPresent()) {
      return new Outcome.Done(NodeResult.NOTHING.leadingTo(List.of(onTimeout.get())));
    }
    return CallbackWait.ended(end, it -> result.outcome(call, it));
  }

  /// The event is the mock. What the condition says of it is not asked: it may be about a state
  /// that the test has not.
  @Override
  public NodeRunner answeredBy(Answers answers) {
    return call -> result.outcome(call, answers.of(call));
  }

  /// Events are delivered to the driver of the run.
  @Override
  public boolean keepsParts() {
    return true;
  }
}
