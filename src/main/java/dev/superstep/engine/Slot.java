package dev.superstep.engine;

import dev.superstep.engine.TaskRecord.Ending;
import dev.superstep.state.Change;
import dev.superstep.state.Value;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A task of the superstep in progress: a state machine that only the driver's thread touches.
///
/// - READY: [#start] → RUNNING, [#ship] → AWAY
/// - RUNNING: [#succeed], [#fail], [#ask] → SETTLED; [#sleep], [#awaitChild] → SLEEPING
/// - SLEEPING: [#wake] after a sleep, [#childEnded] after a child → READY
/// - SETTLED: [#answer] → READY; [#expire], [#resolve], [#reject], [#handle] → SETTLED
/// - AWAY: [#recall] → READY; [#arrive] → wherever the record puts it
///
/// Whatever else is tried throws [IllegalStateException]: a bug of the driver.
final class Slot {
  private final int index;
  private final Task task;
  private Phase phase = Phase.READY;

  /// What is known of the task; null until it has ended, waited or kept something once.
  private @Nullable TaskRecord record;

  /// What the last checkpoint, or an outcome recorded since, says of the task.
  private @Nullable TaskRecord stored;

  private final Remains remains = new Remains();

  /// Whether the run for which the task waits waits for people.
  private boolean childAsks;

  /// Counts starts and sleeps in this process, so that stale timers and outcomes are told apart.
  private int token;

  private @Nullable LiveAttempt live;

  /// Whether the record is new since the last checkpoint.
  private boolean changed;

  /// Whether the record's event is stored, or about to be.
  private boolean announced;

  /// Whether the record was recorded since it was made (E10.3).
  private boolean recorded;

  enum Phase {
    READY,
    RUNNING,
    /// Until a time, or until a run that it has begun ends.
    SLEEPING,
    /// It has ended, or asks.
    SETTLED,
    /// Executed by whichever replica takes its slice.
    AWAY
  }

  Slot(int index, Task task) {
    this.index = index;
    this.task = task;
  }

  /// The slot of a task of a held superstep.
  static Slot of(int index, Task task, @Nullable TaskRecord held, Release release) {
    var slot = new Slot(index, task);
    if (held != null) {
      slot.restore(held, release);
    }
    return slot;
  }

  private void restore(TaskRecord held, Release release) {
    stored = held;
    remains.restore(held, release);
    announced = true;
    switch (held.ending()) {
      case Ending.Waiting _, Ending.Child _ -> put(held, Phase.SLEEPING);
      case Ending.Open _ -> put(held, Phase.READY);
      case Ending.Handled(var error, _) -> put(held.with(new Ending.Failed(error)), Phase.SETTLED);
      case Ending.Rejected(var result, _) when release != Release.NONE ->
          put(held.with(new Ending.Done(result)), Phase.SETTLED);
      case Ending.Failed _ when release == Release.FAILED -> put(held, Phase.READY);
      case Ending.Failed _ when release == Release.CHILD -> {
        var run = ChildRef.of(held).orElseThrow().run();
        put(held.with(new Ending.Child(run, Optional.empty())), Phase.SLEEPING);
        changed = true;
      }
      case Ending.Done _, Ending.Interrupted _, Ending.Rejected _, Ending.Failed _ ->
          put(held, Phase.SETTLED);
    }
  }

  private void put(TaskRecord known, Phase next) {
    record = known;
    phase = next;
  }

  /// Starts the next attempt; the task holds its permits.
  LiveAttempt start(Frame frame, DriverContext driver) {
    require(phase == Phase.READY, "start");
    phase = Phase.RUNNING;
    token++;
    remains.begin(driver.now());
    var id = new AttemptId(frame.superstep(), index, token);
    var started = new LiveAttempt(frame, task, id, remains, driver);
    live = started;
    return started;
  }

  /// Keeps a part of the attempt that runs.
  void keepPart(String name, Value value, Instant now) {
    require(phase == Phase.RUNNING, "keep a part");
    remains.keepPart(name, value);
    noteRunning(new Ending.Open(), now);
  }

