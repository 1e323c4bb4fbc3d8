package dev.superstep.checkpoint.commit;

import dev.superstep.checkpoint.codec.EventCodec;
import dev.superstep.checkpoint.row.CommitKind;
import dev.superstep.checkpoint.row.EncodedCheckpoint;
import dev.superstep.checkpoint.row.SnapshotPolicy;
import dev.superstep.engine.checkpoint.Commit;

/// A plain commit, encoded for the database.
///
/// @param events those of the commit, in stored form
/// @param cancel whether a request to cancel stops it
/// @param outcomes recorded outcomes that it includes and removes
public record PlainCommit(
    Commit commit,
    EncodedCheckpoint encodedCheckpoint,
    byte[] events,
    Cancel cancel,
    SnapshotPolicy.Outcomes outcomes) {

  enum Cancel {
    STOPS,
    COMES_LATER
  }

  public static PlainCommit of(
      Commit commit, EncodedCheckpoint encodedCheckpoint, SnapshotPolicy.Outcomes outcomes) {
    var cancel = CommitKind.passesCancel(commit.head()) ? Cancel.COMES_LATER : Cancel.STOPS;
    return new PlainCommit(
        commit, encodedCheckpoint, EventCodec.bytes(commit.events()), cancel, outcomes);
  }

  /// A commit that the driver already counts as committed: a request to cancel comes behind it.
  public static PlainCommit promised(
      Commit commit, EncodedCheckpoint encodedCheckpoint, SnapshotPolicy.Outcomes outcomes) {
    return new PlainCommit(
        commit, encodedCheckpoint, EventCodec.bytes(commit.events()), Cancel.COMES_LATER, outcomes);
  }

  boolean passesCancel() {
    return cancel == Cancel.COMES_LATER;
  }

  boolean includesOutcomes() {
    return outcomes == SnapshotPolicy.Outcomes.PERHAPS;
  }

  public long bytes() {
    var snapshot = encodedCheckpoint.snapshot();
    return (long) encodedCheckpoint.content().length
        + events.length
        + (snapshot == null ? 0 : snapshot.length);
  }
}
