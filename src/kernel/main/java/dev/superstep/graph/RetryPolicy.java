package dev.superstep.graph;

import java.time.Duration;
import java.util.List;

/// How often and how fast a failed attempt is repeated (E31).
///
/// @param jitter share of the interval that is random, 0 to 1
/// @param retryOn error codes to repeat, `*` allowed at the end; empty: those marked retryable
/// @param noRetryOn error codes never to repeat
public record RetryPolicy(
    int attemptsMax,
    Duration initialInterval,
    double multiplier,
    Duration maxInterval,
    double jitter,
    List<String> retryOn,
    List<String> noRetryOn) {

  /// One attempt: what a node without `retry` gets.
  public static final RetryPolicy NEVER =
      new RetryPolicy(
          1, Duration.ofMillis(500), 2, Duration.ofSeconds(30), 0.2, List.of(), List.of());

  /// The policy of `retry: {}`.
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(
          3, Duration.ofMillis(500), 2, Duration.ofSeconds(30), 0.2, List.of(), List.of());

  public RetryPolicy {
    retryOn = List.copyOf(retryOn);
    noRetryOn = List.copyOf(noRetryOn);
  }

  /// Whether an error of this code may be repeated at all.
  public boolean repeats(String code, Retryable retryable) {
    if (noRetryOn.stream().anyMatch(it -> Edge.ErrorRoute.matches(it, code))) {
      return false;
    }
    return retryOn.isEmpty()
        ? retryable == Retryable.YES
        : retryOn.stream().anyMatch(it -> Edge.ErrorRoute.matches(it, code));
  }

  /// The pause before attempt `attempt + 1`, never longer than `maxInterval`. Where the jitter
  /// would go beyond, it spreads pauses evenly over what is left of its range: cut off at the end,
  /// half of them would be equal, and repeats would go out together.
  ///
  /// @param attempt the attempt that failed, from 1
  /// @param random in [0, 1)
  public Duration pauseAfter(int attempt, double random) {
    double factor = Math.pow(multiplier, attempt - 1.0);
    double max = maxInterval.toMillis();
    double base = Math.min(initialInterval.toMillis() * factor, max);
    double shortest = base * (1 - jitter);
    double longest = Math.min(base * (1 + jitter), max);
    return Duration.ofMillis(Math.round(shortest + (longest - shortest) * random));
  }

  /// The retry hint of the node that failed.
  public enum Retryable {
    YES,
    NO
  }
}
