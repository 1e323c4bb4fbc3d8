package dev.superstep.engine.run;

import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.Optional;

/// What a worker is asked to do (E52).
///
/// @param type that workers claim by
/// @param payload what the worker gets: `input`, and `resume` behind a question; behind one of a
///   step the answer to that
/// @param idempotencyKey equal over retries, lost workers, crashes and answers to steps (E40)
/// @param attempt from 1
public record WorkerTask(
    String type, ObjectValue payload, String idempotencyKey, int attempt, Timeouts timeouts) {

  /// @param start within which a worker must claim it; empty: it may wait without end
  /// @param end within which the worker must end it, from its claim
  /// @param heartbeat for how long a worker may be silent
  public record Timeouts(Optional<Duration> start, Optional<Duration> end, Duration heartbeat) {}
}
