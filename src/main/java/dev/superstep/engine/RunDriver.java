package dev.superstep.engine;

import dev.superstep.graph.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One claimed run on its way: at most one superstep is in progress, and the only side effect of a
/// superstep is one write to the store.
// It brings everything together that a run can meet.
@SuppressWarnings("checkstyle:ClassFanOutComplexity")
final class RunDriver {
  private final Program program;
  private final RunImage image;
  private final Limits limits;
  private final DriverContext driver;
  private final Routes routes;
  private final Gate gate;
  private final Commits commits;
  private Checkpoint at;

  RunDriver(Ports ports, EngineLimits serverLimits, Program program, RunImage image, Inbox inbox) {
    this.program = program;
    this.image = image;
    var graph = program.graph();
    limits = image.limits().or(graph.settings().limits());
    driver = new DriverContext(ports, serverLimits, inbox, image, limits);
    routes = Routes.of(graph, image.header().ordinal());
    gate = new Gate(graph, image, limits, driver);
    commits = new Commits(program, image, gate, driver);
    at = image.checkpoint();
  }

  RunStatus drive() throws InterruptedException {
    try (var _ = driver.span().enter()) {
      return toRest();
    } finally {
      driver.span().end();
    }
  }

  private RunStatus toRest() throws InterruptedException {
    while (true) {
      var tasks = gate.runnable(at) ? plan() : List.<Task>of();
      var rest = gate.rest(at, tasks);
      var status = rest.isPresent() ? commitHead(rest.get()) : superstep(tasks);
      if (status.isPresent()) {
        return status.get();
      }
    }
  }

  private List<Task> plan() {
    return Compactions.joining(
        program, at, routes.planner().plan(at.pending().activations(), at.superstep() + 1));
  }

  /// Runs one superstep.
  ///
  /// @return empty if it was committed and the run goes on
  private Optional<RunStatus> superstep(List<Task> tasks) throws InterruptedException {
    var frame =
        new Frame(
            image.header(),
            program,
            at,
            limits,
            new Frame.Outside(
                driver.ports().clock(),
                driver.ports().observer(),
                driver.span().superstep(at.superstep() + 1)));
    var barrier = new Barrier(frame, driver, slots(tasks), Barrier.Questions.EXPIRE);
    boolean ended = false;
    try {
      barrier.apply(driver.news());
      var next = pass(barrier, frame, tasks);
      while (next instanceof Again) {
        next = pass(barrier, frame, tasks);
      }
      ended = true;
      return next instanceof AtRest(var status) ? Optional.of(status) : Optional.empty();
    } finally {
      if (!ended) {
        barrier.abandon();
      }
      frame.outside().span().end();
    }
  }

  /// What follows a pass through the barrier.
  private sealed interface Next {}

  /// There is news: the same superstep once more.
  private record Again() implements Next {}

  /// The superstep is committed, or has to be planned anew.
  private record GoOn() implements Next {}

  private record AtRest(RunStatus status) implements Next {}

  private static Next next(Optional<RunStatus> rest) {
    return rest.<Next>map(AtRest::new).orElseGet(GoOn::new);
  }

  private Next pass(Barrier barrier, Frame frame, List<Task> tasks) throws InterruptedException {
    var stop = barrier.await();
    return switch (stop) {
      case SETTLED -> settled(barrier, frame, tasks);
      case CANCELLED -> cancelled(barrier);
      case TIMED_OUT -> {
        barrier.cutOff();
        yield hold(barrier, gate.timedOut(at));
      }
      case DRAINED -> {
        barrier.cutOff();
        barrier.flush();
        yield next(commitHead(gate.handedBack(at)));
      }
    };
  }

  private Next settled(Barrier barrier, Frame frame, List<Task> tasks) {
    var slots = barrier.slots();
    if (parks(slots)) {
      handleFailures(frame, slots);
      return hold(barrier, gate.held(at, slots));
    }
    var settled = Settlement.settle(frame, routes, driver.limits(), tasks, records(slots));
    return switch (settled) {
      case Settled.Complete complete -> commit(frame, complete, barrier);
      case Settled.Failing(var records) -> {
        adopt(slots, records);
        yield hold(barrier, gate.held(at, slots));
      }
    };
  }

