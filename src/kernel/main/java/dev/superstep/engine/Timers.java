package dev.superstep.engine;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/// Orders the timers of the superstep in progress. Stale entries are dropped when they come to the
/// top.
final class Timers {
  private static final Comparator<Timer> SOONEST = Comparator.comparing(Timer::at);
  private final PriorityQueue<Timer> queue = new PriorityQueue<>(1, SOONEST);

  /// @param token of the task when the timer was set; a later start or end makes it stale
  record Timer(Instant at, OpenTask openTask, int token, TimerKind kind) {
    boolean stale() {
      return openTask.token() != token;
    }
  }

  enum TimerKind {
    ATTEMPT_ENDS,
    SLEEP_ENDS,
    INTERRUPT_EXPIRES,
    /// The task is still at its worker.
    STAY_ENDS
  }

  void add(Instant at, OpenTask openTask, TimerKind kind) {
    queue.add(new Timer(at, openTask, openTask.token(), kind));
  }

  /// When the next timer is due.
  Optional<Instant> next() {
    dropStale();
    return Optional.ofNullable(queue.peek()).map(Timer::at);
  }

  /// Removes and returns a timer that is due.
  Optional<Timer> due(Instant now) {
    dropStale();
    var soonest = queue.peek();
    if (soonest == null || soonest.at().isAfter(now)) {
      return Optional.empty();
    }
    return Optional.ofNullable(queue.poll());
  }

  static Instant earlier(Instant a, Optional<Instant> b) {
    return b.isPresent() && b.get().isBefore(a) ? b.get() : a;
  }

  private void dropStale() {
    for (var soonest = queue.peek(); soonest != null && soonest.stale(); soonest = queue.peek()) {
      queue.remove();
    }
  }
}
