package dev.superstep.run.start;

import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.IfBusy;
import dev.superstep.run.StartRun;
import dev.superstep.run.drive.RunDriverThread;
import dev.superstep.run.drive.RunSettings;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunRows;
import dev.superstep.run.store.ThreadEntity;
import dev.superstep.run.store.Threads;
import dev.superstep.run.store.Threads.ThreadPosition;
import dev.superstep.schedule.DatabaseClock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Decides which run has a thread, and which runs wait for it. Everything happens under the lock of
/// the thread's row, which is taken before the locks of its runs; a crash in between leaves runs
/// that wait for a free thread, which the reconciler starts.
@Component
class ThreadQueue {
  private static final Logger log = LoggerFactory.getLogger(ThreadQueue.class);

  private final Threads threads;
  private final RunRows runs;
  private final RunFinder runFinder;
  private final Canceller canceller;
  private final RunDequeuer dequeuer;
  private final DatabaseClock clock;
  private final MessageStarts messageStarts;
  private final int queueMax;

  ThreadQueue(
      Threads threads,
      RunRows runs,
      RunFinder runFinder,
      Canceller canceller,
      RunDequeuer dequeuer,
      DatabaseClock clock,
      MessageStarts messageStarts,
      RunSettings settings) {
    this.threads = threads;
    this.runs = runs;
    this.runFinder = runFinder;
    this.canceller = canceller;
    this.dequeuer = dequeuer;
    this.clock = clock;
    this.messageStarts = messageStarts;
    this.queueMax = settings.threads().queueMax();
  }

  /// The state of the thread for a new run.
  sealed interface QueueEntry {
    /// The run has the thread from now on.
    record Free(ThreadPosition position) implements QueueEntry {}

    /// The run has to wait.
    record Behind(long ordinal) implements QueueEntry {}
  }

  /// A thread that is locked until the transaction ends.
  ///
  /// @param free whether a new run can have it at once
  record QueueRoom(ThreadEntity thread, boolean free) {}

  /// Gives a new run that continues the thread its place there.
  ///
  /// @throws ServiceException `thread_busy`; `quota_exceeded` if too many wait already;
  ///   `checkpoint_not_found` if it is to begin from a checkpoint that the thread does not have
  QueueEntry enter(String thread, StartRun.Options options) {
    var room = makeRoom(thread, options.ifBusy());
    if (room.free()) {
      return new QueueEntry.Free(threads.position(room.thread(), options.from()));
    }
    options.from().ifPresent(it -> threads.checkIsOf(thread, it));
    return new QueueEntry.Behind(room.thread().takeOrdinal());
  }

  /// Applies `ifBusy` to the runs of the thread. They are locked here, so the caller must not have
  /// read them before.
  ///
  /// @throws ServiceException `thread_busy`; `quota_exceeded` if too many wait already
  QueueRoom makeRoom(String thread, IfBusy ifBusy) {
    var locked = threads.lock(thread);
    switch (ifBusy) {
      case REJECT, STEER -> {
        if (!isFree(thread)) {
          threads.checkFree(thread);
        }
        return new QueueRoom(locked, true);
      }
      case ENQUEUE -> threads.lockActive(thread);
      case INTERRUPT -> interrupt(thread);
      case ROLLBACK -> rollBack(thread);
    }
    startNext(thread);
    boolean free = isFree(thread);
    if (!free) {
      checkRoom(thread);
    }
    return new QueueRoom(locked, free);
  }

  /// Messages that are to begin a run do so before another run has the thread.
  private boolean isFree(String thread) {
    var room = threads.room(thread);
    if (room.messages()) {
      startNextWithMessages(thread);
      return !threads.isBusy(thread);
    }
    return room.free();
  }

  private void checkRoom(String thread) {
    if (runs.countWaitingOn(thread) >= queueMax) {
      throw new ServiceException(
          ErrorCode.QUOTA_EXCEEDED,
          "%d runs wait for thread '%s' already; wait for some of them or cancel them"
              .formatted(queueMax, thread));
    }
  }

  /// Runs that wait have been accepted with their input. They end, too, but only once that is
  /// committed: no input is lost. They may exist without an active run, which has just ended.
  private void interrupt(String thread) {
    var active = threads.lockActive(thread);
    var now = clock.instant();
    runs.listEnqueuedOn(thread).forEach(it -> runFinder.lock(it).endWhenBegun(now));
    active.ifPresent(this::end);
  }

  private void rollBack(String thread) {
    var active = threads.lockActive(thread);
    runs.listEnqueuedOn(thread).forEach(it -> end(runFinder.lock(it)));
    active.ifPresent(it -> {
      it.rollBack();
      end(it);
    });
  }

  /// Ends the run of the thread that has stopped at a question or a breakpoint, if there is one,
  /// where it is committed; its questions are closed.
  ///
  /// @throws ServiceException `thread_not_found`
  public void endStopped(String thread) {
    if (threads.findLocked(thread).isEmpty()) {
      throw RunFinder.threadNotFound(thread);
    }
    threads
        .lockActive(thread)
        .filter(it -> it.status() == RunStatus.INTERRUPTED)
        .ifPresent(this::end);
  }