  private static boolean parks(List<Slot> slots) {
    for (var slot : slots) {
      if (slot.rests()) {
        return true;
      }
    }
    return false;
  }

  private static List<TaskRecord> records(List<Slot> slots) {
    var records = new ArrayList<TaskRecord>(slots.size());
    for (var slot : slots) {
      var record = slot.record();
      if (record == null) {
        throw new IllegalStateException("%s has not ended".formatted(slot.task().key()));
      }
      records.add(record);
    }
    return records;
  }

  /// A failure that the graph takes care of is none, even while siblings ask or sleep (E32): a
  /// resume must not call the node again.
  private void handleFailures(Frame frame, List<Slot> slots) {
    for (var slot : slots) {
      var record = slot.record();
      if (record != null && slot.failed()) {
        routes.errorEdges().handled(frame, slot.task(), record).ifPresent(slot::handle);
      }
    }
  }

  /// Takes over what the settlement found out about results that cannot be used, and about failures
  /// that the graph takes care of.
  private static void adopt(List<Slot> slots, List<TaskRecord> records) {
    for (int i = 0; i < slots.size(); i++) {
      var record = records.get(i);
      var slot = slots.get(i);
      switch (record.ended()) {
        case TaskRecord.Ending.Handled _ -> slot.handle(record);
        case TaskRecord.Ending.Rejected _, TaskRecord.Ending.Failed _ -> {
          if (!record.equals(slot.record())) {
            slot.reject(record);
          }
        }
        case TaskRecord.Ending.Done _ -> {}
      }
    }
  }

  private Next commit(Frame frame, Settled.Complete complete, Barrier barrier) {
    return switch (commits.step(frame, complete, barrier.slots())) {
      case Commits.Advanced(var checkpoint, var status) -> {
        at = checkpoint;
        yield status == RunStatus.RUNNING ? new GoOn() : new AtRest(status);
      }
      case Commits.Refused(var why) -> refused(why, barrier);
    };
  }

  private Next hold(Barrier barrier, Gate.Rest rest) {
    return switch (commits.hold(at, rest, barrier.slots())) {
      case Commits.Advanced(var checkpoint, var status) -> {
        at = checkpoint;
        yield new AtRest(status);
      }
      case Commits.Refused(var why) -> refused(why, barrier);
    };
  }

  private Next refused(Commits.Why why, Barrier barrier) {
    return switch (why) {
      case CANCEL -> cancelled(barrier);
      case ANSWERS -> {
        barrier.apply(driver.readNews());
        yield new Again();
      }
    };
  }

  /// What has been spent stays visible. Two writes: a crash between them leaves the run as it was.
  private Next cancelled(Barrier barrier) {
    barrier.cutOff();
    barrier.flushSpent();
    return next(commitHead(gate.cancelled(at)));
  }

  /// @return empty if the head could not be written because there is news
  private Optional<RunStatus> commitHead(Gate.Rest rest) {
    return switch (commits.head(at, rest)) {
      case Commits.Advanced(_, var status) -> Optional.of(status);
      case Commits.Refused _ -> {
        driver.readNews();
        yield Optional.empty();
      }
    };
  }

  private List<Slot> slots(List<Task> tasks) {
    var slots = new ArrayList<Slot>(tasks.size());
    for (int i = 0; i < tasks.size(); i++) {
      var task = tasks.get(i);
      var held = at.held().get(task.key());
      slots.add(Slot.of(i, task, held, held == null ? Release.NONE : release(held)));
    }
    return slots;
  }

  /// A failed task that is resolved by hand does not run again (E34). One whose child can go on
  /// waits for that child (E41).
  private Release release(TaskRecord held) {
    var news = driver.news();
    if (image.releasedThrough() < at.number()
        || news.resolutions().stream().anyMatch(it -> it.task().equals(held.key()))) {
      return Release.NONE;
    }
    var child = ChildRef.of(held).map(ChildRef::run).orElse("");
    return news.children().stream().anyMatch(it -> it.run().equals(child) && !it.givenUp())
        ? Release.CHILD
        : Release.FAILED;
  }
}
