package dev.superstep.engine.node;

import dev.superstep.tenant.Share;
import java.time.Duration;
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
/// - [#releaseWhileQueued()] for a turn at something else. It is a delay as if the thread had
///   queued for its permit, which it re-acquires at once.
///
/// A thread keeps its permit while it waits for the database, which answers soon: a thread admitted
/// meanwhile would wait for it, too. A thread that blocks others while it waits (with a lock, in a
/// transaction) must not queue: it uses [#releaseForSibling()] as well.
///
/// A run that blocks on nothing would keep its permit to its end: at each superstep its driver
/// [passes][#passTurn(Runnable)] it on if others queue and it has had it for a turn. The queue
/// serves tenants in turn and their callers in turn, so that the thousand runs of one do not come
/// before the only run of another.
///
/// Permits delay and never refuse: no thread queues longer than the patience while those inside
/// stand still, whatever they wait for. While they move, each that queues has its turn: if all who
/// queue for long came in as well, a thousand loops would share the CPU, and a thread of another
/// share would find all of them before it wherever it waits for a processor. A share that holds
/// none gets one beyond the others ([PermitCounts]), so that it does not queue for a patience
/// behind holders who all wait. Threads without a permit may call everything here.
public final class WorkPermits {
  private static final ScopedValue<Holder> CURRENT = ScopedValue.newInstance();

  /// A release no longer than this is re-acquired without queueing.
  private static final long SHORT = Duration.ofMillis(100).toNanos();

  /// How long a driver keeps its permit while others queue.
  private static final long TURN = Duration.ofMillis(100).toNanos();

  private final Permits permits;

  /// @param max threads at a time; more if work in progress needs them
  /// @param patience how long a thread queues before it proceeds without a free permit, unless
  ///   `max` permits have been given back meanwhile, or as many threads have proceeded so
  public WorkPermits(int max, Duration patience) {
    this(max, patience, System::nanoTime);
  }

  public WorkPermits(int max, Duration patience, LongSupplier nanoTime) {
    permits = new Permits(max, patience, nanoTime);
  }

  /// A semaphore that serves shares in turn, and whose count may become negative.
  private static final class Permits {
    private final LongSupplier nanoTime;
    private final Duration patience;
    private final RoundQueue<PermitWaiter> queue = new RoundQueue<>();
    private final PermitCounts held;
    private final int max;
    private int free;

    /// How often a permit was given back, or taken by a thread that has lost its patience.
    private long moves;

    Permits(int max, Duration patience, LongSupplier nanoTime) {
      this.max = max;
      free = max;
      held = new PermitCounts(max);
      this.nanoTime = nanoTime;
      this.patience = patience;
    }

    long now() {
      return nanoTime.getAsLong();
    }

    synchronized void take(Share share) {
      free--;
      held.add(share);
    }

    synchronized void release(Share share) {
      free++;
      moves++;
      held.remove(share);
      while (free > 0) {
        var next = queue.poll();
        if (next == null) {
          return;
        }
        admit(next);
      }
      if (held.admitsBeyond(share)) {
        admitBeyond(share);
      }
    }

    /// Who held none when it came would not have queued.
    private void admitBeyond(Share share) {
      var next = queue.poll(share);
      if (next != null) {
        held.addBeyond(share);
        admit(next);
      }
    }

    private void admit(PermitWaiter waiter) {
      free--;
      held.add(waiter.share);
      waiter.admit();
    }

    void queue(Share share) {
      var waiter = enqueue(share);
      if (!waiter.isAdmitted()) {
        await(waiter);
      }
    }

    private synchronized PermitWaiter enqueue(Share share) {
      var waiter = new PermitWaiter(Thread.currentThread(), share);
      if (free > 0 || !patience.isPositive() || held.addBeyond(share)) {
        admit(waiter);
      } else {
        queue.add(share, waiter);
      }
      return waiter;
    }

    /// An interrupted thread should end: it does not have to queue.
    private void await(PermitWaiter waiter) {
      boolean interrupted = false;
      bePatient(waiter);
      while (!waiter.isAdmitted()) {
        LockSupport.park(this);
        if (Thread.interrupted()) {
          interrupted = true;
          admitNow(waiter);
        }
      }
      waiter.endPatience();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    private synchronized void bePatient(PermitWaiter waiter) {
      if (!waiter.isAdmitted()) {
        waiter.bePatient(moves, Deadline.in(patience, () -> losePatience(waiter)));
      }
    }

    private synchronized void losePatience(PermitWaiter waiter) {
      if (moves - waiter.movesBefore() >= max) {
        bePatient(waiter);
      } else if (admitNow(waiter)) {
        moves++;
      }
    }

    private synchronized boolean admitNow(PermitWaiter waiter) {
      boolean queued = queue.remove(waiter.share, waiter);
      if (queued) {
        admit(waiter);
      }
      return queued;
    }

    synchronized int queued() {
      return queue.size();
    }

    synchronized boolean admitsAtOnce(Share share) {
      return queue.isEmpty() || held.admitsBeyond(share);
    }
  }

