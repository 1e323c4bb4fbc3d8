package dev.superstep.engine.port;

import dev.superstep.engine.node.Outcome;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.Optional;

/// What a driver waits on: ends of task attempts, and hints from outside. Any thread may put; only
/// the driver takes.
public interface Inbox {

  void put(Signal signal);

  /// The next signal; empty if there was none until `until`, or hardly before.
  ///
  /// @param until empty: waits for ever
  Optional<Signal> take(Optional<Instant> until) throws InterruptedException;

  /// Something a driver reacts to.
  sealed interface Signal {

    /// An attempt of a task ended.
    ///
    /// @param slot index of the task in its superstep
    /// @param attempt which attempt it was, counted over the life of the driver
    record Ended(int superstep, int slot, int attempt, Outcome outcome) implements Signal {}

    /// An attempt wants a part of its task to be kept (E10.3).
    ///
    /// @param stored to be run when it is on disk
    record Part(AttemptId place, String name, Value value, Runnable stored) implements Signal {}

    /// Answers or a cancel may have been committed: look at [CheckpointStore#news].
    record Nudge() implements Signal {}

    /// The replica is shutting down: finish the superstep, or hand the run back at `deadline`.
    record Drain(Instant deadline) implements Signal {}
  }
}
