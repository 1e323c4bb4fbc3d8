package dev.superstep.checkpoint;

import dev.superstep.engine.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What one run has in a batch: commits that follow each other, and what became of them. They are
/// written together or not at all.
final class Strand implements Lane.Member {
  private final Lease lease;
  private final List<Step> steps;
  private final long bytes;
  private volatile @Nullable Instant writtenAt;
  private volatile boolean cancelRequested;

  /// @param steps at least one, each behind the one before
  Strand(Lease lease, List<Step> steps) {
    this.lease = lease;
    this.steps = List.copyOf(steps);
    this.bytes = steps.stream().mapToLong(Step::bytes).sum();
  }

  Lease lease() {
    return lease;
  }

  List<Step> steps() {
    return steps;
  }

  Step first() {
    return steps.getFirst();
  }

  Step last() {
    return steps.getLast();
  }

  boolean includesOutcomes() {
    return steps.stream().anyMatch(Step::includesOutcomes);
  }

  int events() {
    return steps.stream().mapToInt(it -> it.commit().events().size()).sum();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  void written(Instant at) {
    writtenAt = at;
  }

  void written(Instant at, boolean cancelled) {
    cancelRequested = cancelled;
    writtenAt = at;
  }

  /// Whether the run is to be cancelled behind what was written.
  boolean cancelRequested() {
    return cancelRequested;
  }

  /// Database time of the write; empty if it is not known to have taken place.
  Optional<Instant> writtenAt() {
    return Optional.ofNullable(writtenAt);
  }
}
