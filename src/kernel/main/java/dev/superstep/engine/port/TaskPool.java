package dev.superstep.engine.port;

/// Runs attempts on threads. A bound delays them; it never drops one (E12).
public interface TaskPool {

  /// Whether an attempt continues the current turn of its run, or queues as new work.
  enum Turn {
    SAME,
    NEW;

    private static final int FEW = 8;

    /// A superstep of many tasks must not overtake queued threads.
    public static Turn of(int tasks) {
      return tasks <= FEW ? SAME : NEW;
    }
  }

  /// Runs `attempt` on a thread of its own, once a permit is free.
  Handle start(Turn turn, Runnable attempt);

  /// A started attempt.
  @FunctionalInterface
  interface Handle {
    /// Interrupts its thread; a hint that the attempt should end.
    void interrupt();
  }
}
