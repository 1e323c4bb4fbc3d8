package dev.superstep.run.start;

import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.checkpoint.row.CheckpointWriter.First;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.task.BirthId;
import dev.superstep.state.value.Canonical;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One pending insert of a run, and its result.
public final class RunInsert implements WriteBatcher.Member {
  private static final int USUAL_BYTES = 1024;

  private final NewRun newRun;
  private final Optional<Instant> wakesAt;
  private final List<Event> events;
  private volatile @Nullable Instant at;
  private volatile long epoch;
  private volatile @Nullable UUID birthId;
  private volatile @Nullable RuntimeException failure;

  /// @param wakesAt when it is to begin; empty: at once
  public RunInsert(NewRun newRun, Optional<Instant> wakesAt, List<Event> events) {
    this.newRun = newRun;
    this.wakesAt = wakesAt;
    this.events = List.copyOf(events);
  }

  NewRun newRun() {
    return newRun;
  }

  Optional<Instant> wakesAt() {
    return wakesAt;
  }

  First first() {
    return new First(newRun.id(), newRun.first(), events);
  }

  int events() {
    return events.size();
  }

  /// Twice the input, which the first checkpoint mainly consists of, too.
  @Override
  public long bytes() {
    return 2L * Canonical.size(newRun.input()) + USUAL_BYTES;
  }

  void tookPlace(Instant time, long epochOfOwner, @Nullable UUID birthIdOfRun) {
    epoch = epochOfOwner;
    birthId = birthIdOfRun;
    at = time;
  }

  void failed(RuntimeException cause) {
    failure = cause;
  }

  /// Under which its owner drives it, once the insert has taken place.
  public long epoch() {
    return epoch;
  }

  /// The immutable part of the run, once the insert has taken place.
  RunHeader header() {
    return newRun.header().with(BirthId.of(newRun.id(), birthId));
  }

  /// The time of the insert, by the database's clock; empty if it did not take place.
  ///
  /// @throws RuntimeException if the outcome is unknown
  public Optional<Instant> at() {
    if (failure != null) {
      throw failure;
    }
    return Optional.ofNullable(at);
  }
}
