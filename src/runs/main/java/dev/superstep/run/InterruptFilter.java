package dev.superstep.run;

import dev.superstep.checkpoint.StoredInterrupt;
import java.util.Optional;

/// Which interrupts to list; every condition given must hold.
public record InterruptFilter(
    Optional<String> run, Optional<String> graph, Optional<StoredInterrupt.Status> status) {
  public static InterruptFilter of(String run) {
    return new InterruptFilter(Optional.of(run), Optional.empty(), Optional.empty());
  }
}
