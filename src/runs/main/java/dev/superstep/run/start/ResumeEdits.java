package dev.superstep.run.start;

import dev.superstep.checkpoint.ChangeCodec;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.SettingsChange;
import dev.superstep.run.check.StartChecks;
import dev.superstep.run.store.HeldTasks;
import dev.superstep.run.store.ResolutionEntity;
import dev.superstep.run.store.RunFinder;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.Change;
import jakarta.persistence.EntityManager;
import java.util.Collection;
import java.util.List;
import org.springframework.stereotype.Component;

/// Applies the edits of a resume: it edits the state, resolves or releases failed tasks, passes a
/// breakpoint, raises limits.
@Component
class ResumeEdits {
  private final LimitRaiser limits;
  private final StateEditor editor;
  private final HeldTasks held;
  private final RunFinder runs;
  private final EntityManager entities;
  private final DatabaseClock clock;

  ResumeEdits(
      LimitRaiser limits,
      StateEditor editor,
      HeldTasks held,
      RunFinder runs,
      EntityManager entities,
      DatabaseClock clock) {
    this.limits = limits;
    this.editor = editor;
    this.held = held;
    this.runs = runs;
    this.entities = entities;
    this.clock = clock;
  }

  /// The caller holds the lock of the run.
  ///
  /// @return whether there was anything to do
  boolean apply(RunEntity run, ResumeRun request) {
    boolean requested = request.edits() || !request.resolutions().isEmpty() || request.sets();
    if (!run.resting()) {
      if (requested) {
        throw notAtRest(run);
      }
      return false;
    }
    limits.raise(run, request.limits());
    settings(run, request.settings());
    var failed = HeldTasks.failed(held.of(run.id(), run.superstep()).values());
    resolve(run, failed, request.resolutions());
    int last = edit(run, request);
    boolean stopped = run.breakpoint().isPresent() || run.status() == RunStatus.FAILED;
    run.passBreakpoint();
    // What has failed beside what a paused run waits for is not tried again, as if it had not
    // paused.
    if (failed.size() > request.resolutions().size() && !run.isPaused()) {
      run.releaseFailures(last);
    }
    return requested || stopped || !failed.isEmpty();
  }

  /// Edits a run that does not proceed. The caller holds the lock of the run.
  void applyOnly(RunEntity run, ResumeRun request) {
    if (!run.resting()) {
      throw notAtRest(run);
    }
    limits.set(run, request.limits());
    settings(run, request.settings());
    edit(run, request);
  }

  private static ServiceException notAtRest(RunEntity run) {
    return new ServiceException(
        ErrorCode.RUN_NOT_AT_REST,
        (run.isEnqueued() ? "the run waits for its thread" : "the run is moving")
            + "; change, context, goto, resolve, limits, interrupt_before and interrupt_after"
            + " need one that stopped");
  }

  private void settings(RunEntity run, SettingsChange given) {
    if (given.isEmpty()) {
      return;
    }
    StartChecks.settings(given, runs.graph(run));
    var input = runs.input(run.id());
    input.breakpoints(given.over(input.breakpoints()));
  }

  /// @return number of the last checkpoint
  private int edit(RunEntity run, ResumeRun request) {
    return request.edits() ? editor.edit(run, request) : run.checkpoint();
  }

  /// Whether a person has declared the task done, now or before.
  boolean isResolved(RunEntity run, TaskKey task) {
    return entities.find(ResolutionEntity.class, ResolutionEntity.ResolutionKey.of(run.id(), task))
        != null;
  }

  boolean resumable(RunEntity run) {
    return limits.resumable(run);
  }

  private void resolve(
      RunEntity run, List<TaskRecord> failed, List<ResumeRun.Resolution> resolutions) {
    for (int i = 0; i < resolutions.size(); i++) {
      var resolution = resolutions.get(i);
      var pointer = "/resolve/" + i + "/task_id";
      var task = task(failed, resolution.taskId(), pointer);
      var key = ResolutionEntity.ResolutionKey.of(run.id(), task);
      var change = ChangeCodec.bytes(resolution.change().orElse(Change.NONE));
      var before = entities.find(ResolutionEntity.class, key);
      if (before == null) {
        entities.persist(new ResolutionEntity(run.id(), task, change, clock.instant()));
      } else {
        // It has failed nevertheless: the change could not be folded, or an edge not be followed.
        before.replace(change, clock.instant());
      }
    }
    run.countAnswers(resolutions.size());
  }

  private static TaskKey task(Collection<TaskRecord> failed, String id, String pointer) {
    return failed.stream()
        .map(TaskRecord::key)
        .filter(it -> it.toString().equals(id))
        .findFirst()
        .orElseThrow(() ->
            ServiceException.at(
                pointer,
                ErrorCode.TASK_NOT_FOUND,
                "the run has no failed task '%s'".formatted(id)));
  }
}
