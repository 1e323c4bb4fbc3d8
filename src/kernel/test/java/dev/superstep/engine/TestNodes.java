package dev.superstep.engine;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskError;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What nodes of tests do.
public final class TestNodes {
  private TestNodes() {}

  public static Outcome done() {
    return new Outcome.Done(NodeResult.NOTHING);
  }

  public static Outcome set(String channel, Value value) {
    return new Outcome.Done(NodeResult.of(Change.update(channel, value)));
  }

  public static Outcome set(String channel, long value) {
    return set(channel, Value.of(value));
  }

  static Outcome say(String... texts) {
    return set("said", ListValue.texts(texts));
  }

  public static Outcome goTo(Change change, String... nodes) {
    return new Outcome.Done(result(change, List.of(nodes), List.of()));
  }

  static Outcome send(DispatchRequest... requests) {
    return new Outcome.Done(result(Change.NONE, null, List.of(requests)));
  }

  /// Dispatches `{item: i}` to a node, for i from 0.
  public static Outcome sendItems(String node, int count) {
    return send(
        IntStream.range(0, count)
            .mapToObj(it -> request(node, "item", Value.of(it)))
            .toArray(DispatchRequest[]::new));
  }

  static Outcome sendTexts(String node, String key, String... values) {
    return send(
        Arrays.stream(values)
            .map(it -> request(node, key, Value.of(it)))
            .toArray(DispatchRequest[]::new));
  }

  static DispatchRequest request(String node, String key, Value value) {
    return new DispatchRequest(node, ObjectValue.of(key, value), null, ObjectValue.empty());
  }

  static DispatchRequest request(String node, String id) {
    return new DispatchRequest(node, ObjectValue.empty(), id, ObjectValue.empty());
  }

  static NodeResult result(
      Change change, @Nullable List<String> goTo, List<DispatchRequest> dispatch) {
    return new NodeResult(change, goTo, dispatch, ObjectValue.empty(), null, null);
  }

  public static Outcome failed(String code) {
    return new Outcome.Failed(TaskError.permanent(code, "it says " + code));
  }

  public static Outcome flaky(String code) {
    return new Outcome.Failed(TaskError.retryable(code, "it says " + code));
  }

  public static Outcome ask(String reason) {
    return new Outcome.Interrupted(InterruptRequest.of(reason, Value.NULL));
  }

  static Outcome ask(String reason, Change change) {
    return new Outcome.Interrupted(
        new InterruptRequest(reason, Value.NULL, change, Optional.empty(), Optional.empty()));
  }

  static Outcome askFor(Duration time, Optional<Value> otherwise) {
    return new Outcome.Interrupted(
        new InterruptRequest(
            "hurry",
            Value.NULL,
            Change.NONE,
            Optional.empty(),
            Optional.of(new InterruptRequest.Expiry(time, otherwise))));
  }

  /// Asks, and writes the answer to a channel.
  static NodeRunner person(String channel) {
    return call ->
        call.resume().map(it -> set(channel, it.answer())).orElseGet(() -> ask("asks " + channel));
  }

  /// Fails the first `times` calls.
  static NodeRunner failing(int times, String code, Outcome then) {
    var calls = new AtomicInteger();
    return _ -> calls.getAndIncrement() < times ? flaky(code) : then;
  }

  static long item(NodeCall call) {
    return call.task().input() instanceof ObjectValue input
            && input.get("item") instanceof Value.Int(var item)
        ? item
        : -1;
  }

  static String text(NodeCall call, String key) {
    return call.task().input() instanceof ObjectValue input
            && input.get(key) instanceof Value.Text(var text)
        ? text
        : "";
  }

  static boolean at(Value state, String channel, Value expected) {
    return state instanceof ObjectValue channels && expected.equals(channels.get(channel));
  }
}
