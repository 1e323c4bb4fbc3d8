package dev.superstep.run;

import dev.superstep.checkpoint.FirstRows.First;
import dev.superstep.checkpoint.Lane;
import dev.superstep.engine.Event;
import dev.superstep.run.Births.Newborn;
import dev.superstep.state.Canonical;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A run that is being put into the database, and what became of that.
final class Birth implements Lane.Member {
  private static final int USUAL_BYTES = 1024;

  private final Newborn newborn;
  private final Optional<Instant> wakesAt;
  private final List<Event> events;
  private volatile @Nullable Instant at;
  private volatile @Nullable RuntimeException failure;

  /// @param wakesAt when it is to begin; empty: at once
  Birth(Newborn newborn, Optional<Instant> wakesAt, List<Event> events) {
    this.newborn = newborn;
    this.wakesAt = wakesAt;
    this.events = List.copyOf(events);
  }

  Newborn newborn() {
    return newborn;
  }

  Optional<Instant> wakesAt() {
    return wakesAt;
  }

  First first() {
    return new First(newborn.id(), newborn.first(), events);
  }

  int events() {
    return events.size();
  }

  /// Twice the input, which is also what the first checkpoint mainly consists of.
  @Override
  public long bytes() {
    return 2L * Canonical.size(newborn.input()) + USUAL_BYTES;
  }

  void tookPlace(Instant time) {
    at = time;
  }

  void failed(RuntimeException cause) {
    failure = cause;
  }

  /// When it took place, by the database's clock; empty if it did not.
  ///
  /// @throws RuntimeException if nobody knows
  Optional<Instant> at() {
    if (failure != null) {
      throw failure;
    }
    return Optional.ofNullable(at);
  }
}
