package dev.superstep.graph;

import java.time.Duration;
import java.util.Optional;

/// Limits of a graph or a run; an empty one falls to the next source: run, graph ([Graph#limits]),
/// server (`engine.run.EngineLimits`) (E14, E15). The most that runs and graphs may ask for is in
/// `definition.ServerLimits`.
public record Limits(
    Optional<Integer> superstepsMax,
    Optional<Integer> concurrencyMax,
    Optional<Integer> dispatchesMax,
    Optional<Integer> modelCallsMax,
    Optional<Long> tokensMax,
    Optional<Duration> timeout) {

  public static final Limits NONE =
      new Limits(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /// These limits, with `lower` where they are empty.
  public Limits or(Limits lower) {
    return new Limits(
        superstepsMax.or(lower::superstepsMax),
        concurrencyMax.or(lower::concurrencyMax),
        dispatchesMax.or(lower::dispatchesMax),
        modelCallsMax.or(lower::modelCallsMax),
        tokensMax.or(lower::tokensMax),
        timeout.or(lower::timeout));
  }
}
