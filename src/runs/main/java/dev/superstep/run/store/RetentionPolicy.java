package dev.superstep.run.store;

import dev.superstep.engine.run.RunStatus;
import java.time.Duration;
import java.util.Optional;

/// How long the runs of one graph are kept, from their end.
///
/// @param threads from the end of the newest run of the thread
/// @param history from when on a succeeded or cancelled run keeps only its last checkpoints
/// @param checkpoints how many of these
record RetentionPolicy(
    Optional<Duration> succeeded,
    Optional<Duration> failed,
    Optional<Duration> cancelled,
    Optional<Duration> threads,
    Optional<Duration> history,
    int checkpoints) {

  /// How long a run that has ended so is kept; empty: for ever.
  Optional<Duration> keeps(RunStatus status) {
    return switch (status) {
      case SUCCEEDED -> succeeded;
      case FAILED -> failed;
      case CANCELLED -> cancelled;
      case QUEUED, RUNNING, WAITING, INTERRUPTED, CANCELLING -> Optional.empty();
    };
  }

  /// How long the run whose state a thread has is kept, being its only run: as long as both the run
  /// and an idle thread are.
  Optional<Duration> keepsHead(RunStatus status) {
    var run = keeps(status);
    return run.isEmpty() || threads.isEmpty()
        ? Optional.empty()
        : Optional.of(run.get().compareTo(threads.get()) > 0 ? run.get() : threads.get());
  }

  /// When a run that has ended so loses its history; empty: with the run. A failed run can be
  /// resumed, which needs it.
  Optional<Duration> keepsHistory(RunStatus status) {
    return switch (status) {
      case SUCCEEDED, CANCELLED -> history;
      case FAILED, QUEUED, RUNNING, WAITING, INTERRUPTED, CANCELLING -> Optional.empty();
    };
  }
}
