package dev.superstep.engine;

import dev.superstep.state.MessageIds;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.time.Duration;

/// Turns the outcome of an attempt into what is known of its task (E30, E31, E35).
@SuppressWarnings("checkstyle:ClassFanOutComplexity") // each kind of ending is a type
final class Endings {
  private final Frame frame;
  private final DriverContext driver;
  private final ErrorEdges errorEdges;

  Endings(Frame frame, DriverContext driver, ErrorEdges errorEdges) {
    this.frame = frame;
    this.driver = driver;
    this.errorEdges = errorEdges;
  }

  /// Starts the next attempt of a task that holds its permits.
  LiveAttempt begin(Slot slot) {
    var live = slot.start(frame, driver);
    driver.observe("task.started", slot);
    return live;
  }

  void end(Slot slot, Outcome outcome) {
    switch (outcome) {
      case Outcome.Done(var result) -> {
        driver.observe("task.succeeded", slot);
        slot.succeed(identified(slot, result), driver.now());
      }
      case Outcome.Failed(var error) -> retryOrFail(slot, error);
      case Outcome.Interrupted(var request) -> interrupt(slot, request);
      case Outcome.Waiting(var dueAt) -> slot.sleep(dueAt, TaskRecord.Why.SLEEP, driver.now());
      case Outcome.Child(var start) -> slot.awaitChild(start, driver.now());
    }
  }

  /// Ends a failed task with a result that a person gave.
  void resolve(Slot slot, NodeResult result) {
    slot.resolve(identified(slot, result), driver.now());
  }

  /// Fails a task whose question nobody answered in time.
  void expire(Slot slot, TaskError error) {
    slot.expire(error, driver.now());
    handle(slot);
  }

  private void fail(Slot slot, TaskError error) {
    slot.fail(error, driver.now());
    handle(slot);
  }

  /// A failure that the graph takes care of is recorded, and told of, as handled (E32).
  private void handle(Slot slot) {
    var failed = slot.record();
    if (failed != null) {
      errorEdges.handled(frame, slot.task(), failed).ifPresent(slot::handle);
    }
  }

  private void retryOrFail(Slot slot, TaskError error) {
    var retry = slot.task().node().policy().retry();
    // What reaches the node would be the same again, whatever retry_on says (P13).
    boolean lost =
        error.code().equals(ContextViews.INCOMPATIBLE)
            || Budget.isUsedUp(error)
            || !retry.repeats(error.code(), error.retryable());
    if (lost || slot.attempts() >= retry.attemptsMax()) {
      fail(slot, error);
      return;
    }
    var pause = retry.pauseAfter(slot.attempts(), driver.ports().random().getAsDouble());
    var asked = error.retryAfter().orElse(Duration.ZERO);
    var now = driver.now();
    slot.sleep(now.plus(pause.compareTo(asked) < 0 ? asked : pause), TaskRecord.Why.RETRY, now);
    driver.observe("task.retrying", slot);
  }

  private void interrupt(Slot slot, InterruptRequest request) {
    var now = driver.now();
    var interrupt =
        new TaskRecord.Interrupt(
            Ids.interrupt(frame.run().id(), slot.task().key(), slot.interrupts()),
            request.reason(),
            request.payload(),
            request.schema(),
            now,
            request.expiry().map(it -> now.plus(it.after())),
            request.expiry().flatMap(InterruptRequest.Expiry::defaultAnswer));
    var change =
        MessageIds.identify(
            request.change(), frame.program().graph().channels(), messagePrefix(slot), 0);
    slot.ask(interrupt, change, now);
  }

  /// Gives messages without an id one that derives from the task (E5), before anything is stored.
  private NodeResult identified(Slot slot, NodeResult result) {
    var channels = frame.program().graph().channels();
    if (!channels.keepsMessages()) {
      return result;
    }
    return result.with(MessageIds.identify(result.change(), channels, messagePrefix(slot), 0));
  }

  private String messagePrefix(Slot slot) {
    return Ids.messages(frame.run().ordinal(), slot.task().key(), slot.interrupts());
  }

  static ObjectValue error(TaskError error) {
    return ObjectValue.of("code", Value.of(error.code()))
        .plus("message", Value.of(error.message()));
  }
}
