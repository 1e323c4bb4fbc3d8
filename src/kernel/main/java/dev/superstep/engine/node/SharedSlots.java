package dev.superstep.engine.node;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Slots that callers share. One may hold `max` of them, and never all: an eighth more is there for
/// others, however long the slots of the first are held. A caller takes a slot while it holds fewer
/// than eight times as many as are free (the dynamic threshold of shared switch buffers), so that
/// each further caller finds some, too, and nobody has to know how many callers there are.
///
/// Those that wait are served in turn ([RoundQueue]).
public final class SharedSlots {
  private static final int FACTOR = 8;

  private final Map<String, Integer> held = new HashMap<>();
  private final RoundQueue<Waiter> queue = new RoundQueue<>();
  private int free;

  public SharedSlots(int max) {
    free = max + reserve(max);
  }

  /// How many slots there are beyond `max`, for callers that hold few.
  public static int reserve(int max) {
    return max / FACTOR;
  }

  /// Whether a caller with `held` slots may take another one of those that are free.
  public static boolean admits(int held, int free) {
    return held < (long) FACTOR * free;
  }

  private static final class Waiter {
    final Thread thread = Thread.currentThread();
    final String caller;
    volatile boolean admitted;

    Waiter(String caller) {
      this.caller = caller;
    }
  }

  /// Takes a slot, waiting as long as there is none for this caller. An interrupt does not end the
  /// wait, and stays set.
  void acquire(String caller) {
    var waiter = enqueue(caller);
    boolean interrupted = false;
    while (!waiter.admitted) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Waiter enqueue(String caller) {
    var waiter = new Waiter(caller);
    queue.add(caller, waiter);
    serve();
    return waiter;
  }

  synchronized void release(String caller) {
    held.computeIfPresent(caller, (_, slots) -> slots == 1 ? null : slots - 1);
    free++;
    serve();
  }

  private void serve() {
    for (var next = next(); next != null; next = next()) {
      free--;
      held.merge(next.caller, 1, Integer::sum);
      next.admitted = true;
      LockSupport.unpark(next.thread);
    }
  }

  private @Nullable Waiter next() {
    return queue.poll(caller -> admits(held.getOrDefault(caller, 0), free));
  }
}
