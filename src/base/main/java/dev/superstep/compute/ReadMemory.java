package dev.superstep.compute;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.stereotype.Component;

/// The memory of this replica for what all requests together have read from the database and made
/// of it. One caller has half of it at most, unless nothing else is read for it; a caller without a
/// key is everybody, and may have all.
///
/// Large reads take turns, half as many at a time as there are threads to compute: small reads
/// would wait for their connections and processors.
@Component
public final class ReadMemory {
  private static final long WAIT_MS = 1_000;

  /// Few, as each may keep a connection of the database while it waits.
  private static final int WAITING_MAX = 2;

  /// Of the ten connections that requests have by default.
  private static final int TURNS_MAX = 4;

  private final long bytesMax;
  private final ReadTurns turns;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();
  private final Map<String, Long> byCaller = new HashMap<>();
  private long all;
  private int waiting;

  ReadMemory(ComputeSettings settings) {
    this.bytesMax = settings.readBytes();
    this.turns = new ReadTurns(Math.clamp(settings.threads() / 2, 1, TURNS_MAX));
  }

  /// Bytes that are not taken.
  public long free() {
    lock.lock();
    try {
      return bytesMax - all;
    } finally {
      lock.unlock();
    }
  }

  ReadTurns turns() {
    return turns;
  }

  /// Takes bytes; waits a little for others to give some back.
  ///
  /// @param own what the same request has taken before
  /// @throws ServiceException `overloaded`, `quota_exceeded`; `limit_exceeded` if the request would
  ///   not fit into all of it, so that trying again is of no use
  void take(String caller, long bytes, long own) {
    lock.lock();
    try {
      if (bytes > bytesMax - own) {
        throw oversize(bytes + own);
      }
      if (!await(caller, bytes, own)) {
        throw refusal(caller, bytes, own);
      }
      all += bytes;
      byCaller.merge(caller, bytes, Long::sum);
    } finally {
      lock.unlock();
    }
  }

  private boolean fits(String caller, long bytes, long own) {
    return all + bytes <= bytesMax && isWithinShare(caller, bytes, own);
  }

  private boolean isWithinShare(String caller, long bytes, long own) {
    long has = byCaller.getOrDefault(caller, 0L);
    return caller.isEmpty() || has == own || has + bytes <= bytesMax / 2;
  }

  private boolean await(String caller, long bytes, long own) {
    if (fits(caller, bytes, own)) {
      return true;
    }
    if (waiting >= WAITING_MAX) {
      return false;
    }
    waiting++;
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(WAIT_MS);
      while (!fits(caller, bytes, own)) {
        if (left <= 0) {
          return false;
        }
        left = released.awaitNanos(left);
      }
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      waiting--;
    }
  }

  private ServiceException oversize(long bytes) {
    return new ServiceException(
        ErrorCode.LIMIT_EXCEEDED,
        "what this request reads takes about %d bytes of memory, more than the %d of superstep.compute.read-max that all requests together have: trying again does not help. Read less at a time: leave out what is large (without=input,output of runs, without=input,change of tasks, without=changes of checkpoints) or take shorter pages (limit=); or have the operator raise the setting"
            .formatted(bytes, bytesMax));
  }

  private ServiceException refusal(String caller, long bytes, long own) {
    if (!isWithinShare(caller, bytes, own)) {
      return new ServiceException(
          ErrorCode.QUOTA_EXCEEDED,
          "what this key's requests read takes half of the %d bytes of superstep.compute.read-max already; wait for their answers"
              .formatted(bytesMax));
    }
    return new ServiceException(
        ErrorCode.OVERLOADED,
        "what this request reads takes about %d bytes of memory, and %d of the %d that superstep.compute.read-max allows are free; try again, or ask for less at a time"
            .formatted(own + bytes, bytesMax - all, bytesMax));
  }

  void release(String caller, long bytes) {
    lock.lock();
    try {
      all -= bytes;
      byCaller.computeIfPresent(caller, (_, has) -> has <= bytes ? null : has - bytes);
      released.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
