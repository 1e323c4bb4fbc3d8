package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskParkedException;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.model.Model;
import dev.superstep.model.ModelAnswer;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.node.EmittedEvents;
import dev.superstep.node.llm.AnsweredBy.PassedModel;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/// Asks the models of a list one after the other until one answers. Those that have failed a moment
/// ago, here or on another replica, are asked last. The one that has answered is asked first if the
/// node asks again.
///
/// Each model is asked as if it were the only one: with its own permits, limits, budgets and span.
/// Whenever another one is asked than the one before, the node emits an event.
final class ModelList implements UsableAnswer.ModelCaller {
  private static final String EVENT = "model.fallback";
  private static final String TOO_LONG = "context_length_exceeded";

  private final NodeCall call;
  private final ModelCalls calls;
  private final Fallback fallback;
  private final EmittedEvents events;
  private final List<Model> models;
  private final List<PassedModel> passedOver = new ArrayList<>();
  private List<Model> order;
  private boolean begun;
  private boolean isAnswered;

  ModelList(
      NodeCall call,
      ModelCalls calls,
      List<Model> models,
      Fallback fallback,
      EmittedEvents events) {
    this.call = call;
    this.calls = calls;
    this.fallback = fallback;
    this.events = events;
    this.models = models;
    order = models;
  }

  /// How asking one model ended.
  private sealed interface ModelReply {
    record Replied(ModelAnswer answer) implements ModelReply {}

    record NoAnswer(Model model, ModelException failure) implements ModelReply {}

    record NoRoom(Model model, TaskParkedException parked) implements ModelReply {}
  }

  /// @throws TaskParkedException if one has to wait for its turn, and no other has answered
  /// @throws ModelException if all have failed, or one with a code that is not to be fallen back on
  @Override
  public ModelAnswer ask(ModelRequest request) throws ModelException, InterruptedException {
    begin(request);
    var waiting = new ArrayList<ModelReply.NoRoom>();
    try {
      return answer(request, waiting);
    } catch (TaskParkedException e) {
      waiting.clear();
      throw e;
    } finally {
      unused(waiting).forEach(it -> calls.leave(call, it));
    }
  }

  /// Where the task may have a place in the queue that it needs no more: of those who have no room,
  /// and of those before which another one was asked this time, but perhaps not the last time.
  private Set<Model> unused(List<ModelReply.NoRoom> waiting) {
    var unused = waiting.stream().map(ModelReply.NoRoom::model).collect(Collectors.toSet());
    if (isAnswered) {
      models.stream().takeWhile(it -> it != order.getFirst()).forEach(unused::add);
    }
    return unused;
  }

  private ModelAnswer answer(ModelRequest request, List<ModelReply.NoRoom> waiting)
      throws ModelException, InterruptedException {
    var failed = new ArrayList<ModelReply.NoAnswer>();
    for (int i = 0; i < order.size(); i++) {
      var streamed = new AtomicBoolean();
      switch (reply(order.get(i), inTime(i, watched(request, streamed)))) {
        case ModelReply.Replied(var answer) -> {
          var unwanted = isLast(i) ? Optional.<String>empty() : fallback.unwanted(answer);
          if (unwanted.isEmpty()) {
            order = List.copyOf(order.subList(i, order.size()));
            isAnswered = true;
            return answer;
          }
          passOver(i, unwanted.get(), streamed);
        }
        case ModelReply.NoAnswer refused -> {
          var error = refused.failure().error();
          if (!fallback.isFor(error)) {
            throw waiting.isEmpty() ? refused.failure() : end(waiting, List.of(refused));
          }
          calls.failed(refused.model(), error);
          failed.add(refused);
          passOver(i, error.code(), streamed);
        }
        case ModelReply.NoRoom turn -> {
          waiting.add(turn);
          if (isShort(turn.parked())) {
            throw turn.parked();
          }
          passOver(i, "model_limit", streamed);
        }
      }
    }
    throw end(waiting, failed);
  }

