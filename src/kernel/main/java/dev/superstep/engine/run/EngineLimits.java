package dev.superstep.engine.run;

import dev.superstep.graph.Limits;
import java.time.Duration;
import java.util.Optional;

/// What the server allows every run (E15). A graph or run may set less. Enforced in
/// `drive.RunTransitions` (supersteps, time), `settle.SuperstepReducer` (dispatches, size),
/// `barrier.Admission` (concurrency) and `barrier.LiveAttempt` (results).
///
/// @param superstepsDefault without a limit of graph or run (E14)
/// @param concurrencyMax tasks of one run at a time
/// @param superstepDispatchesMax dispatches emitted in one superstep
/// @param runDispatchesMax dispatches emitted in one run
/// @param stateBytesMax canonical bytes of the state and the prompt context together
/// @param resultBytesMax canonical bytes of one task's change, payload or dispatches
/// @param timeoutDefault wall time of a run without a limit of its own
/// @param deferral of commits
public record EngineLimits(
    int superstepsDefault,
    int concurrencyMax,
    int superstepDispatchesMax,
    int runDispatchesMax,
    long stateBytesMax,
    long resultBytesMax,
    Duration timeoutDefault,
    Deferral deferral) {
  public static final EngineLimits DEFAULT =
      new EngineLimits(
          100, 256, 10_000, 100_000, 16L << 20, 4L << 20, Duration.ofDays(7), Deferral.DEFAULT);

  /// Limits with the usual deferral.
  public EngineLimits(
      int superstepsDefault,
      int concurrencyMax,
      int superstepDispatchesMax,
      int runDispatchesMax,
      long stateBytesMax,
      long resultBytesMax,
      Duration timeoutDefault) {
    this(
        superstepsDefault,
        concurrencyMax,
        superstepDispatchesMax,
        runDispatchesMax,
        stateBytesMax,
        resultBytesMax,
        timeoutDefault,
        Deferral.DEFAULT);
  }

  /// What a run gets whose graph and request set no limits.
  public Limits standard() {
    return new Limits(
        Optional.of(superstepsDefault),
        Optional.of(concurrencyMax),
        Optional.of(runDispatchesMax),
        Optional.empty(),
        Optional.empty(),
        Optional.of(timeoutDefault));
  }
}