  private void end(RunEntity run) {
    canceller.cancel(run.id());
  }

  /// Cancels a run, after which the next of its thread may begin.
  public void cancel(String run) {
    end(run, _ -> {});
  }

  /// Cancels a run, and takes what it has committed out of its thread.
  public void rollBackRun(String run) {
    end(run, RunEntity::rollBack);
  }

  private void end(String id, Consumer<RunEntity> cancelled) {
    canceller.cancel(id); // which locks the thread
    var run = runFinder.run(id);
    cancelled.accept(run);
    Optional.ofNullable(run.origin().threadId()).ifPresent(this::startNextWithMessages);
  }

  @EventListener
  @Transactional
  public void startNext(RunDriverThread.ThreadLeft left) {
    startNextOf(left.thread());
  }

  /// Starts the next run of a thread whose run may have ended.
  @Transactional
  public void startNextOf(String thread) {
    if (runs.isAwaited(thread)) {
      threads
          .findLocked(thread)
          .ifPresent(_ -> {
            startNextWithMessages(thread);
          });
    }
  }

  /// Messages with which no run can begin wait, and hold up nobody.
  private void startNextWithMessages(String thread) {
    try {
      messageStarts.enqueue(thread);
    } catch (ServiceException e) {
      log.warn("No run can begin with the messages of thread '{}'; they wait", thread, e);
    }
    startNext(thread);
  }

  /// Has messages that are to begin a run do so. The caller holds the lock of the thread.
  ///
  /// @throws ServiceException if the first is of `caller`, who may begin no run
  void startFor(String thread, String caller) {
    messageStarts.enqueueFor(thread, caller);
    startNext(thread);
  }

  /// The caller holds the lock of the thread.
  public void startNext(String thread) {
    for (var next = next(thread); next.isPresent(); next = next(thread)) {
      dequeuer.begin(runFinder.lock(next.get()));
    }
  }

  /// The first that waits, if it may begin: the thread is free, or its run stands and the first
  /// that waits is a call that goes on with it, unless it is paused: those calls were made before.
  private Optional<String> next(String thread) {
    var first = runs.findFirstEnqueuedOn(thread);
    if (first.isEmpty() || runs.findActiveOn(thread).isEmpty()) {
      return first;
    }
    return first
        .filter(it -> runFinder.input(it).continuesThread())
        .filter(_ ->
            threads
                .lockActive(thread)
                .filter(it -> it.status() != RunStatus.INTERRUPTED || it.isPaused())
                .isEmpty());
  }

  /// The newest run of a thread, of whatever status.
  RunEntity last(String thread) {
    return runs.findLastOn(thread).orElseThrow();
  }

  /// Locks the thread and its active run, until the transaction ends.
  ///
  /// @return the active run, if it does not stand
  public Optional<String> hold(String thread) {
    return threads.findLocked(thread).isEmpty()
        ? Optional.empty()
        : threads
            .lockActive(thread)
            .filter(it -> it.status() != RunStatus.INTERRUPTED)
            .map(RunEntity::id);
  }

  /// Locks a thread, until the transaction ends.
  ///
  /// @return the run that messages to the thread are for: the one that is active, else the first
  ///   that waits, else the last; empty: it has none
  /// @throws ServiceException `thread_not_found`
  Optional<String> lockCurrent(String thread) {
    if (threads.findLocked(thread).isEmpty()) {
      throw RunFinder.threadNotFound(thread);
    }
    return current(thread).or(() -> lastRun(thread));
  }

  /// Locks a thread, which is made if there is none, until the transaction ends.
  ///
  /// @return the run that a new one would have to wait for
  Optional<String> lockBusy(String thread) {
    var _ = threads.lock(thread);
    return current(thread);
  }

  /// @throws ServiceException `quota_exceeded` if a run would have to wait, and too many do
  void requireRoom(String thread) {
    if (threads.isBusy(thread)) {
      checkRoom(thread);
    }
  }

  /// Whether a run of the thread is active or waits for it.
  boolean isBusy(String thread) {
    return threads.isBusy(thread);
  }

  private Optional<String> current(String thread) {
    return threads
        .lockActive(thread)
        .map(RunEntity::id)
        .or(() ->
            runs.findFirstEnqueuedOn(thread).filter(it -> !runFinder.input(it).continuesThread()));
  }

  /// The id of the newest run of a thread.
  Optional<String> lastRun(String thread) {
    return runs.findLastIdOn(thread);
  }

  /// Up to `limit` threads that are free although runs wait for them.
  public List<String> stuck(int limit) {
    var stuck = new LinkedHashSet<>(runs.listFreeThreadsWithWaiting(Limit.of(limit)));
    stuck.addAll(messageStarts.threads(limit));
    return List.copyOf(stuck);
  }
}
