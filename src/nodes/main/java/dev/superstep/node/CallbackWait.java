package dev.superstep.node;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.CallbackRequest;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.expression.Expression;
import dev.superstep.graph.ExpressionException;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/// That a node ends when the outside answers: `config.callback` (E51).
///
/// @param heartbeat empty: nothing need be heard before the deadline
/// @param address what comes before the token in the URL of the callback
public record CallbackWait(Expression deadline, Optional<Expression> heartbeat, String address) {
  /// The member of `config`, wherever a type has it.
  public static final String KEY = "callback";

  private static final Duration HEARTBEAT_MIN = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(366);

  /// The node's, if it has one.
  public static Optional<CallbackWait> of(NodeConfig config, CallbackSettings settings) {
    return config
        .find(KEY)
        .map(it -> it instanceof ObjectValue object ? object : ObjectValue.empty())
        .map(it ->
            new CallbackWait(
                config.template(KEY + "/deadline", it.getOr("deadline", Value.NULL)),
                it.find("heartbeat").map(beat -> config.template(KEY + "/heartbeat", beat)),
                settings.callbacks()));
  }

  /// Opens the callback of this attempt, which is in all templates from here on.
  public OpenCallback open(NodeCall call) throws InterruptedException {
    return call.openCallback(
        new CallbackRequest(
            CallbackRequest.BY_TOKEN,
            ObjectValue.empty(),
            duration("callback/deadline", deadline, call),
            heartbeat.map(it -> atLeast(duration("callback/heartbeat", it, call))),
            address));
  }

  private static Duration atLeast(Duration heartbeat) {
    return heartbeat.compareTo(HEARTBEAT_MIN) < 0 ? HEARTBEAT_MIN : heartbeat;
  }

  static Duration duration(String key, Expression written, NodeCall call) {
    var duration = NodeConfig.duration(key, written.evaluate(call));
    if (!duration.isPositive()) {
      throw new ExpressionException("invalid_duration", "/%s: must be positive".formatted(key));
    }
    return bounded(duration);
  }

  static Duration bounded(Duration duration) {
    return duration.compareTo(LONGEST) < 0 ? duration : LONGEST;
  }

  /// The outcome of a task whose callback has ended.
  ///
  /// @param answered what becomes of an answer
  public static Outcome ended(WorkerEnd end, Function<Value, Outcome> answered) {
    return switch (end) {
      case WorkerEnd.Failed(var error) -> new Outcome.Failed(error);
      case WorkerEnd.Returned(var value) -> answered.apply(value);
      case WorkerEnd.StepQuestion(_, _, var question) -> answered.apply(question);
    };
  }
}
