package dev.superstep.node;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.TaskError;
import java.util.ArrayList;
import java.util.List;

/// Collects the events that an attempt emits: published live at once, stored with the result of the
/// task if it is done. Thread-safe.
public final class EmittedEvents {
  private final NodeCall call;
  private final List<CustomEvent> events = new ArrayList<>();

  public EmittedEvents(NodeCall call) {
    this.call = call;
  }

  /// Publishes the event to the subscribers of the run.
  ///
  /// @throws IllegalArgumentException if the event is none, or too large
  /// @throws IllegalStateException if the task has emitted too many
  public synchronized void emit(CustomEvent event) {
    ResultEvents.refusal(event)
        .ifPresent(it -> {
          throw new IllegalArgumentException(
              "the %s of an event %s".formatted(it.part(), it.message()));
        });
    if (events.size() == CustomEvent.COUNT_MAX) {
      throw new IllegalStateException(
          "a task tells of %d events at most".formatted(CustomEvent.COUNT_MAX));
    }
    if (call.watchers().hasSubscribers()) {
      call.watchers().publish(CustomEvent.TYPE, event.live(events.size(), call.attempt()));
    }
    events.add(event);
  }

  /// The outcome with these events before those that the result names itself.
  public synchronized Outcome before(Outcome outcome) {
    if (events.isEmpty() || !(outcome instanceof Outcome.Done(var result))) {
      return outcome;
    }
    var all = result.behind(events);
    return all.events().size() <= CustomEvent.COUNT_MAX
        ? new Outcome.Done(all)
        : new Outcome.Failed(
            TaskError.permanent(
                NodeResults.BAD_RESULT,
                "the task tells of %d events; at most %d"
                    .formatted(all.events().size(), CustomEvent.COUNT_MAX)));
  }
}
