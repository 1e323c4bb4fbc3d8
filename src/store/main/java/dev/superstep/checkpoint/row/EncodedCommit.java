package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.EventCodec;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A checkpoint and its events, encoded for the database.
///
/// @param events in stored form
/// @param continuedAt when the driver went on from it; empty: it waits
public record EncodedCommit(
    EncodedCheckpoint checkpoint, byte[] events, int eventCount, Optional<Instant> continuedAt) {

  public static EncodedCommit of(
      EncodedCheckpoint checkpoint, List<Event> events, Optional<Instant> continuedAt) {
    return new EncodedCommit(checkpoint, EventCodec.bytes(events), events.size(), continuedAt);
  }

  /// Encodes commits, each behind the one before.
  ///
  /// @param parent replay cost of the checkpoint that they are behind
  public static List<EncodedCommit> of(List<Commit> commits, ReplayCost parent) {
    var encoded = new ArrayList<EncodedCommit>(commits.size());
    var cost = parent;
    for (var commit : commits) {
      var checkpoint = EncodedCheckpoint.of(commit.checkpoint().orElseThrow(), cost);
      cost = checkpoint.replayCost();
      encoded.add(of(checkpoint, commit.events(), commit.continuedAt()));
    }
    return encoded;
  }

  long bytes() {
    var snapshot = checkpoint.snapshot();
    return (long) checkpoint.content().length
        + events.length
        + (snapshot == null ? 0 : snapshot.length);
  }
}