  /// One queued request for a permit.
  private static final class PermitWaiter {
    private final Thread thread;
    private final Share share;
    private long movesBefore;
    private @Nullable Deadline patience;
    private volatile boolean admitted;

    PermitWaiter(Thread thread, Share share) {
      this.thread = thread;
      this.share = share;
    }

    /// @param moves until now
    void bePatient(long moves, Deadline deadline) {
      movesBefore = moves;
      patience = deadline;
    }

    long movesBefore() {
      return movesBefore;
    }

    /// There is no other deadline once it is admitted.
    void endPatience() {
      if (patience != null) {
        patience.close();
      }
    }

    boolean isAdmitted() {
      return admitted;
    }

    void admit() {
      admitted = true;
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
  private static final class Holder implements Delay {
    private final Permits permits;
    private final Share share;
    private boolean released;
    private long turnBegan;
    private volatile long queuedNanos;
    private volatile @Nullable Long queuesSince;

    Holder(Permits permits, Share share) {
      this.permits = permits;
      this.share = share;
      this.turnBegan = permits.now();
    }

    private void pass(Runnable before) {
      if (!released && permits.now() - turnBegan > TURN && permits.queued() > 0) {
        before.run();
        permits.release(share);
        queue();
      }
    }

    private ReleasedPermit release(Reentry how) {
      if (released) {
        return ReleasedPermit.NONE;
      }
      released = true;
      permits.release(share);
      long now = permits.now();
      if (how == Reentry.QUEUED) {
        queuesSince = now;
      }
      return new ReleasedPermit(this, how, now);
    }

    private void reacquire(Reentry how, long since) {
      if (how == Reentry.AT_THE_END && permits.now() - since > SHORT) {
        queue();
      } else {
        permits.take(share);
        if (how == Reentry.QUEUED) {
          queued(since, permits.now());
        }
      }
      released = false;
    }

    private void queue() {
      long begun = permits.now();
      queuesSince = begun;
      permits.queue(share);
      turnBegan = permits.now();
      queued(begun, turnBegan);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only its own thread writes
    private void queued(long since, long until) {
      queuedNanos += until - since;
      queuesSince = null;
    }

    @Override
    public Duration soFar() {
      var since = queuesSince;
      return Duration.ofNanos(queuedNanos + (since == null ? 0 : permits.now() - since));
    }
  }

  private enum Reentry {
    AT_THE_END,
    AT_ONCE,
    /// At once, since it has queued.
    QUEUED
  }

  /// A released permit; closing it re-acquires the permit.
  public static final class ReleasedPermit implements AutoCloseable {
    private static final ReleasedPermit NONE = new ReleasedPermit(null, Reentry.AT_ONCE, 0);

    private final @Nullable Holder holder;
    private final Reentry how;
    private final long since;

    private ReleasedPermit(@Nullable Holder holder, Reentry how, long since) {
      this.holder = holder;
      this.how = how;
      this.since = since;
    }

    @Override
    public void close() {
      if (holder != null) {
        holder.reacquire(how, since);
      }
    }
  }

  /// The calling thread closes it when its I/O is done.
  public static ReleasedPermit releaseDuringIo() {
    return release(Reentry.AT_THE_END);
  }

  /// The calling thread closes it when the sibling is done.
  public static ReleasedPermit releaseForSibling() {
    return release(Reentry.AT_ONCE);
  }

  /// The calling thread closes it when it has queued for something else, without which it cannot
  /// use the CPU.
  public static ReleasedPermit releaseWhileQueued() {
    return release(Reentry.QUEUED);
  }

  /// Passes the permit of the calling thread on if it has had it for a turn and others queue, and
  /// queues behind them. To be called where nobody waits for the thread.
  ///
  /// @param before is run if it does
  public static void passTurn(Runnable before) {
    if (CURRENT.isBound()) {
      CURRENT.get().pass(before);
    }
  }

  /// For whom the calling thread works; nobody's if it works on no run.
  public static Share share() {
    return CURRENT.isBound() ? CURRENT.get().share : Share.NOBODYS;
  }

  /// The delay of the calling thread.
  public static Delay delay() {
    return CURRENT.isBound() ? CURRENT.get() : Delay.NONE;
  }

  private static ReleasedPermit release(Reentry how) {
    return CURRENT.isBound() ? CURRENT.get().release(how) : ReleasedPermit.NONE;
  }

  /// Runs new work of a share once a permit is free.
  public void begin(Share share, Runnable work) {
    permits.queue(share);
    in(share, work);
  }

  /// Runs work that work in progress waits for, without queueing.
  void proceed(Share share, Runnable work) {
    permits.take(share);
    in(share, work);
  }

  private void in(Share share, Runnable work) {
    try {
      ScopedValue.where(CURRENT, new Holder(permits, share)).run(work);
    } finally {
      permits.release(share);
    }
  }

  /// Whether new work of a share would begin without queueing behind others, as things are now.
  public boolean admitsAtOnce(Share share) {
    return permits.admitsAtOnce(share);
  }

  /// The number of queued threads.
  public int queued() {
    return permits.queued();
  }
}
