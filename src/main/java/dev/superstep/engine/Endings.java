package dev.superstep.engine;

import dev.superstep.state.MessageIds;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

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
    slot.token++;
    slot.attempts++;
    slot.phase = Slot.Phase.RUNNING;
    if (slot.startedAt == null) {
      slot.startedAt = driver.now();
    }
    var live = new LiveAttempt(frame, slot, driver);
    slot.live = live;
    driver.observe("task.started", slot);
    return live;
  }

  void end(Slot slot, Outcome outcome) {
    switch (outcome) {
      case Outcome.Done(var result) -> {
        driver.observe("task.succeeded", slot);
        done(slot, result);
      }
      case Outcome.Failed(var error) -> retryOrFail(slot, error);
      case Outcome.Interrupted(var request) -> interrupt(slot, request);
      case Outcome.Waiting(var dueAt) -> wait(slot, dueAt, TaskRecord.Why.SLEEP);
      case Outcome.Child(var start) -> begin(slot, start);
    }
  }

  void done(Slot slot, NodeResult result) {
    slot.settle(slot.made(new TaskRecord.Ending.Done(identified(slot, result)), driver.now()));
  }

  /// A failure that the graph takes care of is recorded, and told of, as handled (E32).
  void fail(Slot slot, TaskError error) {
    var failed = slot.made(new TaskRecord.Ending.Failed(error), driver.now());
    slot.settle(failed);
    errorEdges.handled(frame, slot.task, failed).ifPresent(slot::handle);
  }

  private void retryOrFail(Slot slot, TaskError error) {
    var retry = slot.task.node().policy().retry();
    // What reaches the node would be the same again, whatever retry_on says (P13).
    boolean lost =
        error.code().equals(ContextViews.INCOMPATIBLE)
            || Budget.isUsedUp(error)
            || !retry.repeats(error.code(), error.retryable());
    if (lost || slot.attempts >= retry.attemptsMax()) {
      fail(slot, error);
      return;
    }
    var pause = retry.pauseAfter(slot.attempts, driver.ports().random().getAsDouble());
    var asked = error.retryAfter().orElse(Duration.ZERO);
    wait(slot, driver.now().plus(pause.compareTo(asked) < 0 ? asked : pause), TaskRecord.Why.RETRY);
    driver.observe("task.retrying", slot);
  }

  private void wait(Slot slot, Instant dueAt, TaskRecord.Why why) {
    slot.settle(slot.made(new TaskRecord.Ending.Waiting(dueAt, why), driver.now()));
  }

  /// Has the task wait for a run (E41).
  private void begin(Slot slot, ChildStart start) {
    var run = start.header().id();
    slot.parts =
        new ChildRef(run, ChildRef.numberIn(slot.parts) + 1, Usage.NOTHING).keptIn(slot.parts);
    var waiting = new TaskRecord.Ending.Child(run, Optional.of(start));
    slot.settle(slot.made(waiting, driver.now()));
  }

  private void interrupt(Slot slot, InterruptRequest request) {
    var now = driver.now();
    var interrupt =
        new TaskRecord.Interrupt(
            Ids.interrupt(frame.run().id(), slot.task.key(), slot.interrupts),
            request.reason(),
            request.payload(),
            request.schema(),
            now,
            request.expiry().map(it -> now.plus(it.after())),
            request.expiry().flatMap(InterruptRequest.Expiry::defaultAnswer));
    slot.hold(
        MessageIds.identify(
            request.change(), frame.program().graph().channels(), messagePrefix(slot), 0));
    slot.interrupts++;
    slot.resume = Optional.empty();
    slot.settle(slot.made(new TaskRecord.Ending.Interrupted(interrupt), now));
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
    return Ids.messages(frame.run().ordinal(), slot.task.key(), slot.interrupts);
  }

  static ObjectValue error(TaskError error) {
    return ObjectValue.of("code", Value.of(error.code()))
        .plus("message", Value.of(error.message()));
  }
}
