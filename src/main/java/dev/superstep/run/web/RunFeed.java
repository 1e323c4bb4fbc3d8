package dev.superstep.run.web;

import dev.superstep.engine.RunStatus;
import dev.superstep.run.EventView;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// What one reader has not seen of a run: stored events, which are read when it is ready, and live
/// ones, of which only so many are kept for a reader who is slow; the rest is dropped.
final class RunFeed implements AutoCloseable {
  static final int LIVE_MAX = 1_000;
  private static final int STORED_MAX = 200;
  private static final Duration LOOK = Duration.ofSeconds(15);

  private final String run;
  private final RunQueries queries;
  private final RunWatch watch;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<EventView> live = new ArrayList<>();
  private boolean storedWaiting;
  private boolean closed;
  private long seen;

  RunFeed(String run, RunQueries queries, RunWatch watch) {
    this.run = run;
    this.queries = queries;
    this.watch = watch;
  }

  RunStatus status() {
    return queries.summary(run).status();
  }

  RunWatch.Subscription listen() {
    return watch.listen(run, this::offer);
  }

  /// Live events that came since the last call.
  List<EventView> live() {
    lock.lock();
    try {
      var taken = List.copyOf(live);
      live.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /// The next stored events behind `seq`; fewer than [#isFull] wants if there are no more yet.
  List<EventView> stored(long seq) {
    var events = queries.events(run, seq, Set.of(), STORED_MAX);
    lock.lock();
    try {
      seen = events.isEmpty() ? seq : events.getLast().seq().orElse(seq);
      storedWaiting = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return events;
  }

  static boolean isFull(List<EventView> stored) {
    return stored.size() == STORED_MAX;
  }

  /// Returns when there may be something to read, or after `atMost`.
  void await(Duration atMost) throws InterruptedException {
    long nanos = atMost.toNanos();
    lock.lock();
    try {
      while (!storedWaiting && live.isEmpty() && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Looks for stored events until the feed is closed; runs on a thread of its own.
  void look() {
    try {
      for (long from = next(); from >= 0; from = next()) {
        watch.awaitEvents(run, from, this::isClosed, LOOK);
        announce();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until the reader has read what was announced.
  ///
  /// @return the seq behind which to look, or -1 if the feed is closed
  private long next() throws InterruptedException {
    lock.lock();
    try {
      while (storedWaiting && !closed) {
        changed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
      }
      return closed ? -1 : seen;
    } finally {
      lock.unlock();
    }
  }

  private void announce() {
    lock.lock();
    try {
      storedWaiting = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void offer(EventView event) {
    lock.lock();
    try {
      if (live.size() < LIVE_MAX) {
        live.add(event);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    watch.lookAgain(run);
  }
}
