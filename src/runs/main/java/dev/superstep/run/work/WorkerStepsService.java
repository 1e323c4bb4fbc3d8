package dev.superstep.run.work;

import dev.superstep.checkpoint.step.TaskSteps.StoredPage;
import dev.superstep.checkpoint.step.TaskSteps.StoredStep;
import dev.superstep.checkpoint.step.WorkerSteps;
import dev.superstep.checkpoint.step.WorkerSteps.HeldTask;
import dev.superstep.checkpoint.work.WorkerTasks;
import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.StepJournal;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.check.LimitSettings;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Records the steps of tasks that workers execute, and gives them back to the next worker (E53).
/// When a method returns, its effect is on disk.
@Component
public class WorkerStepsService {
  private final WorkerTasks tasks;
  private final WorkerSteps steps;
  private final DatabaseClock clock;
  private final long resultBytesMax;

  WorkerStepsService(
      WorkerTasks tasks, WorkerSteps steps, DatabaseClock clock, LimitSettings limits) {
    this.clock = clock;
    this.tasks = tasks;
    this.steps = steps;
    this.resultBytesMax = limits.resultMax().toBytes();
  }

  /// The recorded steps, from a place on. The answer to one that has asked is recorded now.
  @Transactional
  public StoredPage read(String id, UUID token, int from) {
    var task = hold(id, token);
    if (from == 0) {
      recordAnswer(id, token, task);
    }
    return steps.read(task, from);
  }

  private void recordAnswer(String id, UUID token, HeldTask task) {
    tasks.answered(id).ifPresent(it -> steps.record(task, token, it));
  }

  /// What is recorded at the place of a step that is to ask; empty: nothing, or the task is not
  /// this claim's.
  @Transactional
  public Optional<StoredStep> find(String id, UUID token, WorkerEnd.StepQuestion question) {
    var held = steps.hold(id, token);
    held.ifPresent(it -> recordAnswer(id, token, it));
    var known =
        held.flatMap(it -> steps.read(it, question.ordinal()).steps().stream().findFirst())
            .filter(it -> it.record().ordinal() == question.ordinal());
    known.ifPresent(it -> requireSame(it, question.ordinal(), question.name(), StepKind.ASK));
    return known;
  }

  /// Records a step. Each place is that claim's that has recorded it first; it may do so again. If
  /// it is one that sleeps, the task is given back until it has.
  ///
  /// @param bytes of its result
  /// @return what is recorded there: an earlier worker may have done so
  @Transactional
  public RecordedStep record(String id, UUID token, StepRecord step, long bytes) {
    var task = hold(id, token);
    long most = StepJournal.RESULTS * resultBytesMax;
    if (task.bytes() + bytes > most) {
      throw new ServiceException(
          ErrorCode.LIMIT_EXCEEDED,
          "the results of all steps of a task may have %d bytes".formatted(most));
    }
    steps.record(task, token, isFinal(task, step) ? step.forGood() : step);
    var recorded = steps.read(task, step.ordinal()).steps().getFirst();
    requireSame(recorded, step.ordinal(), step.name(), step.kind());
    boolean waits = step.kind() == StepKind.SLEEP && isOpen(recorded);
    if (waits && !tasks.sleep(id, token, due(recorded))) {
      throw WorkerService.lost();
    }
    return new RecordedStep(recorded, waits);
  }

  /// Whether it is the failure of a call that may be made once only.
  private boolean isFinal(HeldTask task, StepRecord step) {
    return step.end().filter(StepEnd.StepFailure.class::isInstance).isPresent()
        && steps.read(task, step.ordinal()).steps().stream()
            .findFirst()
            .filter(it -> it.record().ordinal() == step.ordinal())
            .filter(it -> it.record().kind() == StepKind.ONCE)
            .isPresent();
  }

  /// @param waits whether the task was given back for it: decided once, whatever time it is now
  public record RecordedStep(StoredStep step, boolean waits) {}

  private static void requireSame(StoredStep recorded, int ordinal, String name, StepKind kind) {
    if (!recorded.record().isOf(name, kind)) {
      throw new ServiceException(
          ErrorCode.STEP_MISMATCH,
          "step %d of the task is recorded as '%s', and the code begins '%s' there"
              .formatted(ordinal + 1, recorded.record().name(), name));
    }
  }

  /// Whether a step still sleeps.
  public boolean isOpen(StoredStep step) {
    return step.record().kind() == StepKind.SLEEP && due(step).isAfter(clock.instant());
  }

  private static Instant due(StoredStep step) {
    return step.record().end().orElse(null) instanceof StepEnd.StepResult(Value.Text(var until))
        ? Instant.parse(until)
        : Instant.MIN;
  }

  /// A step that sleeps from now on.
  public StepRecord sleeping(int ordinal, String name, Duration duration) {
    var until = Value.of(clock.instant().plus(duration).toString());
    return new StepRecord(
        ordinal, name, StepKind.SLEEP, Optional.of(new StepEnd.StepResult(until)));
  }

  private HeldTask hold(String id, UUID token) {
    return steps
        .hold(id, token)
        .orElseThrow(
            () -> tasks.find(id).isPresent() ? WorkerService.lost() : WorkerEnds.notFound(id));
  }
}
