package dev.superstep.run.stream;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.run.EventView;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunSummary;
import dev.superstep.run.RunWatch;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Feeds one client the events of a run that it has not seen: stored events, which are read when it
/// is ready, and live ones, in a bounded buffer.
public final class RunFeed implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RunFeed.class);
  private static final int STORED_MAX = 200;
  private static final Duration LOOK = Duration.ofSeconds(15);

  private final String run;
  private final RunQueries queries;
  private final RunWatch watch;
  private final EventFilter filter;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final LiveEventBuffer live;
  private RunWatch.@Nullable Subscription subscription;
  private boolean overrun;
  private boolean storedWaiting;
  private boolean closed;
  private long seen;

  /// Number of the history of the database, as far as this process knows; 0: not read yet.
  private volatile int era;

  /// The events that are ready for the client.
  ///
  /// @param stored whether there may be stored events
  /// @param overrun whether live events were dropped, because the client did not take them
  record ReadyEvents(List<EventView> live, boolean stored, boolean overrun) {
    boolean isNothing() {
      return live.isEmpty() && !stored && !overrun;
    }
  }

  /// The sources of feeds.
  public record Source(RunQueries queries, RunWatch watch) {}

  /// @param bytesMax of live events that wait
  public RunFeed(String run, Source source, EventFilter filter, long bytesMax) {
    this.run = run;
    this.queries = source.queries();
    this.watch = source.watch();
    this.filter = filter;
    this.live = new LiveEventBuffer(bytesMax);
  }

  String run() {
    return run;
  }

  /// Begins to receive live events; the run need not exist yet.
  public void listen() {
    if (filter.wantsLive()) {
      subscription = watch.listen(run, this::offer);
    }
  }

  /// The history in which the database is.
  int era() {
    int known = era;
    if (known == 0) {
      known = queries.era();
      era = known;
    }
    return known;
  }

  /// The database has another history, which the client's thread has to learn of.
  void changed(int next) {
    era = next;
    wake();
  }

  /// The seq up to which what was sent in an earlier history is valid.
  long validThrough(int before) {
    return queries.validThrough(run, before);
  }

  RunSummary head() {
    return queries.summary(run);
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

  /// Live events of a superstep and of earlier ones that came since they were last taken. Later
  /// ones stay in the bounded buffer.
  List<EventView> live(int superstep) {
    lock.lock();
    try {
      return live.drain(superstep);
    } finally {
      lock.unlock();
    }
  }

  /// Returns when there is something for the client, or after `atMost`.
  ReadyEvents await(Duration atMost) throws InterruptedException {
    long nanos = atMost.toNanos();
    lock.lock();
    try {
      while (!storedWaiting && !overrun && live.isEmpty() && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      return new ReadyEvents(live.drain(), storedWaiting, overrun);
    } finally {
      lock.unlock();
    }
  }

  /// Makes the client's thread check whether it still has to wait.
  public void wake() {
    publish();
  }

  /// Renews the subscription at other replicas.
  void renew() {
    var mine = subscription;
    if (mine != null) {
      mine.renew();
    }
  }

  /// Polls for stored events until the feed is closed; runs on a thread of its own.
  void poll() {
    try {
      for (long from = next(); from >= 0; from = next()) {
        awaitStored(from);
        publish();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// If polling fails, the client's thread reads for itself, and reports the error.
  private void awaitStored(long from) throws InterruptedException {
    try {
      watch.awaitEvents(run, from, this::isClosed, LOOK);
    } catch (RuntimeException e) {
      log.debug("polling for events of run {} failed", run, e);
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until the client has read what was announced.
  ///
  /// @return the seq behind which to poll, or -1 if the feed is closed
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

  private void publish() {
    lock.lock();
    try {
      storedWaiting = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void offer(EventView event) {
    if (!filter.accepts(event.event())) {
      return;
    }
    lock.lock();
    try {
      boolean room = overrun || live.add(event);
      if (!room && !isSoFar(event)) {
        overrun = true;
        live.clear();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// One who comes late to long texts gets what follows: to be cut off, and come again, would not
  /// help.
  private static boolean isSoFar(EventView event) {
    return MessageDelta.of(event.event()).filter(MessageDelta::isSoFar).isPresent();
  }

  @Override
  public void close() {
    var mine = subscription;
    if (mine != null) {
      mine.close();
    }
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
