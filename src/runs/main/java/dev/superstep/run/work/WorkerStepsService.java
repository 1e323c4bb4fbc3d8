package dev.superstep.run.work;

import dev.superstep.checkpoint.step.TaskSteps.StoredPage;
import dev.superstep.checkpoint.step.TaskSteps.StoredStep;
import dev.superstep.checkpoint.step.WorkerSteps;
import dev.superstep.checkpoint.step.WorkerSteps.HeldTask;
import dev.superstep.checkpoint.work.WorkerTasks;
import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.node.StepJournal;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.check.LimitSettings;
import java.util.UUID;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Records the steps of tasks that workers execute, and gives them back to the next worker (E53).
/// When a method returns, its effect is on disk.
@Component
public class WorkerStepsService {
  private final WorkerTasks tasks;
  private final WorkerSteps steps;
  private final long resultBytesMax;

  WorkerStepsService(WorkerTasks tasks, WorkerSteps steps, LimitSettings limits) {
    this.tasks = tasks;
    this.steps = steps;
    this.resultBytesMax = limits.resultMax().toBytes();
  }

  /// The recorded steps, from a place on.
  @Transactional
  public StoredPage read(String id, UUID token, int from) {
    return steps.read(hold(id, token), from);
  }

  /// Records a step. Each place is that claim's that has recorded it first; it may do so again.
  ///
  /// @param bytes of its result
  /// @return what is recorded there: an earlier worker may have done so
  @Transactional
  public StoredStep record(String id, UUID token, StepRecord step, long bytes) {
    var task = hold(id, token);
    long most = StepJournal.RESULTS * resultBytesMax;
    if (task.bytes() + bytes > most) {
      throw new ServiceException(
          ErrorCode.LIMIT_EXCEEDED,
          "the results of all steps of a task may have %d bytes".formatted(most));
    }
    steps.record(task, token, step);
    var recorded = steps.read(task, step.ordinal()).steps().getFirst();
    if (!recorded.record().isOf(step.name(), step.kind())) {
      throw new ServiceException(
          ErrorCode.STEP_MISMATCH,
          "step %d of the task is recorded as '%s', and the code begins '%s' there"
              .formatted(step.ordinal() + 1, recorded.record().name(), step.name()));
    }
    return recorded;
  }

  private HeldTask hold(String id, UUID token) {
    return steps
        .hold(id, token)
        .orElseThrow(
            () -> tasks.find(id).isPresent() ? WorkerService.lost() : WorkerEnds.notFound(id));
  }
}
