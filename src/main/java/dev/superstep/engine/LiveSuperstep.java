package dev.superstep.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The superstep in progress: runs its tasks up to the barrier, then commits or holds it.
final class LiveSuperstep implements AutoCloseable {
  private final Frame frame;
  private final Checkpoint at;
  private final List<Task> tasks;
  private final DriverContext driver;
  private final Routes routes;
  private final Gate gate;
  private final Commits commits;
  private final Barrier barrier;
  private boolean ended;

  LiveSuperstep(
      Frame frame,
      List<Task> tasks,
      List<Slot> slots,
      DriverContext driver,
      Routes routes,
      Gate gate,
      Commits commits) {
    this.frame = frame;
    this.at = frame.at();
    this.tasks = tasks;
    this.driver = driver;
    this.routes = routes;
    this.gate = gate;
    this.commits = commits;
    barrier = new Barrier(frame, driver, routes.errorEdges(), slots, Barrier.Questions.EXPIRE);
  }

  /// Hands answers, resolutions and ends of children to the tasks that they are for.
  void deliver() {
    barrier.apply(driver.news());
  }

  /// Runs the tasks and waits until nothing can run, or something from outside stops them.
  Barrier.Stop runAndWait() throws InterruptedException {
    return barrier.await();
  }

  /// Commits the superstep, holds it, or ends the run, as the stop asks for.
  ///
  /// @return empty if there is news: the same superstep has to be run once more
  Optional<Next> commit(Barrier.Stop stop) {
    var next =
        switch (stop) {
          case SETTLED -> settled();
          case CANCELLED -> cancelled();
          case TIMED_OUT -> {
            barrier.cutOff();
            yield hold(gate.timedOut(at));
          }
          case DRAINED -> {
            barrier.cutOff();
            barrier.flush();
            yield Optional.of(commits.rest(at, gate.handedBack(at)));
          }
        };
    ended = next.isPresent();
    return next;
  }

  private Optional<Next> settled() {
    var slots = barrier.slots();
    if (parks(slots)) {
      handleFailures(slots);
      return hold(gate.held(at, slots));
    }
    var settled = Settlement.settle(frame, routes, driver.limits(), tasks, records(slots));
    return switch (settled) {
      case Settled.Complete complete -> {
        adopt(slots, complete.records());
        yield next(commits.step(frame, complete, slots));
      }
      case Settled.Failing(var records) -> {
        adopt(slots, records);
        yield hold(gate.held(at, slots));
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
  private void handleFailures(List<Slot> slots) {
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

  private Optional<Next> hold(Gate.Rest rest) {
    return next(commits.hold(at, rest, barrier.slots()));
  }

  private Optional<Next> next(Commits.Written written) {
    return switch (written) {
      case Commits.Advanced(var checkpoint, var status) ->
          Optional.of(
              status == RunStatus.RUNNING ? new Next.GoOn(checkpoint) : new Next.AtRest(status));
      case Commits.Refused(var why) -> refused(why);
    };
  }

  private Optional<Next> refused(Commits.Why why) {
    return switch (why) {
      case CANCEL -> cancelled();
      case ANSWERS -> {
        barrier.apply(driver.readNews());
        yield Optional.empty();
      }
    };
  }

  /// What has been spent stays visible. Two writes: a crash between them leaves the run as it was.
  private Optional<Next> cancelled() {
    barrier.cutOff();
    barrier.flushSpent();
    return Optional.of(commits.rest(at, gate.cancelled(at)));
  }

  /// Ends the superstep; attempts are abandoned if it was left before its end.
  @Override
  public void close() {
    if (!ended) {
      barrier.abandon();
    }
    frame.outside().span().end();
  }
}
