package dev.superstep.engine;

import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Records outcomes that a crash must not lose while siblings are open (E10.3): interrupts at once,
/// starts of child runs and of workers soon, all other outcomes in batches.
final class OutcomeRecorder {
  /// How long an outcome waits to be batched while siblings are open. It is to be on disk 100 ms
  /// after its answer; half of that is for the driver's turn and for the write.
  private static final Duration UNRECORDED_MAX = Duration.ofMillis(50);

  /// How long a side effect, or the start of a child run, waits for others at the same time.
  private static final Duration PART_WAITS = Duration.ofMillis(2);

  private final SuperstepContext superstepContext;
  private final DriverContext driver;
  private final Set<OpenTask> unrecorded = new LinkedHashSet<>();
  private final List<Runnable> waiting = new ArrayList<>();
  private @Nullable Instant recordAt;

  OutcomeRecorder(SuperstepContext superstepContext, DriverContext driver) {
    this.superstepContext = superstepContext;
    this.driver = driver;
  }

  void add(OpenTask openTask) {
    boolean asks = openTask.openInterrupt().isPresent();
    boolean begins = openTask.isOut();
    if (!asks && !begins && !mayNotBeLost(openTask)) {
      return;
    }
    unrecorded.add(openTask);
    var now = driver.now();
    if (asks) {
      recordAt = now;
    } else {
      due(now.plus(begins ? PART_WAITS : UNRECORDED_MAX));
    }
  }

  /// Outcomes of calls that are not to be made again; what has been spent, although the attempt
  /// failed or another one follows; and waits for a turn, so that they can be seen.
  private boolean mayNotBeLost(OpenTask openTask) {
    var record = openTask.record();
    boolean spent = record != null && !record.spent().isNothing();
    return spent
        || openTask.isParked()
        || (openTask.phase() == OpenTask.Phase.SETTLED
            && !openTask.failed()
            && !superstepContext.program().runner(openTask.task().key().node()).pure());
  }

  /// Takes a task of dispatches that are decided: what has decided them is not to be lost, whatever
  /// the node is.
  void addDecided(OpenTask openTask) {
    unrecorded.add(openTask);
    due(driver.now().plus(UNRECORDED_MAX));
  }

  /// Records the task as it is now, while it runs.
  ///
  /// @param stored to be run when that is on disk
  void recordRunning(OpenTask openTask, Runnable stored) {
    unrecorded.add(openTask);
    waiting.add(stored);
    due(driver.now().plus(PART_WAITS));
  }

  /// Has the next flush record what an aborted attempt has spent.
  void keepSpent(OpenTask openTask) {
    unrecorded.add(openTask);
  }

  /// Records what has been spent and is not recorded yet, but opens no question, and begins no run
  /// or worker.
  void flushSpent() {
    unrecorded.removeIf(it -> !isSpentOnly(it));
    flush();
  }

  private static boolean isSpentOnly(OpenTask openTask) {
    var record = openTask.record();
    return record != null
        && !record.spent().isNothing()
        && switch (record.status()) {
          case TaskRecord.TaskStatus.Interrupted _,
              TaskRecord.TaskStatus.Child _,
              TaskRecord.TaskStatus.AtWorker _ ->
              false;
          case TaskRecord.TaskStatus.Ended _,
              TaskRecord.TaskStatus.Waiting _,
              TaskRecord.TaskStatus.Open _ ->
              true;
        };
  }

  private void due(Instant at) {
    recordAt = recordAt == null || at.isBefore(recordAt) ? at : recordAt;
  }

  Optional<Instant> dueAt() {
    return Optional.ofNullable(recordAt);
  }

  void flushIfDue() {
    if (recordAt != null && !recordAt.isAfter(driver.now())) {
      flush();
    }
  }

  /// Records the remaining outcomes; the next claim then finds them. They belong behind the commits
  /// that the driver has gone on from; if those are refused, nothing of them counts.
  void flush() {
    recordAt = null;
    if (!unrecorded.isEmpty() && driver.deferred().flush()) {
      record();
      unrecorded.clear();
      waiting.forEach(Runnable::run);
      waiting.clear();
    }
  }

  /// The events of new interrupts are written with their tasks (E35).
  private void record() {
    var records = new ArrayList<TaskRecord>(unrecorded.size());
    var events = new ArrayList<Event>();
    for (var openTask : unrecorded) {
      var record = openTask.record();
      if (record != null) {
        records.add(record);
        TaskEvents.firstEvent(openTask).ifPresent(events::add);
      }
    }
    driver.ports().store().record(driver.lease(), records, events);
    unrecorded.forEach(OpenTask::recordWritten);
  }
}
