package dev.superstep.engine.checkpoint;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.ResultSize;
import dev.superstep.engine.run.RunHead;
import dev.superstep.state.Change;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// One write of a driver: the run's head, its events and, unless nothing but the head changes, the
/// next checkpoint. All of it or nothing.
///
/// @param parent number of the checkpoint it builds on: the fence (run, epoch, checkpoint number)
/// @param checkpoint empty if only the head changes; else numbered `parent + 1`
/// @param answersSeen how many answers and messages of the run the driver knows; a hold, a
///   superstep in which tasks have asked, and one with which the run succeeds do not commit if
///   there are others (E35, E49)
/// @param continuedAt when the driver went on from it, which is its time; empty: the driver waits
///   for it, and the store sets its time
/// @param passesPause whether it commits although the run is to pause: its driver had gone on
///   before it knew, and goes no further
public record Commit(
    int parent,
    Optional<Write> checkpoint,
    RunHead head,
    List<Event> events,
    int answersSeen,
    Optional<Instant> continuedAt,
    boolean passesPause) {
  public Commit {
    events = List.copyOf(events);
  }

  public Commit(
      int parent, Optional<Write> checkpoint, RunHead head, List<Event> events, int answersSeen) {
    this(parent, checkpoint, head, events, answersSeen, Optional.empty(), false);
  }

  /// This commit, from which the driver has gone on at `time`.
  public Commit continuedAt(Instant time) {
    return new Commit(
        parent, checkpoint, head, events, answersSeen, Optional.of(time), passesPause);
  }

  /// This commit, behind which the run pauses.
  public Commit passingPause() {
    return new Commit(parent, checkpoint, head, events, answersSeen, continuedAt, true);
  }

  /// Whether it commits a superstep without questions and messages, after which the run continues
  /// or has succeeded. Only such commits share a write with others.
  public boolean isPlain() {
    return advances()
        && switch (head.status()) {
          case RUNNING, SUCCEEDED -> true;
          case QUEUED, WAITING, INTERRUPTED, FAILED, CANCELLING, CANCELLED -> false;
        }
        && !hasAsked()
        && taken().isEmpty();
  }

  /// Whether a superstep is committed: recorded outcomes of any of its tasks are part of it.
  public boolean advances() {
    return checkpoint
        .map(it ->
            switch (it.after().stamp().kind()) {
              case STEP, FINAL -> true;
              case INPUT, HELD, UPDATE, FORK -> false;
            })
        .orElse(false);
  }

  /// The canonical size of what it stores, about: results of its tasks, and values of channels with
  /// a user's merge.
  public long sizeBytes() {
    long bytes = 0;
    if (checkpoint.isPresent()) {
      var write = checkpoint.get();
      for (var record : write.delta().tasks()) {
        if (record.status() instanceof TaskRecord.TaskStatus.Done(var result)) {
          bytes += ResultSize.of(result);
        }
      }
      for (var value : write.delta().opaque().values()) {
        bytes += value.map(Canonical::size).orElse(0L);
      }
    }
    return bytes;
  }

  /// Whether any of its tasks has asked a question.
  public boolean hasAsked() {
    if (checkpoint.isPresent()) {
      for (var task : checkpoint.get().delta().tasks()) {
        if (task.interrupts() > 0) {
          return true;
        }
      }
    }
    return false;
  }

  /// Ids of the messages that it takes (E49). They are the last of its records.
  public List<String> taken() {
    var tasks = checkpoint.map(it -> it.delta().tasks()).orElse(List.of());
    if (!TaskRecord.haveMessages(tasks)) {
      return List.of();
    }
    return tasks.stream()
        .filter(TaskRecord::isMessage)
        .flatMap(it -> Stream.ofNullable(it.key().dispatchId()))
        .toList();
  }

  /// @param after what the run is when the write is on disk; its time is set by the store
  public record Write(Checkpoint after, Delta delta) {}

  /// What the checkpoint stores (E45). For kinds `step`, `final`: all task records of the
  /// superstep, in task order; for `held`: those that are new or changed since the checkpoint
  /// before; for `input`, `update`, `fork`: the edit.
  ///
  /// @param opaque resulting values of channels with a user's merge; empty value: removed (E19)
  public record Delta(
      List<TaskRecord> tasks,
      Optional<Change> edit,
      Map<String, Optional<Value>> opaque,
      ContextDelta context) {
    public Delta {
      tasks = List.copyOf(tasks);
      opaque = Map.copyOf(opaque);
    }

    /// A delta whose tasks say all about the prompt context.
    public Delta(
        List<TaskRecord> tasks, Optional<Change> edit, Map<String, Optional<Value>> opaque) {
      this(tasks, edit, opaque, ContextDelta.NONE);
    }
  }

  /// Changes of the prompt context that the tasks do not explain. They are stored, not computed
  /// again: a checkpoint must be rebuilt as it was, whatever the limits are by then.
  ///
  /// @param edited the whole context after a manual edit; empty: it was not edited
  /// @param dropped oldest history entries that are not kept any more (C27)
  public record ContextDelta(Optional<PromptContext> edited, int dropped) {
    public static final ContextDelta NONE = new ContextDelta(Optional.empty(), 0);
  }
}
