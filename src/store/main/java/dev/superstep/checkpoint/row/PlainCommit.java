package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.EventCodec;
import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.Lease;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A plain commit, encoded for the database, and when it was written.
final class PlainCommit implements WriteBatcher.Member {
  private final Lease lease;
  private final Commit commit;
  private final EncodedCheckpoint encodedCheckpoint;
  private final byte[] encodedEvents;
  private final SnapshotPolicy.Outcomes outcomes;
  private volatile @Nullable Instant writtenAt;

  /// @param outcomes recorded outcomes that it includes and removes
  public PlainCommit(
      Lease lease,
      Commit commit,
      EncodedCheckpoint encodedCheckpoint,
      SnapshotPolicy.Outcomes outcomes) {
    this.lease = lease;
    this.commit = commit;
    this.encodedCheckpoint = encodedCheckpoint;
    this.encodedEvents = EventCodec.bytes(commit.events());
    this.outcomes = outcomes;
  }

  public Lease lease() {
    return lease;
  }

  public Commit commit() {
    return commit;
  }

  EncodedCheckpoint encodedCheckpoint() {
    return encodedCheckpoint;
  }

  /// In stored form.
  byte[] encodedEvents() {
    return encodedEvents;
  }

  boolean passesCancel() {
    return CommitKind.passesCancel(commit.head());
  }

  boolean includesOutcomes() {
    return outcomes == SnapshotPolicy.Outcomes.PERHAPS;
  }

  @Override
  public long bytes() {
    var snapshot = encodedCheckpoint.snapshot();
    return (long) encodedCheckpoint.content().length
        + encodedEvents.length
        + (snapshot == null ? 0 : snapshot.length);
  }

  void written(Instant at) {
    writtenAt = at;
  }

  /// Database time of the write; empty if it is not known to have taken place.
  public Optional<Instant> writtenAt() {
    return Optional.ofNullable(writtenAt);
  }
}
