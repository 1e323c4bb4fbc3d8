package dev.superstep.run.store;

import dev.superstep.engine.run.Allowance;
import dev.superstep.graph.Limits;
import java.time.Duration;
import java.util.Optional;

/// Computes the limits that a parent gives its children.
public final class ChildLimits {
  private ChildLimits() {}

  public static Limits timeout(Duration timeout) {
    return limits(Allowance.UNLIMITED, Optional.of(timeout));
  }

  /// @param declared by the child's graph: what the parent has left applies only where it is less
  public static Limits ofChild(Duration timeout, Allowance left, Limits declared) {
    var less =
        new Allowance(
            less(left.calls(), declared.modelCallsMax()),
            less(left.tokens(), declared.tokensMax()));
    return limits(less, Optional.of(timeout));
  }

  private static <T extends Comparable<T>> Optional<T> less(Optional<T> left, Optional<T> other) {
    return left.filter(it -> other.map(declared -> it.compareTo(declared) < 0).orElse(true));
  }

  public static Limits budget(Allowance allowance) {
    return limits(allowance, Optional.empty());
  }

  private static Limits limits(Allowance allowance, Optional<Duration> timeout) {
    return new Limits(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        allowance.calls(),
        allowance.tokens(),
        timeout);
  }
}
