package dev.superstep.compute;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The turns in which large reads take place, so that small ones do not wait for their connections
/// and processors. Callers are served in turn, however many reads of each wait.
final class ReadTurns {
  private static final long WAIT_MS = 2_000;
  private static final int WAITING_MAX = 256;

  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<String, Deque<QueuedRead>> waiting = new LinkedHashMap<>();
  private int count;
  private int free;

  ReadTurns(int turns) {
    this.free = turns;
  }

  private static final class QueuedRead {
    private final Condition turn;
    private boolean served;

    QueuedRead(Condition turn) {
      this.turn = turn;
    }
  }

  /// Takes a turn if there is one; nobody waits then.
  boolean tryTake() {
    lock.lock();
    try {
      boolean taken = free > 0;
      free -= taken ? 1 : 0;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a turn, and takes it.
  ///
  /// @throws ServiceException `overloaded` if too many wait or it takes too long; `quota_exceeded`
  ///   if half of those that may wait are the caller's
  void await(String caller) {
    lock.lock();
    try {
      if (!tryTake()) {
        queue(caller);
      }
    } finally {
      lock.unlock();
    }
  }

  private void queue(String caller) {
    checkRoom(caller);
    var read = new QueuedRead(lock.newCondition());
    waiting.computeIfAbsent(caller, _ -> new ArrayDeque<>()).add(read);
    count++;
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(WAIT_MS);
      while (!read.served && left > 0) {
        left = read.turn.awaitNanos(left);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    if (!read.served) {
      leave(caller, read);
      throw new ServiceException(
          ErrorCode.OVERLOADED,
          "this request reads much, and others that do have kept it waiting for %d ms; try again, or ask for less at a time"
              .formatted(WAIT_MS));
    }
  }

  private void checkRoom(String caller) {
    if (count >= WAITING_MAX) {
      throw new ServiceException(
          ErrorCode.OVERLOADED,
          "this request reads much, and %d that do wait already; try again, or ask for less at a time"
              .formatted(WAITING_MAX));
    }
    var own = waiting.get(caller);
    if (!caller.isEmpty() && own != null && own.size() >= WAITING_MAX / 2) {
      throw new ServiceException(
          ErrorCode.QUOTA_EXCEEDED,
          "%d requests of this key that read much wait already; wait for their answers"
              .formatted(WAITING_MAX / 2));
    }
  }

  private void leave(String caller, QueuedRead read) {
    count--;
    waiting.computeIfPresent(
        caller,
        (_, own) -> {
          own.remove(read);
          return own.isEmpty() ? null : own;
        });
  }

  /// Ends a turn: the next is that of another caller, if one waits.
  void end() {
    lock.lock();
    try {
      var next = waiting.pollFirstEntry();
      if (next == null) {
        free++;
        return;
      }
      var read = next.getValue().remove();
      if (!next.getValue().isEmpty()) {
        waiting.put(next.getKey(), next.getValue());
      }
      count--;
      read.served = true;
      read.turn.signal();
    } finally {
      lock.unlock();
    }
  }

  int waiting() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }
}
