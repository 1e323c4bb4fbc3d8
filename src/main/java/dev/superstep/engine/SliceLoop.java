package dev.superstep.engine;

import dev.superstep.graph.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Executes slices of wide supersteps: some tasks of one, as their driver would, up to their
/// outcomes. It neither folds nor routes.
public final class SliceLoop {
  private final Ports ports;
  private final EngineLimits limits;

  /// @param limits with the tasks that one slice may execute at a time
  public SliceLoop(Ports ports, EngineLimits limits) {
    this.ports = ports;
    this.limits = limits;
  }

  /// What is known when a slice has ended and not recorded yet: to be written as it is closed.
  public record Rest(List<TaskRecord> records, List<Event> events) {
    public Rest {
      records = List.copyOf(records);
      events = List.copyOf(events);
    }
  }

  /// Runs the tasks on the frozen state of `image`, on the calling thread, until each is done,
  /// failed, interrupted or waiting for long. Outcomes are recorded while others are open; what
  /// `image` has recorded is not done again.
  ///
  /// @param image of the run at the checkpoint that the superstep builds on
  /// @param tasks indexes in the superstep as planned
  /// @param store takes the records of this slice
  /// @return empty if it was stopped before the end: drained, or the run's time is over
  /// @throws InterruptedException if the thread was interrupted: nobody wants the slice any more
  public Optional<Rest> run(
      Program program, RunImage image, List<Integer> tasks, CheckpointStore store, Inbox inbox)
      throws InterruptedException {
    var own =
        new Ports(
            store,
            ports.pool(),
            ports.clock(),
            ports.random(),
            ports.observer(),
            Slicing.NONE,
            ports.tracing(),
            ports.leases());
    var inForce = image.limits().or(program.graph().settings().limits());
    var driver = new DriverContext(own, limits, inbox, image, unbounded(inForce));
    var outside = new Frame.Outside(ports.clock(), ports.observer(), driver.span());
    var frame = new Frame(image.header(), program, image.checkpoint(), inForce, outside);
    var errorEdges = Routes.of(program.graph(), image.header().ordinal()).errorEdges();
    var slots = slots(program, image, tasks);
    var barrier = new Barrier(frame, driver, errorEdges, slots, Barrier.Questions.STAY);
    boolean ended = false;
    try {
      ended = barrier.await() == Barrier.Stop.SETTLED;
    } finally {
      if (!ended) {
        barrier.abandon();
      }
      driver.span().end();
    }
    if (!ended) {
      barrier.flush();
      return Optional.empty();
    }
    return Optional.of(rest(barrier.slots()));
  }

  /// The run's own bound has been divided among the slices already.
  private static Limits unbounded(Limits limits) {
    return new Limits(
        limits.superstepsMax(),
        Optional.empty(),
        limits.dispatchesMax(),
        limits.modelCallsMax(),
        limits.tokensMax(),
        limits.timeout());
  }

  private static List<Slot> slots(Program program, RunImage image, List<Integer> tasks) {
    var at = image.checkpoint();
    var activated =
        new Planner(program.graph()).plan(at.pending().activations(), at.superstep() + 1);
    var planned = Compactions.joining(program, at, activated);
    var slots = new ArrayList<Slot>(tasks.size());
    for (var index : tasks) {
      var task = planned.get(index);
      slots.add(Slot.of(slots.size(), task, at.held().get(task.key()), Release.NONE));
    }
    return slots;
  }

  private static Rest rest(List<Slot> slots) {
    var records = new ArrayList<TaskRecord>();
    var events = new ArrayList<Event>();
    for (var slot : slots) {
      var record = slot.record();
      if (record != null && slot.isUnrecorded()) {
        records.add(record);
        StepEvents.announce(slot).ifPresent(events::add);
      }
    }
    return new Rest(records, events);
  }
}
