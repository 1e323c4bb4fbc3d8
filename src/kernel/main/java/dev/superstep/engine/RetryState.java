package dev.superstep.engine;

import dev.superstep.engine.checkpoint.AskingStep;
import dev.superstep.engine.checkpoint.CallbackRef;
import dev.superstep.engine.checkpoint.ChildRef;
import dev.superstep.engine.checkpoint.Repeats;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.checkpoint.WorkerRef;
import dev.superstep.engine.node.Release;
import dev.superstep.engine.run.Allowance;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.Usage;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The state that a task carries from one attempt to the next. Only its [OpenTask] changes it, and
/// decides when that is legal.
final class RetryState {
  /// Reserved: no node records a side effect of that name.
  private static final String KEPT = "__kept";

  private int attempts;
  private int generation;
  private int interrupts;
  private List<Change> heldChanges = List.of();
  private ObjectValue sideEffects = ObjectValue.empty();

  /// On models, by all attempts that have ended.
  private Usage spent = Usage.NOTHING;

  private Optional<Resume> resume = Optional.empty();

  /// How the child run ended; kept until the attempt that sees it has ended.
  private Optional<ChildEnd> childEnd = Optional.empty();

  /// How the worker ended; kept likewise.
  private Optional<WorkerEnd> workerEnd = Optional.empty();

  /// How the callback ended; kept likewise.
  private Optional<WorkerEnd> callbackEnd = Optional.empty();

  private AttemptCall.Woken woken = AttemptCall.Woken.NO;
  private @Nullable Instant startedAt;

  /// When the time for all attempts is over.
  private @Nullable Instant totalEnd;

  /// Restores the state from a record.
  void restore(TaskRecord held, Release release) {
    attempts = attempts(held, release);
    boolean anew =
        held.status() instanceof TaskStatus.Cancelled
            || (held.status() instanceof TaskStatus.Failed && release != Release.NONE);
    generation = held.generation();
    interrupts = held.interrupts();
    heldChanges = held.heldChanges();
    sideEffects = anew ? Repeats.removedFrom(held.parts()) : held.parts();
    spent = held.spent();
    resume = held.questions().answer();
    startedAt = held.startedAt();
  }

  /// The attempt of an open task is lost, and does not count.
  private static int attempts(TaskRecord held, Release release) {
    return switch (held.status()) {
      case TaskStatus.Open _ -> Math.max(0, held.attempts() - 1);
      case TaskStatus.Cancelled _ -> 0;
      case TaskStatus.Failed _ ->
          switch (release) {
            case NONE -> held.attempts();
            case FAILED -> 0;
            case CHILD -> 1;
          };
      case TaskStatus.Done _,
          TaskStatus.Handled _,
          TaskStatus.Rejected _,
          TaskStatus.Interrupted _,
          TaskStatus.Waiting _,
          TaskStatus.Child _,
          TaskStatus.AtWorker _ ->
          held.attempts();
    };
  }

  /// An attempt begins.
  ///
  /// @param total how long all attempts may take together
  void begin(Instant now, Optional<Duration> total) {
    attempts++;
    startedAt = startedAt == null ? now : startedAt;
    if (total.isPresent()) {
      sideEffects = Repeats.started(sideEffects, now);
      totalEnd = Repeats.since(sideEffects, now).plus(total.get());
    }
  }

  /// How often the policy at this position has repeated the task.
  int repeated(int policy) {
    return Repeats.count(sideEffects, policy);
  }

  /// That policy repeats the task once more.
  void repeat(int policy) {
    sideEffects = Repeats.counted(sideEffects, policy);
  }

  /// When the time for all attempts is over.
  Optional<Instant> totalEnd() {
    return Optional.ofNullable(totalEnd);
  }

  /// The same for an attempt that begins now. What has come from a child run, a worker or a
  /// callback is taken, however late.
  Optional<Instant> attemptEnd() {
    boolean hasCome = childEnd.isPresent() || workerEnd.isPresent() || callbackEnd.isPresent();
    return hasCome ? Optional.empty() : totalEnd();
  }

