package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.checkpoint.ActivationOrigins;
import dev.superstep.engine.checkpoint.ChannelSize;
import dev.superstep.engine.checkpoint.ContextDelta;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.checkpoint.TaskRecord.Why;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Addressees;
import dev.superstep.engine.run.CachedInput;
import dev.superstep.engine.run.Cost;
import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.Dispatch;
import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.Spending;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.Usage;
import dev.superstep.graph.DispatchPolicy;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.state.Change;
import dev.superstep.state.ListCompaction;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Random engine types, the same for the same seed. Times are as fine as the database keeps them.
final class RandomParts {
  private final Random random;

  RandomParts(long seed) {
    random = new Random(seed);
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  <T> List<T> list(Supplier<T> item) {
    return IntStream.range(0, below(4)).mapToObj(_ -> item.get()).toList();
  }

  <T> Optional<T> maybe(Supplier<T> item) {
    return random.nextBoolean() ? Optional.of(item.get()) : Optional.empty();
  }

  private @Nullable String maybeText() {
    return maybe(this::text).orElse(null);
  }

  String text() {
    return random
        .ints(below(6), 0, 6)
        .mapToObj(it -> List.of("a", "é", "\"", "\\", "\n", "\ud83d\ude00").get(it))
        .reduce("", String::concat);
  }

  Instant time() {
    return StoredObject.time(random.nextLong(4_000_000_000_000_000L));
  }

  NodeId node() {
    return new NodeId(List.of("a", "b-1", "Node_2").get(below(3)));
  }

  Value value(int depth) {
    return switch (below(depth > 3 ? 5 : 7)) {
      case 0 -> Value.NULL;
      case 1 -> Value.of(random.nextBoolean());
      case 2 -> Value.of(random.nextLong());
      case 3 -> Value.of(random.nextBoolean() ? random.nextInt(5) : random.nextGaussian());
      case 4 -> Value.of(text());
      case 5 -> ListValue.of(list(() -> value(depth + 1)));
      default -> object(depth + 1);
    };
  }

  ObjectValue object() {
    return object(0);
  }

  private ObjectValue object(int depth) {
    var members = new HashMap<String, Value>();
    list(this::text).forEach(it -> members.put(it, value(depth + 1)));
    return ObjectValue.of(members);
  }

  Change change() {
    return new Change(list(this::text), list(this::text), object(), object(), list(this::cut));
  }

  private ListCompaction cut() {
    return new ListCompaction(text(), below(10), below(10), text(), maybe(this::object));
  }

  TaskError error() {
    return new TaskError(
        "code_" + below(3),
        text(),
        random.nextBoolean() ? Retryable.YES : Retryable.NO,
        maybe(() -> Duration.ofMillis(below(10_000))),
        object());
  }

  NodeResult result() {
    return new NodeResult(
        change(),
        maybe(() -> list(this::text)).orElse(null),
        list(() -> new DispatchRequest(text(), object(), maybeText(), object())),
        object(),
        maybeText(),
        maybeText(),
        list(() -> new CustomEvent(text(), value(0))),
        object(),
        maybe(this::error).orElse(null),
        maybe(this::policy).orElse(null));
  }

  private DispatchPolicy policy() {
    return new DispatchPolicy(below(3), maybe(() -> BigDecimal.valueOf(below(100), 2)), below(3));
  }

  TaskRecord.Interrupt interrupt() {
    return new TaskRecord.Interrupt(
        text(),
        text(),
        value(0),
        maybe(() -> value(0)),
        time(),
        maybe(this::time),
        maybe(() -> value(0)),
        random.nextBoolean() ? MayAnswer.ANYBODY : MayAnswer.OTHER_THAN_STARTER,
        random.nextBoolean() ? Addressees.NONE : addressees());
  }

  private Addressees addressees() {
    return new Addressees(maybe(this::text), list(this::text), list(this::text));
  }

  TaskStatus status() {
    return switch (below(8)) {
      case 0 -> new TaskStatus.Done(result());
      case 1 -> new TaskStatus.Failed(error());
      case 2 -> new TaskStatus.Interrupted(interrupt());
      case 3 ->
          new TaskStatus.Waiting(time(), List.of(Why.values()).get(below(Why.values().length)));
      case 4 -> new TaskStatus.Rejected(result(), error());
      case 5 -> new TaskStatus.Open();
      case 6 -> new TaskStatus.Cancelled();
      default -> new TaskStatus.Handled(error(), result());
    };
  }

  TaskRecord record(int superstep) {
    return new TaskRecord(
        new TaskKey(superstep, node(), maybeText()),
        below(3),
        below(3),
        asked(),
        status(),
        time(),
        time(),
        new TaskRecord.Left(object(), usage()));
  }

  private Usage usage() {
    var cost =
        random.nextBoolean()
            ? Cost.NOTHING
            : new Cost(below(5), BigDecimal.valueOf(below(1000), below(12)));
    var cached =
        random.nextBoolean() ? CachedInput.NOTHING : new CachedInput(below(500), below(500));
    return new Usage(below(5), below(1000), below(1000), cost, cached);
  }

  private TaskRecord.TaskQuestions asked() {
    var answer =
        random.nextBoolean() ? Optional.of(new Resume(text(), value(1))) : Optional.<Resume>empty();
    return new TaskRecord.TaskQuestions(below(3), list(this::change), answer);
  }

  Pending pending() {
    var arrivals = new HashMap<String, Set<NodeId>>();
    list(this::text).forEach(it -> arrivals.put(it, Set.copyOf(list(this::node))));
    var tried = new HashMap<String, ChannelSize>();
    list(this::text).forEach(it -> tried.put(it, new ChannelSize(below(100), below(100))));
    var activations = list(this::activation);
    return new Pending(
        activations,
        arrivals,
        random.nextBoolean(),
        below(100),
        tried,
        maybe(() -> origins(activations)).orElse(ActivationOrigins.NONE),
        maybe(() -> new Spending(Map.of(node(), usage()))).orElse(Spending.NOTHING),
        object());
  }

  /// What is activated twice is one thing to its origins; in mode `chain` they have sources.
  private ActivationOrigins origins(List<Activation> activations) {
    var sources = list(this::task);
    var to = new HashMap<ActivationOrigins.To, List<ActivationOrigin>>();
    for (var activation : activations) {
      var source = sources.isEmpty() ? null : sources.get(below(sources.size()));
      to.put(
          ActivationOrigins.To.of(activation),
          List.of(
              new ActivationOrigin(text(), source),
              new ActivationOrigin(ActivationOrigin.NO_EDGE, null)));
    }
    var arrived = new HashMap<String, List<TaskKey>>();
    if (!sources.isEmpty()) {
      arrived.put(text(), List.of(sources.getFirst()));
    }
    var passed = new HashMap<TaskKey, ContextDelta>();
    arrived.values().forEach(them -> them.forEach(it -> passed.put(it, passed())));
    for (var activationOrigins : to.values()) {
      var source = activationOrigins.getFirst().source();
      if (source != null) {
        passed.put(source, passed());
      }
    }
    return to.isEmpty() && arrived.isEmpty()
        ? ActivationOrigins.NONE
        : new ActivationOrigins(to, arrived, passed);
  }

  private TaskKey task() {
    return new TaskKey(below(100), node(), maybeText());
  }

  private ContextDelta passed() {
    return new ContextDelta(
        new ContextDelta.MemberChange(list(this::text), object()),
        new ContextDelta.MemberChange(list(this::text), object()),
        list(() ->
            random.nextBoolean()
                ? new ContextDelta.DeltaPiece.Range(below(5), 5 + below(5))
                : new ContextDelta.DeltaPiece.Changed(object(), Value.of(text()))));
  }

  private Activation activation() {
    if (random.nextBoolean()) {
      return new Activation.Plain(node());
    }
    var by =
        maybe(() -> new TaskKey(below(100), node(), maybe(this::text).orElse(null))).orElse(null);
    // All that a task dispatches has the same one.
    var policy =
        by == null || by.superstep() % 2 == 0
            ? null
            : new DispatchPolicy(by.superstep(), Optional.of(new BigDecimal("0.25")), 0);
    return new Activation.Sent(new Dispatch(text(), node(), object(), object(), by, policy));
  }

  Event event() {
    return new Event(
        text(), maybe(() -> below(100)), maybe(this::node), maybe(this::text), object());
  }
}
