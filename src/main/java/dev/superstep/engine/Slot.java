package dev.superstep.engine;

import dev.superstep.state.Change;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A task of the superstep in progress, and where it stands. Only the driver's thread touches it.
@SuppressWarnings("checkstyle:ClassFanOutComplexity") // it holds whatever a task can be waiting for
final class Slot {
  final int index;
  final Task task;

  /// What is known of the task; null until it has ended or waited once.
  @Nullable TaskRecord record;

  /// What the last checkpoint, or an outcome recorded since, says of the task.
  private @Nullable TaskRecord stored;

  Phase phase = Phase.READY;
  int attempts;
  int generation;
  int interrupts;
  List<Change> heldChanges = List.of();
  ObjectValue parts = ObjectValue.empty();

  /// On models, by all attempts that have ended.
  private Usage spent = Usage.NOTHING;

  Optional<Resume> resume = Optional.empty();

  /// What became of the run for which the task has waited; until the attempt that sees it has
  /// ended.
  Optional<ChildEnd> childEnd = Optional.empty();

  /// Whether the run for which the task waits waits for people.
  boolean childAsks;

  Call.Woken woken = Call.Woken.NO;

  /// Counts starts and sleeps in this process, so that stale timers and endings are told apart.
  int token;

  @Nullable LiveAttempt live;
  @Nullable Instant startedAt;

  /// Whether the record is new since the last checkpoint.
  boolean changed;

  /// Whether its event is stored.
  boolean announced;

  /// Whether the record was recorded since it was made (E10.3).
  boolean recorded;

  enum Phase {
    READY,
    RUNNING,
    SLEEPING,
    SETTLED,
    /// Executed by whichever replica takes its slice.
    AWAY
  }

  Slot(int index, Task task) {
    this.index = index;
    this.task = task;
  }

  /// The slot of a task of a held superstep.
  ///
  /// @param release whether a resume call asked for failed tasks to run again (E34)
  static Slot of(int index, Task task, @Nullable TaskRecord held, Release release) {
    var slot = new Slot(index, task);
    if (held != null) {
      slot.restore(held, release);
    }
    return slot;
  }

  enum Release {
    FAILED,
    /// The run that it has begun goes on, and so does the task (E41).
    CHILD,
    NONE
  }

  private void restore(TaskRecord held, Release release) {
    adopt(held);
    boolean released = release != Release.NONE;
    switch (held.ending()) {
      case TaskRecord.Ending.Done _, TaskRecord.Ending.Interrupted _ -> phase = Phase.SETTLED;
      case TaskRecord.Ending.Waiting _, TaskRecord.Ending.Child _ -> phase = Phase.SLEEPING;
      case TaskRecord.Ending.Open _ -> {
        attempts = Math.max(0, attempts - 1);
        phase = Phase.READY;
      }
      case TaskRecord.Ending.Handled(var error, _) -> {
        record = held.with(new TaskRecord.Ending.Failed(error));
        phase = Phase.SETTLED;
      }
      case TaskRecord.Ending.Rejected(var result, _) -> {
        record = released ? held.with(new TaskRecord.Ending.Done(result)) : held;
        phase = Phase.SETTLED;
      }
      case TaskRecord.Ending.Failed _ -> {
        attempts = released ? 0 : attempts;
        phase = released ? Phase.READY : Phase.SETTLED;
        if (release == Release.CHILD) {
          waitAgain(held);
        }
      }
    }
  }

  private void waitAgain(TaskRecord held) {
    var child = ChildRef.of(held).orElseThrow();
    attempts = 1;
    record = held.with(new TaskRecord.Ending.Child(child.run(), Optional.empty()));
    changed = true;
    phase = Phase.SLEEPING;
  }

  private void adopt(TaskRecord held) {
    record = held;
    stored = held;
    attempts = held.attempts();
    generation = held.generation();
    interrupts = held.interrupts();
    heldChanges = held.heldChanges();
    resume = held.asked().answer();
    startedAt = held.startedAt();
    parts = held.parts();
    spent = held.spent();
    announced = true;
  }

  /// Puts a record into force that some replica has made and recorded.
  void arrive(TaskRecord made) {
    restore(made, Release.NONE);
    changed = true;
  }

  /// Puts a record into force that this process made.
  void settle(TaskRecord made) {
    record = made;
    spent = made.spent();
    changed = true;
    announced = false;
    recorded = false;
    boolean sleeps =
        made.ending() instanceof TaskRecord.Ending.Waiting
            || made.ending() instanceof TaskRecord.Ending.Child;
    phase = sleeps ? Phase.SLEEPING : Phase.SETTLED;
    childEnd = Optional.empty();
    childAsks = false;
    live = null;
    token++;
  }

