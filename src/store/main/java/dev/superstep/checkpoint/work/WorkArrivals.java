package dev.superstep.checkpoint.work;

import java.time.Duration;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Wakes claims that wait for tasks. It only saves time: who is woken asks the database, and
/// [WorkPoll] finds the tasks that were queued elsewhere.
@Component
public class WorkArrivals {
  private final Map<WorkType, Deque<Semaphore>> waiting = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /// A type of tasks, which tenants have each for themselves.
  public record WorkType(String tenant, String type) {}

  /// A claim that waits; to be closed.
  public final class WaitingClaim implements AutoCloseable {
    private final Set<WorkType> types;
    private final Semaphore signal = new Semaphore(0);
    private boolean woken;

    private WaitingClaim(Set<WorkType> types) {
      this.types = types;
    }

    /// Waits until tasks may have come since the last call, or for `atMost`. A claim that was woken
    /// and waits again got nothing: from now on others are woken before it.
    ///
    /// @return false if the server stops
    public boolean await(Duration atMost) throws InterruptedException {
      if (woken) {
        types.forEach(this::stepBack);
      }
      woken = false;
      if (!closed && signal.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
        signal.drainPermits();
        woken = true;
      }
      return !closed;
    }

    private void stepBack(WorkType type) {
      waiting.computeIfPresent(
          type,
          (_, signals) -> {
            if (signals.remove(signal)) {
              signals.addLast(signal);
            }
            return signals;
          });
    }

    @Override
    public void close() {
      types.forEach(type ->
          waiting.computeIfPresent(
              type,
              (_, signals) -> {
                signals.remove(signal);
                return signals.isEmpty() ? null : signals;
              }));
    }
  }

  /// Begins to wait for tasks of any of these types.
  public WaitingClaim open(Set<WorkType> types) {
    var claim = new WaitingClaim(types);
    for (var type : types) {
      waiting.compute(
          type,
          (_, signals) -> {
            var all = signals == null ? new ConcurrentLinkedDeque<Semaphore>() : signals;
            all.addFirst(claim.signal);
            return all;
          });
    }
    return claim;
  }

  /// The types that somebody waits for.
  Set<WorkType> awaited() {
    return Set.copyOf(waiting.keySet());
  }

  /// Wakes as many of the claims as there are tasks, the newest first: a claim that has waited long
  /// may be of a worker that is gone.
  public void arrived(WorkType type, int tasks) {
    int left = tasks;
    for (var signal : waiting.getOrDefault(type, new ConcurrentLinkedDeque<>())) {
      if (left == 0) {
        return;
      }
      if (signal.availablePermits() == 0) {
        signal.release();
        left--;
      }
    }
  }

  /// Releases all claims that wait: the server ends when it has answered them.
  @EventListener(ContextClosedEvent.class)
  void close() {
    closed = true;
    waiting.values().forEach(signals -> signals.forEach(Semaphore::release));
  }

  /// Likewise, once the current transaction has committed.
  public void arriveAfterCommit(Collection<WorkType> tasks) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            tasks.forEach(it -> arrived(it, 1));
          }
        });
  }
}