  /// The attempt has ended with a result.
  void succeed(NodeResult result, Instant now) {
    require(phase == Phase.RUNNING, "succeed");
    settle(new Ending.Done(result), now);
  }

  /// The attempt has failed, and none follows.
  void fail(TaskError error, Instant now) {
    require(phase == Phase.RUNNING, "fail");
    settle(new Ending.Failed(error), now);
  }

  /// The attempt has ended with a question.
  ///
  /// @param change held until the task is done (E36)
  void ask(TaskRecord.Interrupt interrupt, Change change, Instant now) {
    require(phase == Phase.RUNNING, "ask");
    remains.ask(change);
    settle(new Ending.Interrupted(interrupt), now);
  }

  /// The attempt has ended, and another one follows at `dueAt`.
  void sleep(Instant dueAt, TaskRecord.Why why, Instant now) {
    require(phase == Phase.RUNNING, "sleep");
    settle(new Ending.Waiting(dueAt, why), now);
  }

  /// The attempt has ended, and the task waits for a run (E41).
  void awaitChild(ChildStart start, Instant now) {
    require(phase == Phase.RUNNING, "wait for a run");
    remains.awaitChild(start.header().id());
    settle(new Ending.Child(start.header().id(), Optional.of(start)), now);
  }

  /// Interrupts the attempt that runs, if one does; nothing asks for its outcome any more.
  void abandon() {
    running().ifPresent(LiveAttempt::abandon);
  }

  /// Notes what an abandoned attempt has spent, and says whether there was anything to note.
  boolean cutOff(Instant now) {
    var running = live;
    if (phase != Phase.RUNNING || running == null || running.spent().isNothing()) {
      return false;
    }
    noteRunning(Remains.cutOff(Optional.ofNullable(record).map(TaskRecord::ending)), now);
    return true;
  }

  /// Puts a record into force while the attempt runs.
  private void noteRunning(Ending ending, Instant now) {
    record = remains.record(task.key(), ending, live, now);
    changed = true;
    recorded = false;
  }

  /// The time for which the task slept is over.
  void wake() {
    var waiting = waiting();
    require(waiting.isPresent(), "wake");
    remains.wake(waiting.get().why());
    runAgain();
  }

  /// Makes the task run again with an answer (E34, E40).
  void answer(String interruptId, Value answer) {
    require(openInterrupt().filter(it -> it.id().equals(interruptId)).isPresent(), "be answered");
    remains.answer(new Resume(interruptId, answer));
    runAgain();
  }

  /// The time for an answer is over, and the task fails for it.
  void expire(TaskError error, Instant now) {
    require(openInterrupt().isPresent(), "expire");
    settle(new Ending.Failed(error), now);
  }

  /// The run for which the task waits has moved, and has not ended.
  void childIs(RunStatus status) {
    require(child().isPresent(), "hear of its child");
    childAsks = status == RunStatus.INTERRUPTED;
  }

  /// Takes over what its child has spent.
  ///
  /// @return what of that is new
  Usage takeOver(Usage spentByChild) {
    require(child().isPresent(), "take over its spending");
    return remains.takeOver(spentByChild);
  }

  /// Makes the task run again with the end of its child, as part of the same attempt.
  void childEnded(ChildEnd end) {
    require(child().isPresent(), "hear of its child's end");
    remains.childEnded(end);
    runAgain();
  }

  private void runAgain() {
    token++;
    phase = Phase.READY;
  }

  /// Replaces the failure by a result that a person gave; held changes are dropped (E34).
  void resolve(NodeResult result, Instant now) {
    require(failed(), "be resolved");
    remains.dropHeldChanges();
    settle(new Ending.Done(result), now);
  }

  /// The settlement found that the result cannot be used, or that the failure stands.
  void reject(TaskRecord rejected) {
    require(hasEnded() && isFailure(rejected.ending()), "be rejected");
    settle(rejected);
  }

