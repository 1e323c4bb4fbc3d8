package dev.superstep.run;

import dev.superstep.graph.Limits;
import java.time.Duration;
import java.util.Optional;

/// Limits that a parent gives its children.
final class ChildLimits {
  private ChildLimits() {}

  static Limits timeout(Duration timeout) {
    var none = Limits.NONE;
    return new Limits(
        none.superstepsMax(),
        none.concurrencyMax(),
        none.dispatchesMax(),
        none.modelCallsMax(),
        none.tokensMax(),
        Optional.of(timeout));
  }
}
