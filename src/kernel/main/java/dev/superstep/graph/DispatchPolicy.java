package dev.superstep.graph;

import java.math.BigDecimal;
import java.util.Optional;

/// How far the dispatches of one task have to get, and how many run at a time (E54).
///
/// @param minSucceeded so many successes decide; 0: all are waited for
/// @param toleratedFailures that go unpunished: a whole number, or below 1 a share of the
///   dispatches; empty: as many as `minSucceeded` allows
/// @param maxConcurrency tasks at a time; 0: as many as their nodes and the run may
public record DispatchPolicy(
    int minSucceeded, Optional<BigDecimal> toleratedFailures, int maxConcurrency) {

  /// Whether it can end dispatches early.
  public boolean decides() {
    return minSucceeded > 0 || toleratedFailures.isPresent();
  }

  /// How many of so many dispatches may fail before that decides.
  public int failuresMax(int dispatches) {
    int spare = minSucceeded == 0 ? dispatches : dispatches - minSucceeded;
    return toleratedFailures.map(it -> Math.min(tolerated(it, dispatches), spare)).orElse(spare);
  }

  private static int tolerated(BigDecimal given, int dispatches) {
    boolean isShare = given.compareTo(BigDecimal.ONE) < 0;
    return (isShare ? given.multiply(BigDecimal.valueOf(dispatches)) : given).intValue();
  }
}
