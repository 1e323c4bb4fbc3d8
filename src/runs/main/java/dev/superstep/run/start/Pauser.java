package dev.superstep.run.start;

import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.checkpoint.row.EventLog;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.drive.AfterCommit;
import dev.superstep.run.drive.ParentNotifier;
import dev.superstep.run.store.RunTreeLocks;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.WakeUps;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;

/// Pauses runs, in the caller's transaction: one without a driver at once, one with a driver behind
/// the superstep in flight. Only a call has a paused run go on.
@Component
class Pauser {
  private final RunTreeLocks runTreeLocks;
  private final ParentNotifier parentNotifier;
  private final AfterCommit afterCommit;
  private final Checkpoints checkpoints;
  private final EventLog events;
  private final WakeUps wakeUps;
  private final EntityManager entities;
  private final DatabaseClock clock;

  Pauser(
      RunTreeLocks runTreeLocks,
      ParentNotifier parentNotifier,
      AfterCommit afterCommit,
      Checkpoints checkpoints,
      EventLog events,
      WakeUps wakeUps,
      EntityManager entities,
      DatabaseClock clock) {
    this.runTreeLocks = runTreeLocks;
    this.parentNotifier = parentNotifier;
    this.afterCommit = afterCommit;
    this.checkpoints = checkpoints;
    this.events = events;
    this.wakeUps = wakeUps;
    this.entities = entities;
    this.clock = clock;
  }

  /// Pauses the run and its descendants. Those that ask pause, too: answers have them go on no
  /// sooner than the run.
  ///
  /// @return false if it is paused, or to pause, already
  boolean pause(String id) {
    var ancestors = runTreeLocks.ancestors(id);
    var run = ancestors.getLast();
    var descendants = runTreeLocks.open(run);
    if (run.isPaused() || (run.isPausing() && moves(run))) {
      return false;
    }
    check(run, descendants);
    pause(run);
    for (var below : descendants) {
      if (moves(below) || (below.status() == RunStatus.INTERRUPTED && !below.isAtBreakpoint())) {
        pause(below);
        afterCommit.publish(below.id(), below.owner());
      }
    }
    if (ancestors.size() > 1 && run.isPaused()) {
      var parent = ancestors.get(ancestors.size() - 2);
      runTreeLocks.links().find(id).ifPresent(it -> parentNotifier.notify(parent, it));
    }
    afterCommit.publish(id, run.owner());
    return true;
  }

  /// One that asks may go on by itself, too: when a wait beside the question is over, or its time,
  /// or with a run inside.
  private static void check(RunEntity run, List<RunEntity> descendants) {
    switch (run.status()) {
      case SUCCEEDED, CANCELLED, CANCELLING ->
          throw new ServiceException(
              ErrorCode.RUN_ENDED,
              "the run %s; there is nothing to pause"
                  .formatted(
                      run.status() == RunStatus.SUCCEEDED ? "has succeeded" : "was cancelled"));
      case FAILED ->
          throw new ServiceException(
              ErrorCode.NOTHING_TO_PAUSE, "the run has failed, and goes on only if it is resumed");
      case INTERRUPTED -> {
        if (run.isAtBreakpoint()
            || (!run.isTimed()
                && descendants.stream().noneMatch(it -> moves(it) || it.isTimed()))) {
          throw new ServiceException(
              ErrorCode.NOTHING_TO_PAUSE,
              "the run has stopped already, at a question or a breakpoint");
        }
      }
      case QUEUED, RUNNING, WAITING -> {}
    }
  }

  private static boolean moves(RunEntity run) {
    return switch (run.status()) {
      case QUEUED, RUNNING, WAITING -> true;
      case INTERRUPTED, FAILED, SUCCEEDED, CANCELLING, CANCELLED -> false;
    };
  }

  /// What waits for its thread or for the time at which it is to start pauses when it begins.
  private void pause(RunEntity run) {
    var now = clock.instant();
    if (run.owned() || run.isEnqueued() || startsLater(run, now)) {
      run.requestPause();
      return;
    }
    if (run.status() == RunStatus.QUEUED || run.isTimed()) {
      wakeUps.cancel(run.id(), run.wake());
    }
    var nodes = nodes(run);
    boolean begun = run.hasBegun();
    run.pause(nodes, now);
    entities.flush();
    var data =
        ObjectValue.of("breakpoint", RunHead.Breakpoint.PAUSE)
            .plus("nodes", ListValue.texts(nodes.toArray(String[]::new)));
    var interrupted = Event.of("run.interrupted", run.superstep(), data);
    events.append(
        run.id(),
        begun
            ? List.of(interrupted)
            : List.of(Event.of("run.started", ObjectValue.empty()), interrupted));
  }

  private static boolean startsLater(RunEntity run, Instant now) {
    return run.status() == RunStatus.QUEUED
        && run.wakesAt().filter(it -> it.isAfter(now)).isPresent();
  }

  private List<String> nodes(RunEntity run) {
    return checkpoints.pendingBefore(run.id(), run.checkpoint() + 1).stream()
        .flatMap(it -> it.activations().stream())
        .map(it -> it.node().value())
        .distinct()
        .toList();
  }
}
