package dev.superstep.engine;

/// Where attempts run. A bound delays them; it never drops one (E12).
public interface TaskPool {

  /// Runs `attempt` on a thread of its own, once a permit is free.
  Handle start(Runnable attempt);

  /// A started attempt.
  @FunctionalInterface
  interface Handle {
    /// Interrupts its thread; a hint that the attempt should end.
    void interrupt();
  }
}
