package dev.superstep.engine.pool;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Bounds how many threads work on runs at a time, so that the first of many is through before the
/// last begins. Without it a thousand answers that arrive together would all be worked on together,
/// and the last as well as the first would be through at the very end.
///
/// Who works here is in the foreground. A thread leaves it while it waits:
///
/// - [#releaseDuringIo()] for the world: a model, a service, code of users. Whoever comes back
///   queues, first come first served, as a run does that begins; except after a short wait, which
///   is no turn.
/// - [#releaseForSibling()] for another thread of its run. Whoever comes back goes on at once: what
///   has been begun is finished first, and nobody in the foreground waits for one who queues.
///
/// Who waits for the database stays: it answers soon, and whoever came in meanwhile would wait for
/// it, too. Who waits while others wait for it (with a lock, in a transaction) must not queue: that
/// is aside as well.
///
/// It delays and never refuses: nobody queues longer than the foreground's patience, whatever those
/// inside wait for. Threads that are in no foreground may call everything here.
public final class WorkPermits {
  private static final ScopedValue<Place> PLACE = ScopedValue.newInstance();

  /// Who was away no longer than this goes on without queueing.
  private static final long SHORT = Duration.ofMillis(100).toNanos();

  private final Places places;

  /// @param max threads at a time; more if work in progress needs them
  /// @param patience with which a thread queues before it goes on all the same
  public WorkPermits(int max, Duration patience) {
    this(max, patience, System::nanoTime);
  }

  public WorkPermits(int max, Duration patience, LongSupplier nanoTime) {
    places = new Places(max, patience, nanoTime);
  }

  /// First come first served; but places can be taken that are not there.
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

    /// An interrupt means that the thread should come to an end: it does not have to queue for it.
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

  /// What a thread queues for.
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

  /// For how long a thread has queued to come back, with what it had waited for. Any thread may
  /// ask.
  @FunctionalInterface
  public interface Delay {
    Delay NONE = () -> Duration.ZERO;

    Duration soFar();
  }

  /// Where a thread is. Only that thread changes it.
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

  /// From leaving the foreground to being back.
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

  /// To be closed by the thread that calls this, when it has waited.
  public static Absence releaseDuringIo() {
    return release(Return.QUEUES);
  }

  /// To be closed by the thread that calls this, when it has waited.
  public static Absence releaseForSibling() {
    return release(Return.GOES_ON);
  }

  /// Of the calling thread.
  public static Delay delay() {
    return PLACE.isBound() ? PLACE.get() : Delay.NONE;
  }

  private static Absence release(Return how) {
    return PLACE.isBound() ? PLACE.get().leave(how) : Absence.NONE;
  }

  /// Does something new, when it is its turn.
  public void begin(Runnable work) {
    places.queue();
    in(work);
  }

  /// Does something that work in progress waits for.
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

  /// Threads that queue now.
  public int queued() {
    return places.queued();
  }
}
