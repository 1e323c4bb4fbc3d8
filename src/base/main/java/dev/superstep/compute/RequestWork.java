package dev.superstep.compute;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What one request costs over what is stored: the work, counted in steps of some tens of
/// nanoseconds, and the memory of what it reads. All that a request compares, opens, reads and
/// writes has one budget, however it is divided; the count of steps is the same everywhere, so that
/// a request that is refused on one replica is refused on all.
///
/// While it counts it lets others have the processor, and ends when the client has gone or the
/// server stops. One thread at a time works for a request.
public final class RequestWork implements LongConsumer, AutoCloseable {
  private static final ScopedValue<RequestWork> CURRENT = ScopedValue.newInstance();
  static final long STEPS_MAX = 10_000_000;

  /// Less than a millisecond.
  private static final long LOOK_EVERY = 1 << 14;

  /// What is made in memory of what is stored.
  private static final long BYTES_A_STEP = 128;

  /// Memory that each request has for itself: small ones are not kept waiting by large ones.
  static final long FREE_BYTES = 64 << 10;

  /// Some milliseconds of decoding. A read of more takes place in its turn.
  static final long LARGE_BYTES = 1L << 20;

  private final @Nullable ReadMemory memory;
  private final Supplier<String> caller;
  private @Nullable String name;
  private long steps;
  private long lookAt = LOOK_EVERY;
  private long held;

  /// What was held when the current read began.
  private long heldBefore;

  private long taken;
  private boolean closed;
  private Turn turn = Turn.NONE;

  /// The turn of a large read.
  private enum Turn {
    NONE,
    /// A read has begun that may begin anew.
    OPEN,
    TAKEN
  }

  /// What a read turns out to be that has no turn yet.
  private static final class LargeReadException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LargeReadException() {
      super("this read is large, and begins anew in its turn", null, false, false);
    }
  }

  /// Of a request.
  ///
  /// @param caller whose share of the memory it takes from
  public RequestWork(ReadMemory memory, Supplier<String> caller) {
    this.memory = memory;
    this.caller = caller;
  }

  private RequestWork() {
    this.memory = null;
    this.caller = () -> "";
  }

  /// That of the request that this thread works for. Outside of requests one whose steps are
  /// counted, and nothing else.
  public static RequestWork current() {
    return CURRENT.isBound() ? CURRENT.get() : new RequestWork();
  }

  static boolean isBound() {
    return CURRENT.isBound();
  }

  /// Runs what a request asks for; what it holds is released at the end.
  public <T, X extends Throwable> T within(ScopedValue.CallableOp<T, X> call) throws X {
    try (this) {
      return ScopedValue.where(CURRENT, this).call(call);
    }
  }

  /// Work that goes on with the current request on another thread, which does not know the caller.
  static <T> Supplier<T> carried(Supplier<T> work) {
    if (!CURRENT.isBound()) {
      return work;
    }
    var request = CURRENT.get();
    var _ = request.name();
    return () -> ScopedValue.where(CURRENT, request).call(work::get);
  }

  private synchronized String name() {
    var known = name;
    if (known == null) {
      known = caller.get();
      name = known;
    }
    return known;
  }

  /// Pays for work, before it is done.
  ///
  /// @throws ServiceException `limit_exceeded`; `bad_request` when the client has gone,
  ///   `overloaded` when the server stops
  @Override
  public void accept(long more) {
    steps += more;
    if (steps > STEPS_MAX) {
      throw new ServiceException(
          ErrorCode.LIMIT_EXCEEDED,
          "this takes more than the %d steps that one request may cost; ask for less at a time"
              .formatted(STEPS_MAX));
    }
    if (steps >= lookAt) {
      lookAt = steps + LOOK_EVERY;
      look();
    }
  }

  /// A virtual thread gives its carrier to others only when it waits.
  private static void look() {
    if (Thread.currentThread().isInterrupted()) {
      throw new ServiceException(ErrorCode.OVERLOADED, "the service is stopping; try again");
    }
    if (Client.CURRENT.orElse(() -> false).hasGone()) {
      throw new ServiceException(
          ErrorCode.BAD_REQUEST, "the client closed its connection while its request was computed");
    }
    LockSupport.parkNanos(1);
  }

  /// Takes memory for what is about to be read, until the request, or the [WorkPiece] of it, has
  /// ended.
  ///
  /// @throws ServiceException `overloaded` when there is not as much; `quota_exceeded` when the
  ///   caller's other requests have too much of it; `limit_exceeded` when there is never as much
  public synchronized void hold(long bytes) {
    if (memory == null) {
      return;
    }
    if (closed) {
      throw new ServiceException(ErrorCode.OVERLOADED, "the request has ended");
    }
    if (turn == Turn.OPEN && held - heldBefore + bytes > LARGE_BYTES) {
      if (!memory.turns().tryTake()) {
        throw new LargeReadException();
      }
      turn = Turn.TAKEN;
    }
    long missing = Math.max(0, held + bytes - FREE_BYTES) - taken;
    if (missing > 0) {
      memory.take(name(), missing, taken);
      taken += missing;
    }
    held += bytes;
  }

  /// As [#hold] for what is about to be decoded, which costs time, too.
  void decode(long bytes) {
    hold(bytes);
    accept(bytes / BYTES_A_STEP);
  }

  /// Reads in a transaction of its own that only reads. If that turns out to be large while others
  /// are, the transaction ends, and the read begins anew when it is its turn: while it waits it
  /// keeps neither a connection nor what it has read.
  ///
  /// @throws ServiceException `overloaded`, `quota_exceeded` when it is kept waiting
  public <T, X extends Throwable> T reading(ScopedValue.CallableOp<T, X> read) throws X {
    if (memory == null || !turn(Turn.NONE, Turn.OPEN)) {
      return read.call();
    }
    heldBefore = held;
    long stepsBefore = steps;
    try {
      return read.call();
    } catch (LargeReadException _) {
      shrink(heldBefore);
      steps = stepsBefore;
      lookAt = steps + LOOK_EVERY;
      memory.turns().await(name());
      turn(Turn.OPEN, Turn.TAKEN);
      return read.call();
    } finally {
      if (turn(Turn.TAKEN, Turn.NONE)) {
        memory.turns().end();
      } else {
        turn(Turn.OPEN, Turn.NONE);
      }
    }
  }

  private synchronized boolean turn(Turn from, Turn to) {
    boolean changes = turn == from;
    turn = changes ? to : turn;
    return changes;
  }

  /// A part of what is held that ends before the request does, for what is read piece by piece.
  public WorkPiece piece() {
    return new WorkPiece(held, steps);
  }

  public final class WorkPiece implements AutoCloseable {
    private final long heldBefore;
    private final long stepsBefore;

    private WorkPiece(long heldBefore, long stepsBefore) {
      this.heldBefore = heldBefore;
      this.stepsBefore = stepsBefore;
    }

    /// Releases what has been held since it began.
    @Override
    public void close() {
      shrink(heldBefore);
    }

    /// As [#close], and forgets the work, too: that of an answer without an end is bounded by what
    /// its client takes.
    public void next() {
      close();
      steps = Math.min(steps, stepsBefore);
      lookAt = steps + LOOK_EVERY;
    }
  }

  private synchronized void shrink(long to) {
    held = Math.min(held, to);
    long left = Math.min(taken, Math.max(0, held - FREE_BYTES));
    if (memory != null && left < taken) {
      memory.release(name(), taken - left);
      taken = left;
    }
  }

  @Override
  public synchronized void close() {
    shrink(0);
    closed = true;
  }
}
