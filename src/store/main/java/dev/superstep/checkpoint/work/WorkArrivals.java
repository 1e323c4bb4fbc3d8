package dev.superstep.checkpoint.work;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
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
  private static final Duration SOON = Duration.ofMillis(100);
  private static final int SLOW_MAX = 10_000;

  private final Map<WorkType, Deque<BlockingQueue<Optional<String>>>> waiting =
      new ConcurrentHashMap<>();

  /// The types that took workers longer last. One that was pushed out by others costs its runs a
  /// record the next time.
  private final Cache<WorkType, Boolean> slow =
      Caffeine.newBuilder().maximumSize(SLOW_MAX).executor(Runnable::run).build();

  private volatile boolean closed;

  /// A type of tasks, which tenants have each for themselves.
  public record WorkType(String tenant, String type) {}

  /// A claim that waits; to be closed.
  public final class WaitingClaim implements AutoCloseable {
    private final Set<WorkType> types;
    private final BlockingQueue<Optional<String>> signal = new ArrayBlockingQueue<>(1);
    private boolean woken;
    private Optional<String> task = Optional.empty();

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
      var given = closed ? null : signal.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
      woken = given != null;
      task = given == null ? Optional.empty() : given;
      return !closed;
    }

    /// The id of the task for which it was woken, if that was a single one.
    public Optional<String> task() {
      return task;
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

    /// What has come since it was woken last is somebody else's.
    @Override
    public void close() {
      types.forEach(type ->
          waiting.computeIfPresent(
              type,
              (_, signals) -> {
                signals.remove(signal);
                return signals.isEmpty() ? null : signals;
              }));
      if (signal.poll() != null) {
        types.forEach(it -> arrived(it, 1));
      }
    }
  }

  /// Begins to wait for tasks of any of these types.
  public WaitingClaim open(Set<WorkType> types) {
    var claim = new WaitingClaim(types);
    for (var type : types) {
      waiting.compute(
          type,
          (_, signals) -> {
            var all =
                signals == null
                    ? new ConcurrentLinkedDeque<BlockingQueue<Optional<String>>>()
                    : signals;
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

  /// Whether a run may well wait for a task of this type, rather than rest: a claim waits here, and
  /// the last one took a worker no longer than that costs.
  boolean endsSoon(WorkType type) {
    return isAwaited(type) && slow.getIfPresent(type) == null;
  }

  /// A worker has ended a task of this type.
  ///
  /// @param time since its claim
  public void worked(WorkType type, Duration time) {
    if (time.compareTo(SOON) < 0) {
      slow.invalidate(type);
    } else {
      slow.put(type, true);
    }
  }

  /// The types that somebody waits for.
  Set<WorkType> awaited() {
    return Set.copyOf(waiting.keySet());
  }

  /// Wakes as many of the claims as there are tasks, the newest first: a claim that has waited long
  /// may be of a worker that is gone.
  public void arrived(WorkType type, int tasks) {
    arrived(type, tasks, Optional.empty());
  }

  private void arrived(WorkType type, int tasks, Optional<String> single) {
    int left = tasks;
    for (var signal : waiting.getOrDefault(type, new ConcurrentLinkedDeque<>())) {
      if (left == 0) {
        return;
      }
      if (signal.offer(single)) {
        left--;
      }
    }
  }

  /// Releases all claims that wait: the server ends when it has answered them.
  @EventListener(ContextClosedEvent.class)
  void close() {
    closed = true;
    waiting.values().forEach(signals -> signals.forEach(it -> it.offer(Optional.empty())));
  }

  /// Wakes claims once the current transaction has committed.
  ///
  /// @param tasks by their ids
  void arriveAfterCommit(Map<String, WorkType> tasks) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            tasks.forEach((id, type) ->
                arrived(type, 1, tasks.size() == 1 ? Optional.of(id) : Optional.empty()));
          }
        });
  }
}
