package dev.superstep.engine;

import dev.superstep.engine.checkpoint.AskingStep;
import dev.superstep.engine.checkpoint.ChildStart;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.checkpoint.WorkerStart;
import dev.superstep.engine.node.AttemptId;
import dev.superstep.engine.node.Release;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.Usage;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A task of the superstep in progress: a state machine that only the driver's thread touches.
///
/// - READY: [#start] → RUNNING, [#ship] → AWAY
/// - RUNNING: [#succeed], [#fail], [#ask] → SETTLED; [#sleep], [#park], [#awaitChild],
///   [#awaitWorker], [#awaitCallback] → SLEEPING
/// - SLEEPING: [#wake] after a sleep, [#childEnded] after a child, [#workerEnded] → READY
/// - SETTLED: [#answer], [#reopen] → READY; [#expire], [#resolve], [#reject], [#handle] → SETTLED
/// - AWAY: [#recall] → READY; [#arrive] → the phase of the record
/// - any: [#cancel] → SETTLED
///
/// Any other transition throws [IllegalStateException]: a bug of the driver.
final class OpenTask {
  private final int index;
  private final Task task;
  private Phase phase = Phase.READY;

  /// The task's record; null until it has ended, waited or recorded a side effect once.
  private @Nullable TaskRecord record;

  /// The task's record in the last checkpoint, or of an outcome recorded since.
  private @Nullable TaskRecord stored;

  private final RetryState retryState = new RetryState();

  /// Whether the child run waits for people.
  private boolean childAsks;

  /// Counts starts and sleeps in this process, so that stale timers and outcomes are recognized.
  private int token;

  private @Nullable LiveAttempt live;

  /// Whether the record is new since the last checkpoint.
  private boolean changed;

  /// Whether the record's event is stored.
  private boolean announced;

  /// Whether the record was recorded since it was made (E10.3).
  private boolean recorded;

  public enum Phase {
    READY,
    RUNNING,
    /// Until a time, or until a run that it has begun ends.
    SLEEPING,
    /// It has ended, or asks.
    SETTLED,
    /// Executed by whichever replica takes its slice.
    AWAY
  }

  public OpenTask(int index, Task task) {
    this.index = index;
    this.task = task;
  }

  /// Opens a task of a held superstep.
  public static OpenTask of(int index, Task task, @Nullable TaskRecord held, Release release) {
    var openTask = new OpenTask(index, task);
    if (held != null) {
      openTask.restore(held, release);
    }
    return openTask;
  }

  /// Opens a task of a held superstep, whose record may be of the run that this one is a copy of.
  public static OpenTask of(
      int index, Task task, @Nullable TaskRecord held, Release release, BirthId birthId) {
    var own = held == null ? null : held.ownedBy(birthId);
    var openTask = of(index, task, own, release);
    if (!Objects.equals(own, held)) {
      openTask.changed = true;
      openTask.announced = false;
    }
    return openTask;
  }

  private void restore(TaskRecord held, Release release) {
    stored = held;
    retryState.restore(held, release);
    announced = true;
    var restored = RestoredTask.of(held, release);
    put(restored.record(), restored.phase());
    changed = restored.changed();
  }

  private void put(TaskRecord known, Phase next) {
    record = known;
    phase = next;
  }

  /// Starts the next attempt; the task holds its permits.
  public LiveAttempt start(SuperstepContext superstepContext, DriverContext driver) {
    require(phase == Phase.READY, "start");
    phase = Phase.RUNNING;
    token++;
    retryState.begin(driver.now(), task.node().policy().totalTimeout());
    var id = new AttemptId(superstepContext.superstep(), index, token);
    var started = new LiveAttempt(superstepContext, task, id, retryState, driver);
    live = started;
    return started;
  }

  /// Keeps a side effect of the running attempt.
  public void keepPart(String name, Value value, Instant now) {
    require(phase == Phase.RUNNING, "keep a part");
    retryState.keepPart(name, value);
    noteRunning(new TaskStatus.Open(), now);
  }

  /// The attempt has ended with a result.
  public void succeed(NodeResult result, Instant now) {
    require(phase == Phase.RUNNING, "succeed");
    settle(new TaskStatus.Done(result), now);
  }