  /// The graph handles the task's failure (E32): it is not failed any more, even if that was
  /// announced before.
  void handle(TaskRecord handled) {
    require(hasEnded() && handled.ending() instanceof Ending.Handled, "be handled");
    announced &= isHandled(record) || isHandled(stored);
    record = handled;
    changed |= !handled.equals(stored);
  }

  private static boolean isHandled(@Nullable TaskRecord known) {
    return known != null && known.ending() instanceof Ending.Handled;
  }

  private void settle(Ending ending, Instant now) {
    settle(remains.record(task.key(), ending, live, now));
  }

  /// Puts a record into force that this process made.
  private void settle(TaskRecord made) {
    boolean sleeps =
        made.ending() instanceof Ending.Waiting || made.ending() instanceof Ending.Child;
    put(made, sleeps ? Phase.SLEEPING : Phase.SETTLED);
    remains.settle(made);
    changed = true;
    announced = false;
    recorded = false;
    childAsks = false;
    live = null;
    token++;
  }

  /// Another replica executes the task.
  void ship() {
    require(phase == Phase.READY && record == null, "be executed elsewhere");
    phase = Phase.AWAY;
  }

  /// No other replica executes the task after all.
  void recall() {
    require(phase == Phase.AWAY, "come back");
    phase = Phase.READY;
  }

  /// Puts a record into force that some replica has made and recorded.
  void arrive(TaskRecord made) {
    require(phase == Phase.AWAY, "come back");
    restore(made, Release.NONE);
    changed = true;
  }

  /// The record is on disk, as an outcome of its own.
  void recordWritten() {
    require(record != null, "be recorded");
    recorded = true;
  }

  /// The event of the record is about to be stored with it.
  void announce() {
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
                  record == null ? "no record" : record.ending().getClass().getSimpleName()));
    }
  }

  int index() {
    return index;
  }

  Task task() {
    return task;
  }

  Phase phase() {
    return phase;
  }

  @Nullable TaskRecord record() {
    return record;
  }

  int attempts() {
    return remains.attempts();
  }

  int interrupts() {
    return remains.interrupts();
  }

  /// Changes with every start and every end of an attempt or a wait.
  int token() {
    return token;
  }

  /// Whether the attempt that was started with this token runs.
  boolean runs(int startedWith) {
    return phase == Phase.RUNNING && token == startedWith;
  }

  Optional<LiveAttempt> running() {
    return Optional.ofNullable(live);
  }

  boolean isChanged() {
    return changed;
  }

  /// Whether the record is new since the last checkpoint and not recorded either.
  boolean isUnrecorded() {
    return record != null && changed && !recorded;
  }

  boolean isAnnounced() {
    return announced;
  }

  /// What it waits for, if that is a run.
  Optional<Ending.Child> child() {
    return endingIn(Phase.SLEEPING) instanceof Ending.Child it ? Optional.of(it) : Optional.empty();
  }

  boolean waitsForPeople() {
    return childAsks;
  }

  Optional<TaskRecord.Interrupt> openInterrupt() {
    return endingIn(Phase.SETTLED) instanceof Ending.Interrupted(var interrupt)
        ? Optional.of(interrupt)
        : Optional.empty();
  }

  Optional<Ending.Waiting> waiting() {
    var ending = endingIn(Phase.SLEEPING);
    return ending instanceof Ending.Waiting it ? Optional.of(it) : Optional.empty();
  }

  /// Whether it can do nothing until an answer arrives, a child ends, or time passes.
  boolean rests() {
    return openInterrupt().isPresent() || waiting().isPresent() || child().isPresent();
  }

  boolean failed() {
    return isFailure(endingIn(Phase.SETTLED));
  }

  private static boolean isFailure(@Nullable Ending ending) {
    return ending instanceof Ending.Failed || ending instanceof Ending.Rejected;
  }

  /// Whether nothing is left to run or to wait for.
  private boolean hasEnded() {
    return endingIn(Phase.SETTLED) instanceof Ending.Ended;
  }

  private @Nullable Ending endingIn(Phase expected) {
    return phase == expected && record != null ? record.ending() : null;
  }
}
