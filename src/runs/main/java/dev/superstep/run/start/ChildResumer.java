package dev.superstep.run.start;

import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.checkpoint.ChildRef;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.RunBudget;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Usage;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Node;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.store.ChildLimits;
import dev.superstep.run.store.ChildLinks;
import dev.superstep.run.store.HeldTasks;
import dev.superstep.run.store.RunFinder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/// Resumes waiting child runs of a resumed run: those that are paused or to pause, those that stand
/// at a breakpoint, and those whose failure has stopped their parent (E41). The caller holds the
/// lock of the parent.
@Component
class ChildResumer {
  private final HeldTasks held;
  private final ResumeEdits resumeEdits;
  private final LimitRaiser limits;
  private final ChildLinks links;
  private final RunFinder runFinder;

  ChildResumer(
      HeldTasks held,
      ResumeEdits resumeEdits,
      LimitRaiser limits,
      ChildLinks links,
      RunFinder runFinder) {
    this.held = held;
    this.resumeEdits = resumeEdits;
    this.limits = limits;
    this.links = links;
    this.runFinder = runFinder;
  }

  /// @param requested limits that the resume sets
  /// @return descendants that can proceed
  List<RunEntity> resume(RunEntity parent, Limits requested) {
    var ready = new ArrayList<RunEntity>();
    for (var stored : held.of(parent.id(), parent.superstep()).values()) {
      var record = stored.ownedBy(parent.birthId());
      if (record.status() instanceof TaskStatus.Child || isOpenFailure(parent, record)) {
        ChildRef.of(record)
            .map(ChildRef::run)
            .flatMap(runFinder::findLocked)
            .ifPresent(child -> resume(new Stopped(parent, record, child), requested, ready));
      }
    }
    return ready;
  }

  private record Stopped(RunEntity parent, TaskRecord record, RunEntity child) {}

  /// A task that a person has declared done no longer needs its child (E34).
  private boolean isOpenFailure(RunEntity parent, TaskRecord record) {
    return isFailed(record) && !resumeEdits.isResolved(parent, record.key());
  }

  private static boolean isFailed(TaskRecord record) {
    return record.status() instanceof TaskStatus.Failed
        || record.status() instanceof TaskStatus.Rejected;
  }

  private void resume(Stopped stopped, Limits requested, List<RunEntity> ready) {
    var child = stopped.child();
    boolean paused = child.withdrawPause();
    switch (child.status()) {
      case INTERRUPTED -> {
        if (child.resting()) {
          resume(child, Limits.NONE, requested, ready);
        }
      }
      case FAILED -> {
        if (isReleased(stopped)) {
          continueFailed(stopped, requested, ready);
        }
      }
      case CANCELLED -> links.giveUp(child.id());
      case QUEUED, RUNNING, WAITING -> {
        if (paused) {
          ready.addAll(resume(child, requested));
          ready.add(child);
        }
      }
      case CANCELLING, SUCCEEDED -> {}
    }
  }

  /// Whether the resume makes the task read its child again. A parent at rest may be waiting for
  /// answers while it holds the failure; one that moves keeps it until it stops.
  private static boolean isReleased(Stopped stopped) {
    var parent = stopped.parent();
    return isFailed(stopped.record())
        ? parent.resting() && !parent.isPaused()
        : parent.status() == RunStatus.FAILED;
  }

  private void continueFailed(Stopped stopped, Limits requested, List<RunEntity> ready) {
    var child = stopped.child();
    if (LimitRaiser.isFinal(child)) {
      links.giveUp(child.id());
      return;
    }
    var code = child.error().map(it -> it.error().code()).orElse("");
    var given =
        switch (code) {
          case "run_timeout" -> ChildLimits.timeout(child.elapsed().plus(allowance(stopped)));
          case "max_supersteps_exceeded" -> requested;
          case RunBudget.CALLS_EXCEEDED, RunBudget.TOKENS_EXCEEDED ->
              limits.share(stopped.parent(), counted(stopped), requested);
          default -> Limits.NONE;
        };
    resume(child, given, requested, ready);
  }

  private void resume(RunEntity child, Limits given, Limits requested, List<RunEntity> ready) {
    var request = new ResumeRun(child.id(), List.of(), List.of(), Optional.empty(), given);
    boolean mended = resumeEdits.apply(child, request);
    var below = resume(child, requested);
    ready.addAll(below);
    if (mended || !below.isEmpty()) {
      ready.add(child);
    }
  }

  /// A resume starts a new attempt (E31), within what the parent has left.
  private static Usage counted(Stopped stopped) {
    return ChildRef.of(stopped.record()).map(ChildRef::counted).orElse(Usage.NOTHING);
  }

  private Duration allowance(Stopped stopped) {
    var parent = stopped.parent();
    var left = limits.timeLeft(parent);
    var policy =
        runFinder
            .graph(parent)
            .program()
            .graph()
            .find(stopped.record().key().node())
            .map(Node::policy)
            .orElse(Node.Policy.DEFAULT);
    return Stream.of(policy.timeout(), policy.totalTimeout(), Optional.of(left))
        .flatMap(Optional::stream)
        .min(Duration::compareTo)
        .orElse(left);
  }
}