  /// The attempt has failed, and none follows.
  public void fail(TaskError error, Instant now) {
    require(phase == Phase.RUNNING, "fail");
    retryState.dropKept();
    usedUp();
    settle(new TaskStatus.Failed(error), now);
  }

  /// The token of the callback that the attempt has opened is not handed out again.
  private void usedUp() {
    running().flatMap(LiveAttempt::callback).ifPresent(retryState::useUp);
  }

  /// The attempt has ended with a question.
  ///
  /// @param change held until the task is done (E36)
  public void ask(TaskRecord.Interrupt interrupt, Change change, Instant now) {
    ask(interrupt, change, Optional.empty(), now);
  }

  /// @param step in which it asks, if in one
  void ask(TaskRecord.Interrupt interrupt, Change change, Optional<AskingStep> step, Instant now) {
    require(phase == Phase.RUNNING, "ask");
    retryState.ask(change, step);
    settle(new TaskStatus.Interrupted(interrupt), now);
  }

  /// The attempt has ended, and another one follows at `dueAt`.
  public void sleep(Instant dueAt, TaskRecord.Why why, Instant now) {
    require(phase == Phase.RUNNING, "sleep");
    retryState.dropKept();
    settle(new TaskStatus.Waiting(dueAt, why), now);
  }

  /// The attempt waits for its turn until `dueAt`.
  ///
  /// @param kept for the attempt that goes on from there
  public void park(Instant dueAt, ObjectValue kept, Instant now) {
    require(phase == Phase.RUNNING, "park");
    retryState.park(kept);
    settle(new TaskStatus.Waiting(dueAt, TaskRecord.Why.TURN), now);
  }

  /// The attempt has ended, and the task waits for a run (E41).
  public void awaitChild(ChildStart start, Instant now) {
    require(phase == Phase.RUNNING, "wait for a run");
    retryState.awaitChild(start.header().id());
    settle(new TaskStatus.Child(start.header().id(), Optional.of(start)), now);
  }

  /// The attempt has ended, and the task waits for a worker (E52).
  public void awaitWorker(String queuedAs, WorkerStart start, Instant now) {
    require(phase == Phase.RUNNING, "wait for a worker");
    retryState.awaitWorker(start.number());
    settle(new TaskStatus.AtWorker(queuedAs, Optional.of(start)), now);
  }

  /// The attempt has ended, and the task waits for its callback (E51).
  void awaitCallback(OpenCallback callback, Instant now) {
    require(phase == Phase.RUNNING, "wait for a callback");
    retryState.useUp(callback);
    settle(new TaskStatus.AtWorker(callback.id(), Optional.empty()), now);
  }

  /// The dispatches that it belongs to are decided without it (E54).
  void cancel(Instant now) {
    if (openInterrupt().isPresent()) {
      retryState.dropHeldChanges(); // it would begin anew, and ask again
    }
    settle(new TaskStatus.Cancelled(), now);
  }

  /// They are not decided after all.
  void reopen() {
    require(isCancelled(), "run after all");
    retryState.beginAnew();
    runAgain();
  }

  boolean isCancelled() {
    return endingIn(Phase.SETTLED) instanceof TaskStatus.Cancelled;
  }

  /// Interrupts the running attempt, if any; its outcome will be ignored.
  void abandon() {
    running().ifPresent(LiveAttempt::abandon);
  }

  /// Notes what an abandoned attempt has spent, and returns whether there was anything to note.
  public boolean abort(Instant now) {
    var running = live;
    if (phase != Phase.RUNNING || running == null || running.spent().isNothing()) {
      return false;
    }
    noteRunning(RetryState.aborted(Optional.ofNullable(record).map(TaskRecord::status)), now);
    return true;
  }

  /// Puts a record into force while the attempt runs.
  private void noteRunning(TaskStatus taskStatus, Instant now) {
    record = recordOf(taskStatus, now);
    changed = true;
    recorded = false;
  }

  /// The time for which the task slept is over.
  public void wake() {
    var waiting = waiting();
    require(waiting.isPresent(), "wake");
    retryState.wake(waiting.get().why());
    runAgain();
  }

