package dev.superstep.testing;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.function.LongSupplier;

/// What the tests of one definition may take together. All of it is work, of which a busy machine
/// does no more than an idle one: a sound graph must not be refused because of what else is done.
final class TestBudget {
  static final Duration PROCESSOR_TIME = Duration.ofSeconds(20);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int CALLS_MAX = 100_000;

  private final LongSupplier processorNanos;
  private final long begun;
  private int calls;

  /// @param processorNanos that the thread has used which runs the tests, all of them
  TestBudget(LongSupplier processorNanos) {
    this.processorNanos = processorNanos;
    this.begun = processorNanos.getAsLong();
  }

  /// The processor time of the current thread; of a virtual thread, which has none that is known,
  /// 0: its tests are bounded by their calls.
  static long processorNanos() {
    return Thread.currentThread().isVirtual() ? 0 : THREADS.getCurrentThreadCpuTime();
  }

  /// Counts a call of a node.
  void call() {
    calls++;
    check();
  }

  /// @throws TestStoppedException if it is used up, or the caller no longer waits
  void check() {
    if (Thread.currentThread().isInterrupted()) {
      throw new TestStoppedException("the test was interrupted");
    }
    if (calls > CALLS_MAX) {
      throw new TestStoppedException(
          "the tests of a definition may call nodes %d times together".formatted(CALLS_MAX));
    }
    if (processorNanos.getAsLong() - begun > PROCESSOR_TIME.toNanos()) {
      throw new TestStoppedException(
          "the tests of a definition may take %d s of a processor together"
              .formatted(PROCESSOR_TIME.toSeconds()));
    }
  }
}