  private void begin(ModelRequest request) {
    if (begun) {
      return;
    }
    begun = true;
    var first = order.getFirst();
    order = calls.inOrder(call, order, request);
    if (order.getFirst() != first) {
      say(first, order.getFirst(), "model_cooling", new AtomicBoolean());
    }
  }

  private ModelReply reply(Model model, ModelRequest request) throws InterruptedException {
    try {
      boolean mayPark = models.stream().anyMatch(it -> it.limits().isPresent());
      return new ModelReply.Replied(
          mayPark ? calls.askOnce(call, model, request) : calls.ask(call, model, request));
    } catch (ModelException e) {
      return new ModelReply.NoAnswer(model, e);
    } catch (TaskParkedException e) {
      return new ModelReply.NoRoom(model, e);
    }
  }

  /// The request, whose pieces are noticed.
  private static ModelRequest watched(ModelRequest request, AtomicBoolean streamed) {
    return switch (request.delivery()) {
      case Delivery.Whole _ -> request;
      case Delivery.Streamed(var readers) ->
          request.with(
              new Delivery.Streamed(() -> {
                var reader = readers.get();
                return piece -> {
                  streamed.set(true);
                  reader.accept(piece);
                };
              }));
    };
  }

  /// One that hangs is given up while there is time for the next.
  private ModelRequest inTime(int at, ModelRequest request) {
    return isLast(at)
        ? request
        : call.deadline()
            .map(it -> Duration.between(call.clock(), it).dividedBy(order.size() - at))
            .filter(Duration::isPositive)
            .map(request::within)
            .orElse(request);
  }

  private boolean isLast(int at) {
    return at == order.size() - 1;
  }

  private boolean isShort(TaskParkedException parked) {
    return Duration.between(call.clock(), parked.until()).compareTo(fallback.turnWait()) <= 0;
  }

  /// @param reason code of an error, `model_limit` or `model_cooling`
  private void passOver(int at, String reason, AtomicBoolean streamed) {
    if (!isLast(at)) {
      say(order.get(at), order.get(at + 1), reason, streamed);
    }
  }

  private void say(Model from, Model to, String reason, AtomicBoolean streamed) {
    passedOver.add(new PassedModel(from.name(), reason));
    events.emit(
        new CustomEvent(
            EVENT,
            ObjectValue.of("from", from.name())
                .plus("to", to.name())
                .plus("code", reason)
                .plus("streamed", streamed.get())));
  }

  /// A turn that is late is better than a failure.
  private static ModelException end(
      List<ModelReply.NoRoom> waiting, List<ModelReply.NoAnswer> failed) {
    waiting.stream()
        .map(ModelReply.NoRoom::parked)
        .min(Comparator.comparing(TaskParkedException::until))
        .ifPresent(it -> {
          throw it;
        });
    var last = failed.getLast().failure();
    return failed.size() == 1 ? last : new ModelException(together(failed), last);
  }

  /// A conversation that is too long for one can be shortened.
  private static TaskError main(List<TaskError> errors) {
    return errors.stream()
        .filter(it -> it.code().equals(TOO_LONG))
        .findFirst()
        .orElseGet(errors::getLast);
  }

  private static TaskError together(List<ModelReply.NoAnswer> failed) {
    var errors = failed.stream().map(it -> it.failure().error()).toList();
    var last = main(errors);
    boolean passes = errors.stream().anyMatch(it -> it.retryable() == Retryable.YES);
    return new TaskError(
        last.code(),
        "no model of the list has answered: "
            + errors.stream().map(TaskError::message).collect(Collectors.joining("; ")),
        passes ? Retryable.YES : Retryable.NO,
        errors.stream().flatMap(it -> it.retryAfter().stream()).min(Comparator.naturalOrder()),
        last.details().plus("models", list(failed)));
  }

  private static ListValue list(List<ModelReply.NoAnswer> failed) {
    return ListValue.of(
        failed.stream()
            .<Value>map(it ->
                ObjectValue.of("model", it.model().name())
                    .plus("code", it.failure().error().code()))
            .toList());
  }

  @Override
  public AnsweredBy answeredBy() {
    return new AnsweredBy(order.getFirst().name(), AnsweredBy.Choice.LIST, passedOver);
  }
}