  /// Makes the task run again with an answer (E34, E40).
  public void answer(String interruptId, Value answer) {
    require(openInterrupt().filter(it -> it.id().equals(interruptId)).isPresent(), "be answered");
    retryState.answer(new Resume(interruptId, answer));
    runAgain();
  }

  /// The time for an answer is over, which fails the task.
  public void expire(TaskError error, Instant now) {
    require(openInterrupt().isPresent(), "expire");
    retryState.dropHeldChanges(); // a resume begins anew, and asks again
    settle(new TaskStatus.Failed(error), now);
  }

  /// The child run has a new status, and has not ended.
  public void childIs(RunStatus status) {
    require(child().isPresent(), "hear of its child");
    childAsks = status == RunStatus.INTERRUPTED;
  }

  /// Takes over what its child has spent.
  ///
  /// @return what of that is new
  public Usage takeOver(Usage spentByChild) {
    require(child().isPresent(), "take over its spending");
    return retryState.takeOver(spentByChild);
  }

  /// Makes the task run again with the end of its child, as part of the same attempt.
  public void childEnded(ChildEnd end) {
    require(child().isPresent(), "hear of its child's end");
    retryState.childEnded(end);
    runAgain();
  }

  /// Makes the task run again with the outcome of its worker, or of its callback, as part of the
  /// same attempt.
  public void workerEnded(WorkerEnd end) {
    var waitedAs = worker();
    require(waitedAs.isPresent(), "hear of its worker's end");
    retryState.workerEnded(waitedAs.get(), end);
    runAgain();
  }

  private void runAgain() {
    token++;
    phase = Phase.READY;
  }

  /// Replaces the failure by a result that a person gave; held changes are dropped (E34).
  public void resolve(NodeResult result, Instant now) {
    require(failed(), "be resolved");
    retryState.dropHeldChanges();
    settle(new TaskStatus.Done(result), now);
  }

  /// The reducer found that the result cannot be used, or that the failure stands.
  public void reject(TaskRecord rejected) {
    require(hasEnded() && isFailure(rejected.status()), "be rejected");
    settle(rejected);
  }

  /// The graph handles the task's failure (E32): the task is not failed any more, even if a failure
  /// was published before.
  public void handle(TaskRecord handled) {
    require(hasEnded() && handled.status() instanceof TaskStatus.Handled, "be handled");
    announced &= RestoredTask.isHandled(record) || RestoredTask.isHandled(stored);
    record = handled;
    changed |= !handled.equals(stored);
  }

  private void settle(TaskStatus taskStatus, Instant now) {
    settle(recordOf(taskStatus, now));
  }

  private TaskRecord recordOf(TaskStatus taskStatus, Instant now) {
    var spent = live == null ? Usage.NOTHING : live.spent();
    return retryState.record(task.key(), taskStatus, spent, now);
  }

  /// Puts a record into force that this process made.
  private void settle(TaskRecord made) {
    boolean sleeps =
        made.status() instanceof TaskStatus.Waiting
            || made.status() instanceof TaskStatus.Child
            || made.status() instanceof TaskStatus.AtWorker;
    put(made, sleeps ? Phase.SLEEPING : Phase.SETTLED);
    retryState.settle(made);
    changed = true;
    announced = false;
    recorded = false;
    childAsks = false;
    live = null;
    token++;
  }

  /// Another replica executes the task.
  public void ship() {
    require(phase == Phase.READY && record == null, "be executed elsewhere");
    phase = Phase.AWAY;
  }

  /// No other replica executes the task after all.
  public void recall() {
    require(phase == Phase.AWAY, "come back");
    token++;
    phase = Phase.READY;
  }

  /// The record with which the task was opened is in no checkpoint: an earlier driver has recorded
  /// it.
  void restoredFromRecorded() {
    changed = true;
    recorded = true;
  }

  /// Puts a record into force that another replica has made and recorded.
  public void arrive(TaskRecord made) {
    require(phase == Phase.AWAY, "come back");
    token++;
    restore(made, Release.NONE);
    changed = true;
  }

  /// The record is on disk with its event, as an outcome of its own. Whether it has an answer that
  /// is on no disk.
  boolean isUnwritten() {
    return changed && !recorded && phase() == Phase.SETTLED && !failed() && !isCancelled();
  }

