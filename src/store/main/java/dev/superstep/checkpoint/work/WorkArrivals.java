package dev.superstep.checkpoint.work;

import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Wakes claims that wait for tasks. It only saves time: who is woken asks the database, and
/// [WorkPoll] finds the tasks that were queued elsewhere.
@Component
public class WorkArrivals {
  private final Map<WorkType, Deque<WakeSignal>> waiting = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /// A type of tasks, which tenants have each for themselves.
  public record WorkType(String tenant, String type) {}

  private static final class WakeSignal {
    private final Semaphore given = new Semaphore(0);
    private @Nullable String task;

    /// @param id of the only task that has come; null: there may be more
    /// @return false if it has been given before
    synchronized boolean give(@Nullable String id) {
      if (given.availablePermits() > 0) {
        return false;
      }
      task = id;
      given.release();
      return true;
    }

    boolean await(Duration atMost) throws InterruptedException {
      return given.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    synchronized Optional<String> takeTask() {
      var taken = Optional.ofNullable(task);
      task = null;
      return taken;
    }
  }

  /// A claim that waits; to be closed.
  public final class WaitingClaim implements AutoCloseable {
    private final Set<WorkType> types;
    private final WakeSignal signal = new WakeSignal();
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
      if (!closed && signal.await(atMost)) {
        woken = true;
      }
      return !closed;
    }

    /// The id of the task for which it was woken, if that was a single one.
    public Optional<String> task() {
      return woken ? signal.takeTask() : Optional.empty();
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
            var all = signals == null ? new ConcurrentLinkedDeque<WakeSignal>() : signals;
            all.addFirst(claim.signal);
            return all;
          });
    }
    return claim;
  }

  /// Whether a claim waits here for tasks of this type.
  public boolean isAwaited(WorkType type) {
    return waiting.containsKey(type);
  }

  /// The types that somebody waits for.
  Set<WorkType> awaited() {
    return Set.copyOf(waiting.keySet());
  }

  /// Wakes as many of the claims as there are tasks, the newest first: a claim that has waited long
  /// may be of a worker that is gone.
  public void arrived(WorkType type, int tasks) {
    arrived(type, tasks, null);
  }

  private void arrived(WorkType type, int tasks, @Nullable String single) {
    int left = tasks;
    for (var signal : waiting.getOrDefault(type, new ConcurrentLinkedDeque<>())) {
      if (left == 0) {
        return;
      }
      if (signal.give(single)) {
        left--;
      }
    }
  }

  /// Releases all claims that wait: the server ends when it has answered them.
  @EventListener(ContextClosedEvent.class)
  void close() {
    closed = true;
    waiting.values().forEach(signals -> signals.forEach(it -> it.give(null)));
  }

  /// Likewise, once the current transaction has committed.
  ///
  /// @param tasks by their ids
  void arriveAfterCommit(Map<String, WorkType> tasks) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            tasks.forEach((id, type) -> arrived(type, 1, tasks.size() == 1 ? id : null));
          }
        });
  }
}
