package dev.superstep.engine.node;

/// Runs attempts on threads. A bound delays them; it never drops one (E12).
public interface TaskPool {

  /// Whether an attempt continues the current turn of its run, or queues as new work.
  enum PoolTurn {
    SAME,
    NEW;

    private static final int FEW = 8;

    /// A superstep of many tasks must not overtake queued threads.
    public static PoolTurn of(int tasks) {
      return tasks <= FEW ? SAME : NEW;
    }
  }

  /// Runs `attempt` on a thread of its own, once a permit is free.
  Handle start(PoolTurn turn, Runnable attempt);

  /// A started attempt.
  @FunctionalInterface
  interface Handle {
    /// Interrupts its thread; a hint that the attempt should end.
    void interrupt();
  }
}