  TaskRecord made(TaskRecord.Ending ending, Instant now) {
    var started = startedAt;
    return new TaskRecord(
        task.key(),
        attempts,
        generation,
        new TaskRecord.Asked(interrupts, heldChanges, Remains.answer(ending, resume)),
        ending,
        started == null ? now : started,
        now,
        new TaskRecord.Left(Remains.parts(ending, parts), spent()));
  }

  /// With what the attempt that runs has spent so far.
  private Usage spent() {
    var running = live;
    return running == null ? spent : spent.plus(running.spent());
  }

  /// Keeps a part of the attempt that runs.
  void keep(String name, Value value, Instant now) {
    parts = parts.plus(name, value);
    record = made(new TaskRecord.Ending.Open(), now);
    changed = true;
    recorded = false;
  }

  /// Notes what the attempt has spent that runs, and that nobody waits for any more. The task runs
  /// again when the run goes on.
  ///
  /// @return whether there was anything to note
  boolean cutOff(Instant now) {
    var running = live;
    if (phase != Phase.RUNNING || running == null || running.spent().isNothing()) {
      return false;
    }
    record = made(Remains.cutOff(Optional.ofNullable(record).map(TaskRecord::ending)), now);
    changed = true;
    recorded = false;
    return true;
  }

  /// Notes that the graph takes care of the task's failure (E32): it is not failed any more, even
  /// if that was told before.
  void handle(TaskRecord handled) {
    announced &= isHandled(record) || isHandled(stored);
    record = handled;
    changed |= !handled.equals(stored);
  }

  private static boolean isHandled(@Nullable TaskRecord record) {
    return record != null && record.ending() instanceof TaskRecord.Ending.Handled;
  }

  void hold(Change change) {
    if (!change.isEmpty()) {
      heldChanges = new ArrayList<>(heldChanges);
      heldChanges.add(change);
    }
  }

  /// Makes the task run again with an answer (E34, E40).
  void answer(String interruptId, Value answer) {
    resume = Optional.of(new Resume(interruptId, answer));
    generation++;
    attempts = 0;
    phase = Phase.READY;
  }

  /// Makes a task that slept run again.
  void wake(TaskRecord.Why why) {
    woken = why == TaskRecord.Why.SLEEP ? Call.Woken.YES : Call.Woken.NO;
    attempts = why == TaskRecord.Why.SLEEP ? 0 : attempts;
    phase = Phase.READY;
  }

  /// Takes over what its child has spent.
  ///
  /// @return what of that is new
  Usage takeOver(Usage spentByChild) {
    var child = ChildRef.in(parts).orElseThrow();
    var more = spentByChild.beyond(child.counted());
    parts = child.counting(more).keptIn(parts);
    spent = spent.plus(more);
    return more;
  }

  /// Makes the task run again with what became of its child, as part of the same attempt.
  void childEnded(ChildEnd end) {
    childEnd = Optional.of(end);
    attempts = Math.max(0, attempts - 1);
    phase = Phase.READY;
  }

  /// What it waits for, if that is a run.
  Optional<TaskRecord.Ending.Child> child() {
    return phase == Phase.SLEEPING
            && record != null
            && record.ending() instanceof TaskRecord.Ending.Child child
        ? Optional.of(child)
        : Optional.empty();
  }

  Optional<TaskRecord.Interrupt> openInterrupt() {
    return phase == Phase.SETTLED
            && record != null
            && record.ending() instanceof TaskRecord.Ending.Interrupted(var interrupt)
        ? Optional.of(interrupt)
        : Optional.empty();
  }

  Optional<TaskRecord.Ending.Waiting> waiting() {
    return phase == Phase.SLEEPING
            && record != null
            && record.ending() instanceof TaskRecord.Ending.Waiting waiting
        ? Optional.of(waiting)
        : Optional.empty();
  }

  /// Whether it can do nothing until somebody answers, something ends, or time passes.
  boolean rests() {
    return openInterrupt().isPresent() || waiting().isPresent() || child().isPresent();
  }

  boolean failed() {
    return phase == Phase.SETTLED
        && record != null
        && (record.ending() instanceof TaskRecord.Ending.Failed
            || record.ending() instanceof TaskRecord.Ending.Rejected);
  }

  /// Interrupts the attempt that runs, if one does.
  void abandon() {
    var running = live;
    if (running != null) {
      running.abandon();
    }
  }
}