  void keepPart(String name, Value value) {
    sideEffects = sideEffects.plus(name, value);
  }

  /// The task has asked a question.
  ///
  /// @param change held until it is done (E36)
  /// @param step in which it asks, if in one
  void ask(Change change, Optional<AskingStep> step) {
    sideEffects = AskingStep.asking(sideEffects, step);
    if (!change.isEmpty()) {
      heldChanges = new ArrayList<>(heldChanges);
      heldChanges.add(change);
    }
    interrupts++;
    resume = Optional.empty();
  }

  /// The next attempt sees an answer (E34, E40).
  void answer(Resume answer) {
    resume = Optional.of(answer);
    generation++;
    sideEffects = AskingStep.answered(sideEffects);
    beginAnew();
  }

  void beginAnew() {
    attempts = 0;
    sideEffects = Repeats.removedFrom(sideEffects);
  }

  void dropHeldChanges() {
    heldChanges = List.of();
  }

  /// The next attempt follows on a wait.
  void wake(TaskRecord.Why why) {
    if (why == TaskRecord.Why.TURN) {
      return;
    }
    boolean slept = why == TaskRecord.Why.SLEEP;
    woken = slept ? AttemptCall.Woken.YES : AttemptCall.Woken.NO;
    if (slept) {
      beginAnew();
    }
  }

  /// The attempt waits for its turn, and does not count.
  void park(ObjectValue kept) {
    attempts = Math.max(0, attempts - 1);
    sideEffects = kept.isEmpty() ? sideEffects : sideEffects.plus(KEPT, kept);
  }

  /// Another attempt would begin from the start.
  void dropKept() {
    sideEffects = sideEffects.minus(KEPT);
  }

  /// What attempts that were parked have kept.
  static ObjectValue kept(ObjectValue sideEffects) {
    return sideEffects.objectOrEmpty(KEPT);
  }

  /// The task has begun a run (E41).
  void awaitChild(String run) {
    sideEffects =
        new ChildRef(run, ChildRef.numberIn(sideEffects) + 1, Usage.NOTHING).keptIn(sideEffects);
  }

  /// Takes over what the child run has spent.
  ///
  /// @return what of that is new
  Usage takeOver(Usage spentByChild) {
    var child = ChildRef.in(sideEffects).orElseThrow();
    var more = spentByChild.beyond(child.counted());
    sideEffects = child.counting(more).keptIn(sideEffects);
    spent = spent.plus(more);
    return more;
  }

  /// The next attempt sees the end of that run, as part of the same attempt.
  void childEnded(ChildEnd end) {
    childEnd = Optional.of(end);
    attempts = Math.max(0, attempts - 1);
  }

  /// How often the task was queued for workers.
  int queued() {
    return WorkerRef.numberIn(sideEffects);
  }

  /// The task is queued for workers once more (E52).
  void awaitWorker(int number) {
    sideEffects = WorkerRef.keptIn(sideEffects, number);
  }

  /// Number of the last callback whose token is used up.
  int usedCallbacks() {
    return CallbackRef.numberIn(sideEffects);
  }

  /// The task waits for this callback, or has failed with it (E51).
  void useUp(OpenCallback callback) {
    sideEffects = CallbackRef.keptIn(sideEffects, callback);
  }

  /// The next attempt sees how the worker, or the callback, ended, as part of the same attempt. The
  /// end of a callback is an answer: a call behind it is another one (E40).
  ///
  /// @param waitedAs the id under which the task has waited
  void workerEnded(String waitedAs, WorkerEnd end) {
    if (CallbackRef.isIn(sideEffects, waitedAs)) {
      callbackEnd = Optional.of(end);
      generation++;
    } else {
      workerEnd = Optional.of(end);
    }
    attempts = Math.max(0, attempts - 1);
  }

