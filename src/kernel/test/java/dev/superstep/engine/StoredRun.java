package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/// What [InMemoryCheckpointStore] keeps of one run: the rows that PostgreSQL would have.
public final class StoredRun {
  final RunHeader header;
  final List<StoredCheckpoint> checkpoints = new ArrayList<>();
  final List<StoredEvent> events = new ArrayList<>();
  final Map<TaskKey, TaskRecord> recorded = new LinkedHashMap<>();
  final Map<String, StoredInterrupt> interrupts = new LinkedHashMap<>();
  final Map<String, NavigableMap<Integer, StoredStep>> steps = new HashMap<>();
  final Map<TaskKey, Change> resolutions = new LinkedHashMap<>();
  final Map<String, StoredMessage> messages = new LinkedHashMap<>();
  Limits limits = Limits.NONE;
  Breakpoints breakpoints = Breakpoints.NONE;
  RunHead runHead;
  long epoch;
  int answers;
  int releasedThrough = -1;
  boolean cancelRequested;
  int pausesAt = RunSignals.NEVER;

  /// @param epoch of the lease under which it was written
  public record StoredCheckpoint(Checkpoint after, Commit.Delta delta, long epoch) {}

  /// @param seq from 1, gap-free
  public record StoredEvent(long seq, Instant at, Event event) {}

  /// @param taken numbers of the checkpoints that name it: one, once it is taken
  public record StoredMessage(InboxMessage message, List<Integer> taken) {}

  /// @param attempt that has recorded it
  public record StoredStep(StepRecord record, UUID attempt) {}

  /// @param status `open`, `answered`, `expired`, `cancelled`
  public record StoredInterrupt(
      TaskKey task, TaskRecord.Interrupt interrupt, String status, Optional<Value> answer) {
    StoredInterrupt closed(String how) {
      return new StoredInterrupt(task, interrupt, how, answer);
    }

    StoredInterrupt answered(Value value) {
      return new StoredInterrupt(task, interrupt, "answered", Optional.of(value));
    }
  }

  StoredRun(RunHeader header, RunHead runHead) {
    this.header = header;
    this.runHead = runHead;
  }

  boolean pauses(Commit commit) {
    return commit.head().superstep() >= pausesAt;
  }

  Checkpoint last() {
    return checkpoints.getLast().after();
  }

  void write(Commit.Write write, Instant at) {
    var after = write.after();
    var stamp = new Checkpoint.Stamp(after.number(), after.stamp().kind(), after.superstep(), at);
    var stamped =
        new Checkpoint(
            stamp, after.state(), after.context(), after.pending(), after.held(), after.edits());
    checkpoints.add(new StoredCheckpoint(stamped, write.delta(), epoch));
    write.delta().tasks().stream()
        .filter(TaskRecord::isMessage)
        .map(it -> Objects.requireNonNull(messages.get(it.key().dispatchId())))
        .forEach(it -> it.taken().add(after.number()));
  }

  void append(List<Event> added, Instant at) {
    added.forEach(it -> events.add(new StoredEvent(events.size() + 1, at, it)));
  }

  void open(List<TaskRecord> records) {
    for (var record : records) {
      if (record.status() instanceof TaskRecord.TaskStatus.Interrupted(var interrupt)) {
        interrupts.putIfAbsent(
            interrupt.id(), new StoredInterrupt(record.key(), interrupt, "open", Optional.empty()));
      }
    }
  }

  /// Closes open interrupts that no task of `held` waits for any more.
  void close(Map<TaskKey, TaskRecord> held, String how) {
    interrupts.replaceAll(
        (_, it) -> it.status().equals("open") && !waits(held, it) ? it.closed(how) : it);
  }

  private static boolean waits(Map<TaskKey, TaskRecord> held, StoredInterrupt stored) {
    var record = held.get(stored.task());
    return record != null
        && record.status() instanceof TaskRecord.TaskStatus.Interrupted(var interrupt)
        && interrupt.id().equals(stored.interrupt().id());
  }

  RunSignals signals() {
    var open = last().superstep() + 1;
    var answered = new ArrayList<RunSignals.Answer>();
    interrupts.forEach((id, it) -> {
      if (it.task().superstep() == open) {
        it.answer().ifPresent(value -> answered.add(new RunSignals.Answer(id, value)));
      }
    });
    var resolved = new ArrayList<RunSignals.Resolution>();
    resolutions.forEach((task, change) -> {
      if (task.superstep() == open) {
        resolved.add(new RunSignals.Resolution(task, change));
      }
    });
    var waiting = messages.values().stream().filter(it -> it.taken().isEmpty());
    return new RunSignals(answered, resolved, List.of(), answers, cancelRequested)
        .with(waiting.map(StoredMessage::message).toList())
        .pausingAt(pausesAt);
  }

  LoadedRun image() {
    var last = last();
    var checkpoint =
        new Checkpoint(
                last.stamp(),
                last.state(),
                last.context(),
                last.pending(),
                last.held(),
                last.edits())
            .with(recorded.values());
    var lease = new Lease(header.id(), epoch);
    return new LoadedRun(
        header, lease, checkpoint, limits, breakpoints, runHead, signals(), releasedThrough);
  }
}
