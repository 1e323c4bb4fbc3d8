package dev.superstep.run.store;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.context.PromptContext;
import dev.superstep.database.OwnThings;
import dev.superstep.definition.Compiled;
import dev.superstep.engine.RunStart.StartState;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.graph.Violations;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.check.ContextRequest;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Threads: one active run at a time, each starting from the newest committed checkpoint, however
/// the run before has ended.
@Component
public class Threads {
  /// In place of the id of a run that waits.
  static final String MESSAGES = "*";

  /// Of one superstep, that are looked at.
  private static final int HELD_MAX = 2_000;

  private final ThreadRows threads;
  private final RunRows runs;
  private final RunFinder runFinder;
  private final Checkpoints checkpoints;
  private final Callers callers;
  private final OwnThings things;

  Threads(
      ThreadRows threads,
      RunRows runs,
      RunFinder runFinder,
      Checkpoints checkpoints,
      Callers callers,
      OwnThings things) {
    this.things = things;
    this.callers = callers;
    this.threads = threads;
    this.runs = runs;
    this.runFinder = runFinder;
    this.checkpoints = checkpoints;
  }

  /// A run's place in its thread.
  ///
  /// @param last the checkpoint from whose state it begins: the newest committed one of the thread,
  ///   unless the request names another
  /// @param from where that is
  public record ThreadPosition(
      long ordinal, Optional<Checkpoint> last, Optional<CheckpointRef> from) {
    public static final ThreadPosition ALONE =
        new ThreadPosition(0, Optional.empty(), Optional.empty());

    /// What the run begins with, before its input (P2).
    public StartState origin(Compiled graph, Optional<ObjectValue> requested) {
      var state = last.map(Checkpoint::state).orElseGet(GraphState::empty);
      return new StartState(state, context(graph, requested));
    }

    private Optional<PromptContext> context(Compiled graph, Optional<ObjectValue> requested) {
      if (!graph.program().graph().settings().keepsContext()) {
        requested.ifPresent(_ -> refuse());
        return Optional.empty();
      }
      var base = last.flatMap(Checkpoint::context).orElse(graph.context());
      if (requested.isEmpty()) {
        return Optional.of(base);
      }
      var violations = new Violations();
      var context = ContextRequest.over(base, requested.get(), violations);
      ServiceException.throwIfAny(violations);
      return Optional.of(context);
    }

    private static void refuse() {
      throw ServiceException.at(
          "/context",
          ErrorCode.INVALID_VALUE,
          "this graph keeps no prompt context; give it a context key or leave this out");
    }
  }

  /// The thread, inserted if it is new, locked until the transaction ends.
  ///
  /// @throws ServiceException `thread_not_found` if it is out of reach of this request
  public ThreadEntity lock(String thread) {
    requireReached(thread);
    while (true) {
      var locked = threads.findLocked(thread);
      if (locked.isPresent()) {
        requireReached(thread); // another caller may have made it since this one was let in
        return locked.get();
      }
      // It may be deleted in between.
      int _ = threads.ensure(thread, owner());
    }
  }

  private void requireReached(String thread) {
    if (Tenant.isNobodys(thread) || !things.admitsThread(thread)) {
      throw RunFinder.threadNotFound(thread);
    }
  }

  private @Nullable String owner() {
    return callers.stored().orElse(null);
  }

  /// A new thread, locked until the transaction ends; empty if there is one of this id.
  ///
  /// @throws ServiceException `thread_not_found` if there is one that is out of reach of this
  ///   request
  public Optional<ThreadEntity> create(String thread) {
    requireReached(thread);
    if (threads.ensure(thread, owner()) > 0) {
      return threads.findLocked(thread);
    }
    requireReached(thread); // it may have been made meanwhile
    return Optional.empty();
  }

  /// The thread, locked, if it exists.
  public Optional<ThreadEntity> findLocked(String thread) {
    return threads.findLocked(thread);
  }

  /// How clients have described the thread.
  ///
  /// @throws ServiceException `thread_not_found`
  public ObjectValue metadata(String thread) {
    return threads
        .findById(thread)
        .map(ThreadEntity::metadata)
        .orElseThrow(() -> RunFinder.threadNotFound(thread));
  }

  /// @throws ServiceException `thread_not_found`
  public void checkExists(String thread) {
    if (threads.countById(thread) == 0) {
      throw RunFinder.threadNotFound(thread);
    }
  }

  public void delete(String thread) {
    threads.delete(thread);
  }

  /// A thread that a run has made is deleted with its last run. The caller holds its lock.
  public void deleteIfEmpty(String thread) {
    threads.deleteIfEmpty(thread);
  }

  /// The position of a run that takes the next turn of a locked thread.
  ///
  /// @param from the checkpoint that the request names; empty: the newest
  /// @throws ServiceException `checkpoint_not_found` if it is not one of the thread
  public ThreadPosition position(ThreadEntity locked, Optional<CheckpointRef> from) {
    return position(locked.takeOrdinal(), locked.id(), from);
  }

  /// The position of a run that has waited for its turn.
  public ThreadPosition position(long ordinal, String thread, Optional<CheckpointRef> from) {
    if (from.isPresent()) {
      return new ThreadPosition(ordinal, named(thread, from.get()), from);
    }
    var head = runs.findHeadOf(thread);
    return new ThreadPosition(
        ordinal,
        head.map(this::lastOf),
        head.map(it -> new CheckpointRef(it.id(), it.checkpoint())));
  }