  /// The attempt has ended, and `made` includes what it has spent.
  void settle(TaskRecord made) {
    spent = made.spent();
    childEnd = Optional.empty();
    workerEnd = Optional.empty();
    callbackEnd = Optional.empty();
  }

  /// @param running what the running attempt has spent so far
  TaskRecord record(TaskKey task, TaskStatus taskStatus, Usage running, Instant now) {
    return new TaskRecord(
        task,
        attempts,
        generation,
        new TaskRecord.TaskQuestions(interrupts, heldChanges, answer(taskStatus)),
        taskStatus,
        startedAt == null ? now : startedAt,
        now,
        new TaskRecord.Left(sideEffects(taskStatus), spent.plus(running)));
  }

  /// Side effects are kept for the attempts that follow.
  private ObjectValue sideEffects(TaskStatus taskStatus) {
    return switch (taskStatus) {
      case TaskStatus.Done _, TaskStatus.Rejected _, TaskStatus.Handled _ -> ObjectValue.empty();
      case TaskStatus.Failed _, TaskStatus.Cancelled _, TaskStatus.Unfinished _ -> sideEffects;
    };
  }

  /// The answer goes with the task until an attempt that saw it is done, or asks again (E36).
  private Optional<Resume> answer(TaskStatus taskStatus) {
    return switch (taskStatus) {
      case TaskStatus.Failed _,
          TaskStatus.Cancelled _,
          TaskStatus.Waiting _,
          TaskStatus.Child _,
          TaskStatus.AtWorker _,
          TaskStatus.Open _ ->
          resume;
      case TaskStatus.Done _,
          TaskStatus.Interrupted _,
          TaskStatus.Rejected _,
          TaskStatus.Handled _ ->
          Optional.empty();
    };
  }

  /// The status of a task whose attempt was aborted. If it had slept, it counts as still asleep:
  /// the next attempt must see that it was woken.
  ///
  /// @param before its status when the attempt began
  static TaskStatus aborted(Optional<TaskStatus> before) {
    return before
        .filter(
            it -> it instanceof TaskStatus.Waiting waiting && waiting.why() == TaskRecord.Why.SLEEP)
        .orElseGet(TaskStatus.Open::new);
  }

  /// Started so far since the last claim, resume or answer.
  int attempts() {
    return attempts;
  }

  /// Questions so far.
  int interrupts() {
    return interrupts;
  }

  List<Change> heldChanges() {
    return heldChanges;
  }

  ObjectValue sideEffects() {
    return sideEffects;
  }

  /// The parameters of an attempt that begins now. The answer to a step is seen by that step only.
  AttemptCall.Attempt attempt() {
    var seen = AskingStep.in(sideEffects).isPresent() ? Optional.<Resume>empty() : resume;
    return new AttemptCall.Attempt(
        attempts, generation, seen, Optional.empty(), woken, AttemptCall.Means.NONE);
  }

  /// What the steps of an attempt that begins now go on from.
  StepHistory steps() {
    var answer =
        AskingStep.in(sideEffects)
            .flatMap(step -> resume.map(it -> new StepAnswer(step, it.answer())));
    return new StepHistory(generation - AskingStep.answersIn(sideEffects), answer);
  }

  /// @param generation all answers to the task but those to its steps (E53)
  /// @param answer that the attempt resumes with, if the task has asked in a step
  record StepHistory(int generation, Optional<StepAnswer> answer) {}

  /// The answer to the question of a step.
  record StepAnswer(AskingStep step, Value answer) {}

  /// Its parameters about child runs of the task.
  ///
  /// @param runEnd when the time of the run is over
  AttemptCall.Nesting nesting(Instant now, Instant runEnd, Allowance left) {
    var timeLeft = Duration.between(now, Repeats.earlier(runEnd, totalEnd()));
    return new AttemptCall.Nesting(
        ChildRef.numberIn(sideEffects),
        childEnd,
        workerEnd,
        callbackEnd,
        callbackEnd.flatMap(_ -> CallbackRef.in(sideEffects)),
        timeLeft,
        left);
  }
}
