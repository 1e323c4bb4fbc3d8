package dev.superstep.expression;

import java.util.concurrent.Semaphore;

/// Bounds the long evaluations that run on virtual threads at the same time, so that some of their
/// carrier threads stay free. Short evaluations never acquire a permit.
final class LongWork {
  private final Semaphore permits;

  /// @param atOnce at least one
  LongWork(int atOnce) {
    permits = new Semaphore(atOnce, true);
  }

  /// Leaves one processor free where there are several.
  public static LongWork ofThisMachine() {
    return new LongWork(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));
  }

  /// Waits for its turn, unless the thread is one of the operating system's, which shares the
  /// processors out itself.
  ///
  /// @return whether to [#release]
  boolean enter() throws InterruptedException {
    if (!Thread.currentThread().isVirtual()) {
      return false;
    }
    permits.acquire();
    return true;
  }

  void release() {
    permits.release();
  }
}
