package dev.superstep.engine.pool;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Bounds how many threads work on runs at a time, so that the first of many ends before the last
/// begins. Without it a thousand answers that arrive together would share the CPU, and the first
/// would be done as late as the last.
///
/// Threads hold a permit while they use the CPU and release it around blocking calls:
///
/// - [#releaseDuringIo()] for I/O: a model, a service, code of users. The thread re-acquires its
///   permit at the end of the queue, like a run that begins; except after a short wait, which keeps
///   its turn.
/// - [#releaseForSibling()] for another thread of its run. The thread re-acquires its permit at
///   once: work that has begun is finished first, and no permit holder waits for a queued thread.
///
/// A thread keeps its permit while it waits for the database, which answers soon: a thread admitted
/// meanwhile would wait for it, too. A thread that blocks others while it waits (with a lock, in a
/// transaction) must not queue: it uses [#releaseForSibling()] as well.
///
/// Permits delay and never refuse: no thread queues longer than the patience, whatever the holders
/// wait for. Threads without a permit may call everything here.
public final class WorkPermits {
  private static final ScopedValue<Place> PLACE = ScopedValue.newInstance();

  /// A release no longer than this is re-acquired without queueing.
  private static final long SHORT = Duration.ofMillis(100).toNanos();

  private final Places places;

  /// @param max threads at a time; more if work in progress needs them
  /// @param patience how long a thread queues before it proceeds without a free permit
  public WorkPermits(int max, Duration patience) {
    this(max, patience, System::nanoTime);
  }

  public WorkPermits(int max, Duration patience, LongSupplier nanoTime) {
    places = new Places(max, patience, nanoTime);
  }

  /// A fair semaphore whose count may become negative.
  private static final class Places {
    private final LongSupplier nanoTime;
    private final Duration patience;
    private final Queue<Turn> queue = new ArrayDeque<>();
    private int free;

    Places(int max, Duration patience, LongSupplier nanoTime) {
      free = max;
      this.nanoTime = nanoTime;
      this.patience = patience;
    }

    long now() {
      return nanoTime.getAsLong();
    }

    synchronized void take() {
      free--;
    }

    synchronized void release() {
      free++;
      while (free > 0 && !queue.isEmpty()) {
        admit(queue.remove());
      }
    }

    private void admit(Turn turn) {
      free--;
      turn.come();
    }

    void queue() {
      var turn = enter();
      if (!turn.isHere()) {
        await(turn);
      }
    }

    private synchronized Turn enter() {
      var turn = new Turn(Thread.currentThread());
      if (free > 0 || !patience.isPositive()) {
        admit(turn);
      } else {
        queue.add(turn);
      }
      return turn;
    }

    /// An interrupted thread should end: it does not have to queue.
    private void await(Turn turn) {
      boolean interrupted = false;
      try (var _ = Deadline.in(patience, () -> goOn(turn))) {
        while (!turn.isHere()) {
          LockSupport.park(this);
          if (Thread.interrupted()) {
            interrupted = true;
            goOn(turn);
          }
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    private synchronized void goOn(Turn turn) {
      if (queue.remove(turn)) {
        admit(turn);
      }
    }

    synchronized int queued() {
      return queue.size();
    }
  }

  /// One queued request for a permit.
  private static final class Turn {
    private final Thread thread;
    private volatile boolean here;

    Turn(Thread thread) {
      this.thread = thread;
    }

    boolean isHere() {
      return here;
    }

    void come() {
      here = true;
      LockSupport.unpark(thread);
    }
  }

  /// How long a thread has queued to re-acquire its permit. Any thread may ask.
  @FunctionalInterface
  public interface Delay {
    Delay NONE = () -> Duration.ZERO;

    Duration soFar();
  }

  /// State of one thread; only that thread changes it.
  private static final class Place implements Delay {
    private final Places places;
    private boolean away;
    private volatile long queuedNanos;
    private volatile @Nullable Long queuesSince;

    Place(Places places) {
      this.places = places;
    }

    private Absence leave(Return how) {
      if (away) {
        return Absence.NONE;
      }
      away = true;
      places.release();
      return new Absence(this, how, places.now());
    }

    private void comeBack(Return how, long since) {
      if (how == Return.QUEUES && places.now() - since > SHORT) {
        queue();
      } else {
        places.take();
      }
      away = false;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only its own thread writes
    private void queue() {
      long begun = places.now();
      queuesSince = begun;
      places.queue();
      queuedNanos += places.now() - begun;
      queuesSince = null;
    }

    @Override
    public Duration soFar() {
      var since = queuesSince;
      return Duration.ofNanos(queuedNanos + (since == null ? 0 : places.now() - since));
    }
  }

  private enum Return {
    QUEUES,
    GOES_ON
  }

  /// A released permit; closing it re-acquires the permit.
  public static final class Absence implements AutoCloseable {
    private static final Absence NONE = new Absence(null, Return.GOES_ON, 0);

    private final @Nullable Place place;
    private final Return how;
    private final long since;

    private Absence(@Nullable Place place, Return how, long since) {
      this.place = place;
      this.how = how;
      this.since = since;
    }

    @Override
    public void close() {
      if (place != null) {
        place.comeBack(how, since);
      }
    }
  }

  /// The calling thread closes it when its I/O is done.
  public static Absence releaseDuringIo() {
    return release(Return.QUEUES);
  }

  /// The calling thread closes it when the sibling is done.
  public static Absence releaseForSibling() {
    return release(Return.GOES_ON);
  }

  /// The delay of the calling thread.
  public static Delay delay() {
    return PLACE.isBound() ? PLACE.get() : Delay.NONE;
  }

  private static Absence release(Return how) {
    return PLACE.isBound() ? PLACE.get().leave(how) : Absence.NONE;
  }

  /// Runs new work once a permit is free.
  public void begin(Runnable work) {
    places.queue();
    in(work);
  }

  /// Runs work that work in progress waits for, without queueing.
  void proceed(Runnable work) {
    places.take();
    in(work);
  }

  private void in(Runnable work) {
    try {
      ScopedValue.where(PLACE, new Place(places)).run(work);
    } finally {
      places.release();
    }
  }

  /// The number of queued threads.
  public int queued() {
    return places.queued();
  }
}
