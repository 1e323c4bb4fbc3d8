package dev.superstep.engine.node;

import dev.superstep.engine.run.RunError;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.Optional;

/// The queue on which a driver waits: ends of task attempts, and hints of other threads. Any thread
/// may put; only the driver takes.
public interface Inbox {

  void put(Signal signal);

  /// A signal that is here already.
  Optional<Signal> poll() throws InterruptedException;

  /// The next signal; empty if there was none until `until`, or hardly before.
  ///
  /// @param until empty: waits for ever
  Optional<Signal> take(Optional<Instant> until) throws InterruptedException;

  /// An event that a driver reacts to.
  sealed interface Signal {

    /// An attempt of a task ended.
    ///
    /// @param task index of the task in its superstep
    /// @param attempt which attempt it was, counted over the life of the driver
    record Ended(int superstep, int task, int attempt, Outcome outcome) implements Signal {}

    /// An attempt wants a side effect of its task to be recorded (E10.3).
    ///
    /// @param stored to be run when it is on disk
    record SideEffect(AttemptId attempt, String name, Value value, Runnable stored)
        implements Signal {}

    /// A thread of an attempt found that the run is another replica's, or cannot be read or
    /// written: its driver ends as if it had found that itself.
    record StoreFailed(RuntimeException cause) implements Signal {}

    /// Answers or a cancel may have been committed: read [CheckpointStore#signals].
    record Nudge() implements Signal {}

    /// The run may not go on: fail it behind the superstep in progress.
    record Stop(RunError why) implements Signal {}

    /// The replica is shutting down: finish the superstep, or hand the run back at `deadline`.
    record Drain(Instant deadline) implements Signal {}
  }
}
