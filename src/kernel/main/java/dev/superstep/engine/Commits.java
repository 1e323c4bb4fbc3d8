package dev.superstep.engine;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Writes the driver's commits and returns the run's next status.
final class Commits {
  private final RunTransitions runTransitions;
  private final DriverContext driver;
  private final Optional<ContextFold> contextFold;

  Commits(Program program, LoadedRun loaded, RunTransitions runTransitions, DriverContext driver) {
    this.runTransitions = runTransitions;
    this.driver = driver;
    contextFold =
        loaded
            .checkpoint()
            .context()
            .map(_ -> new ContextFold(program.graph(), loaded.header().ordinal()));
  }

  /// How a commit ended.
  sealed interface Written {}

  /// @param checkpoint the run's newest checkpoint
  record Advanced(Checkpoint checkpoint, RunStatus status) implements Written {}

  record RefusedCommit(Why why) implements Written {}

  enum Why {
    CANCEL,
    PAUSE,
    ANSWERS
  }

  /// Commits a superstep whose tasks are all done.
  Written step(
      SuperstepContext superstepContext,
      SuperstepResult.Complete complete,
      List<OpenTask> openTasks) {
    var at = superstepContext.at();
    int superstep = superstepContext.superstep();
    var tasks = tasks(openTasks);
    var now = timeBehind(at);
    var folded = folded(at, complete.records(), now);
    int dropped = folded.map(superstepContext.program().contexts().history()::excess).orElse(0);
    var context = folded.map(it -> it.withoutOldest(dropped));
    var carried =
        contextFold.isPresent() && context.isPresent()
            ? ChainContexts.carry(
                superstepContext, contextFold.get(), tasks, complete, context.get())
            : complete.pending();
    var failure = complete.runFailure();
    var next = failure.isPresent() ? carried.withoutEnd() : carried;
    var rest =
        failure
            .map(it -> runTransitions.failed(superstep, it))
            .orElseGet(() -> runTransitions.after(next, superstep, tasks));
    var kind = next.isEnd() ? CheckpointKind.FINAL : CheckpointKind.STEP;
    var stamp = new Checkpoint.Stamp(at.number() + 1, kind, superstep, now, driver.lease().era());
    var after = new Checkpoint(stamp, complete.state(), context, next, Map.of(), 0);
    var delta =
        new Commit.Delta(
            complete.records(),
            Optional.empty(),
            complete.effects().opaque(),
            new Commit.ContextDelta(Optional.empty(), dropped));
    var events = TaskEvents.committed(superstep, complete, openTasks);
    if (contextFold.isPresent()) {
      events.addAll(0, TaskEvents.contextConflicts(superstep, complete));
    }
    events.addAll(rest.events());
    return write(at, Optional.of(new Commit.Write(after, delta)), rest.head(), events, openTasks);
  }

  private static List<Task> tasks(List<OpenTask> openTasks) {
    var tasks = new ArrayList<Task>(openTasks.size());
    openTasks.forEach(it -> tasks.add(it.task()));
    return tasks;
  }

  /// The time of the next commit, as precise as the database keeps it, and never before the last.
  private Instant timeBehind(Checkpoint at) {
    var now = driver.now().truncatedTo(ChronoUnit.MICROS);
    return now.isBefore(at.stamp().at()) ? at.stamp().at() : now;
  }

  private Optional<PromptContext> folded(Checkpoint at, List<TaskRecord> records, Instant now) {
    return contextFold.flatMap(fold -> at.context().map(it -> fold.fold(it, records, now)));
  }

  /// Holds a superstep: the records of its tasks are kept, the state does not show them (E33).
  Written hold(Checkpoint at, RunTransitions.Rest rest, List<OpenTask> openTasks) {
    var changed = new ArrayList<TaskRecord>();
    var held = new HashMap<TaskKey, TaskRecord>();
    var events = new ArrayList<Event>();
    for (var openTask : openTasks) {
      var record = openTask.record();
      if (record != null) {
        held.put(record.key(), record);
        if (openTask.isChanged()) {
          changed.add(record);
        }
        TaskEvents.firstEvent(openTask).ifPresent(events::add);
      }
    }
    events.addAll(rest.events());
    if (changed.isEmpty()) {
      return write(at, Optional.empty(), rest.head(), events, openTasks);
    }
    var stamp =
        new Checkpoint.Stamp(
            at.number() + 1, CheckpointKind.HELD, at.superstep(), timeBehind(at), at.stamp().era());
    var after = new Checkpoint(stamp, at.state(), at.context(), at.pending(), held, at.edits());
    var delta = new Commit.Delta(changed, Optional.empty(), Map.of());
    return write(at, Optional.of(new Commit.Write(after, delta)), rest.head(), events, openTasks);
  }

  /// Brings the run to rest; nothing but its head changes.
  ///
  /// @return [Next.Continue] with this checkpoint if there are signals instead, which have been
  ///   read
  Next rest(Checkpoint at, RunTransitions.Rest rest) {
    return switch (write(at, Optional.empty(), rest.head(), rest.events(), List.of())) {
      case Advanced(_, var status) -> new Next.AtRest(status);
      case RefusedCommit _ -> {
        if (driver.deferred().isRefused()) {
          yield goBack();
        }
        driver.readSignals();
        yield new Next.Continue(at);
      }
    };
  }

  /// Goes on from the last checkpoint on disk, with the signals that have refused those behind it.
  Next goBack() {
    driver.readSignals();
    return new Next.Continue(driver.deferred().goBack());
  }

  private Written write(
      Checkpoint at,
      Optional<Commit.Write> write,
      RunHead runHead,
      List<Event> events,
      List<OpenTask> openTasks) {
    runHead.error().ifPresent(it -> driver.span().fail(it.error().code()));
    var commit = new Commit(at.number(), write, runHead, events, driver.signals().answersCount());
    var deferred = driver.deferred();
    if (write.isPresent() && deferred.defers(commit)) {
      var after = stamped(write.get(), at, write.get().after().stamp().at());
      var unwritten = openTasks.stream().filter(OpenTask::isUnwritten).map(it -> it.task().key());
      deferred.add(commit, after, unwritten.toList());
      return new Advanced(after, runHead.status());
    }
    return switch (deferred.flushWith(commit)) {
      case CheckpointStore.CommitResult.Committed(var time) -> {
        var after = write.map(it -> stamped(it, at, time)).orElse(at);
        deferred.onDisk(after);
        driver.taken(commit.taken());
        yield new Advanced(after, runHead.status());
      }
      case CheckpointStore.CommitResult.CancelRequested _ -> new RefusedCommit(Why.CANCEL);
      case CheckpointStore.CommitResult.PauseChanged _ -> new RefusedCommit(Why.PAUSE);
      case CheckpointStore.CommitResult.AnswersPending _ -> new RefusedCommit(Why.ANSWERS);
    };
  }

  /// The checkpoint with the time the database gave it, history entries of the commit included.
  private static Checkpoint stamped(Commit.Write write, Checkpoint before, Instant time) {
    var after = write.after();
    var stamp = after.stamp();
    int known = before.context().map(it -> it.times().size()).orElse(0);
    int kept = Math.max(0, known - write.delta().context().dropped());
    return new Checkpoint(
        new Checkpoint.Stamp(stamp.number(), stamp.kind(), stamp.superstep(), time, stamp.era()),
        after.state(),
        after.context().map(it -> it.retimed(kept, time.toString())),
        after.pending(),
        after.held(),
        after.edits());
  }
}