  /// The checkpoint that a request names; empty: the beginning of the thread.
  private Optional<Checkpoint> named(String thread, CheckpointRef ref) {
    var at = Optional.of(ref);
    while (at.isPresent() && at.get().isBeforeInput()) {
      at = checkIsOf(thread, at.get()).from();
    }
    return at.map(it -> checkpoint(thread, it));
  }

  private Checkpoint checkpoint(String thread, CheckpointRef ref) {
    var run = checkIsOf(thread, ref);
    return checkpoints
        .rebuild(runFinder.header(run), ref.checkpoint(), runFinder.graph(run).program().graph())
        .orElseThrow(() -> notFound(thread, ref));
  }

  /// @throws ServiceException `checkpoint_not_found` if no run of the thread has such a checkpoint
  public RunEntity checkIsOf(String thread, CheckpointRef ref) {
    return runs.findById(ref.run())
        .filter(it -> thread.equals(it.origin().threadId()) && it.hasTurn())
        .filter(it -> ref.checkpoint() <= it.checkpoint())
        .orElseThrow(() -> notFound(thread, ref));
  }

  private static ServiceException notFound(String thread, CheckpointRef ref) {
    return ServiceException.at(
        "/from",
        ErrorCode.CHECKPOINT_NOT_FOUND,
        "thread '%s' has no checkpoint %d of a run '%s'"
            .formatted(thread, ref.checkpoint(), ref.run()));
  }

  /// The active run of the thread, locked until the transaction ends: it cannot end meanwhile.
  public Optional<RunEntity> lockActive(String thread) {
    while (true) {
      var found = runs.findActiveOn(thread);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      var locked = runFinder.findLocked(found.get()).filter(it -> it.status().active());
      if (locked.isPresent()) {
        return locked;
      }
    }
  }

  /// Whether nothing keeps a new run from having the thread.
  ///
  /// @param messages are to begin a run, and nothing else keeps it
  public record ThreadRoom(boolean free, boolean messages) {}

  public ThreadRoom room(String thread) {
    var occupant = runs.findActiveOn(thread).or(() -> runs.findFirstWaitingOn(thread));
    return new ThreadRoom(occupant.isEmpty(), occupant.filter(MESSAGES::equals).isPresent());
  }

  /// Whether a run of the thread is active or waits for it.
  public boolean isBusy(String thread) {
    return occupant(thread).isPresent();
  }

  private Optional<String> occupant(String thread) {
    return runs.findActiveOn(thread).or(() -> runs.findFirstEnqueuedOn(thread));
  }

  /// @throws ServiceException `thread_busy` if a run of the thread is active or waits for it
  public void checkFree(String thread) {
    refuseFor(occupant(thread), thread);
  }

  private static void refuseFor(Optional<String> run, String thread) {
    run.ifPresent(active -> {
      throw new ServiceException(
          ErrorCode.THREAD_BUSY,
          "run '%s' of thread '%s' is active or waits; let it end or cancel it, or have a new run say"
                  .formatted(active, thread)
              + " with if_busy what happens to it");
    });
  }

  /// Gives the thread back to a run that had ended: what it commits is the thread's state from now
  /// on. Runs that wait go on waiting.
  public void reenter(RunEntity run) {
    var thread = run.origin().threadId();
    if (thread != null && !run.status().active()) {
      var locked = lock(thread);
      refuseFor(runs.findActiveOn(thread), thread);
      run.takeTurn(locked.takeOrdinal());
    }
  }

  /// The newest committed checkpoint of the thread, however its run ended; empty if it has none.
  public Optional<Checkpoint> head(String thread) {
    return runs.findHeadOf(thread).map(this::lastOf);
  }

  /// The turn of a run that has waited: its place in line, unless a run that was resumed meanwhile
  /// has taken a later one. The caller holds the lock of the thread.
  public long turn(RunEntity waited) {
    long ordinal = waited.origin().ordinal();
    var thread = Objects.requireNonNull(waited.origin().threadId());
    return runs.countTurnsAbove(thread, ordinal) == 0 ? ordinal : lock(thread).takeOrdinal();
  }

  /// The run whose newest checkpoint is the state of the thread, locked. The caller holds the lock
  /// of the thread.
  public Optional<RunEntity> lockHead(String thread) {
    return runs.findHeadIdOf(thread).map(runFinder::lock);
  }

  /// Whether no state of the thread was committed behind this checkpoint: tasks may be held there.
  public boolean isNewest(RunEntity head, CheckpointRef at) {
    int behind = head.checkpoint() - at.checkpoint();
    return at.run().equals(head.id())
        && !at.isBeforeInput()
        && behind <= HELD_MAX
        && (behind <= 0
            || checkpoints.list(head.id(), Integer.MAX_VALUE, Optional.empty(), behind).stream()
                .allMatch(it -> it.stamp().kind() == CheckpointKind.HELD));
  }

  /// The run whose newest checkpoint is the state of the thread.
  public Optional<String> headRun(String thread) {
    return runs.findHeadOf(thread).map(RunEntity::id);
  }

  private Checkpoint lastOf(RunEntity run) {
    var graph = runFinder.graph(run).program().graph();
    return checkpoints
        .rebuild(runFinder.header(run), run.checkpoint(), graph)
        .orElseThrow(
            () -> new IllegalStateException("run '%s' has no checkpoint".formatted(run.id())));
  }
}
