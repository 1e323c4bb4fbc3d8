package dev.superstep.run;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.row.Interrupts;
import java.util.Optional;

/// Which interrupts to list; every condition given must hold.
///
/// @param whose questions are wanted
public record InterruptFilter(
    Optional<String> run,
    Optional<String> graph,
    Optional<StoredInterrupt.Status> status,
    Optional<Interrupts.Whose> whose) {
  public InterruptFilter(
      Optional<String> run, Optional<String> graph, Optional<StoredInterrupt.Status> status) {
    this(run, graph, status, Optional.empty());
  }

  public static InterruptFilter of(String run) {
    return new InterruptFilter(Optional.of(run), Optional.empty(), Optional.empty());
  }
}