  public void recordWritten() {
    require(record != null, "be recorded");
    recorded = true;
    announced = true;
  }

  private void require(boolean legal, String transition) {
    if (!legal) {
      throw new IllegalStateException(
          "task %s cannot %s: %s, %s"
              .formatted(
                  task.key(),
                  transition,
                  phase,
                  record == null ? "no record" : record.status().getClass().getSimpleName()));
    }
  }

  int index() {
    return index;
  }

  public Task task() {
    return task;
  }

  public Phase phase() {
    return phase;
  }

  public @Nullable TaskRecord record() {
    return record;
  }

  public int attempts() {
    return retryState.attempts();
  }

  int interrupts() {
    return retryState.interrupts();
  }

  /// How often the retry policy at this position has repeated it.
  int repeated(int policy) {
    return retryState.repeated(policy);
  }

  /// That policy repeats it once more.
  void repeat(int policy) {
    require(phase == Phase.RUNNING, "be repeated");
    retryState.repeat(policy);
  }

  /// When the time for all its attempts is over, if its node bounds that.
  Optional<Instant> totalEnd() {
    return retryState.totalEnd();
  }

  /// The same, if the running attempt has to heed it.
  Optional<Instant> attemptEnd() {
    return retryState.attemptEnd();
  }

  /// How often it was queued for workers.
  int queued() {
    return retryState.queued();
  }

  /// Changes with every start and every end of an attempt or a wait.
  public int token() {
    return token;
  }

  /// Whether the attempt that was started with this token runs.
  public boolean runs(int startedWith) {
    return phase == Phase.RUNNING && token == startedWith;
  }

  public Optional<LiveAttempt> running() {
    return Optional.ofNullable(live);
  }

  public boolean isChanged() {
    return changed;
  }

  /// Whether the record is new since the last checkpoint and not recorded either.
  public boolean isUnrecorded() {
    return record != null && changed && !recorded;
  }

  public boolean isAnnounced() {
    return announced;
  }

  /// The child run that it waits for, if any.
  public Optional<TaskStatus.Child> child() {
    return endingIn(Phase.SLEEPING) instanceof TaskStatus.Child it
        ? Optional.of(it)
        : Optional.empty();
  }

  /// The id under which it is queued for workers, or of its callback, if it waits for one.
  public Optional<String> worker() {
    return endingIn(Phase.SLEEPING) instanceof TaskStatus.AtWorker(var queuedAs, _)
        ? Optional.of(queuedAs)
        : Optional.empty();
  }

  /// Whether its permit is lent to a run that it has begun, or to a worker.
  boolean isOut() {
    return child().isPresent() || worker().isPresent();
  }

  public boolean waitsForPeople() {
    return childAsks;
  }

  public Optional<TaskRecord.Interrupt> openInterrupt() {
    return endingIn(Phase.SETTLED) instanceof TaskStatus.Interrupted(var interrupt)
        ? Optional.of(interrupt)
        : Optional.empty();
  }

  public Optional<TaskStatus.Waiting> waiting() {
    var taskStatus = endingIn(Phase.SLEEPING);
    return taskStatus instanceof TaskStatus.Waiting it ? Optional.of(it) : Optional.empty();
  }

  boolean isParked() {
    return waiting().filter(it -> it.why() == TaskRecord.Why.TURN).isPresent();
  }

  /// Whether it can do nothing until an answer arrives, a child or worker ends, or time passes.
  public boolean rests() {
    return openInterrupt().isPresent() || waiting().isPresent() || isOut();
  }

  public boolean failed() {
    return isFailure(endingIn(Phase.SETTLED));
  }

  private static boolean isFailure(@Nullable TaskStatus taskStatus) {
    return taskStatus instanceof TaskStatus.Failed || taskStatus instanceof TaskStatus.Rejected;
  }

  /// Whether nothing is left to run or to wait for.
  boolean hasEnded() {
    return endingIn(Phase.SETTLED) instanceof TaskStatus.Ended;
  }

  private @Nullable TaskStatus endingIn(Phase expected) {
    return phase == expected && record != null ? record.status() : null;
  }
}
