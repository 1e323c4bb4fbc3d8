package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.row.EncodedCheckpoint.ChainEnd;
import dev.superstep.engine.checkpoint.Commit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A checkpoint and its events, encoded for the database.
///
/// @param continuedAt when the driver went on from it; empty: it waits
public record EncodedCommit(
    EncodedCheckpoint checkpoint, int eventCount, Optional<Instant> continuedAt) {

  /// Encodes commits, each behind the one before.
  ///
  /// @param parent the checkpoint that they are behind
  public static List<EncodedCommit> of(List<Commit> commits, ChainEnd parent) {
    var encoded = new ArrayList<EncodedCommit>(commits.size());
    var end = parent;
    for (var commit : commits) {
      var checkpoint =
          EncodedCheckpoint.of(commit.checkpoint().orElseThrow(), commit.events(), end);
      end = checkpoint.end();
      encoded.add(new EncodedCommit(checkpoint, commit.events().size(), commit.continuedAt()));
    }
    return encoded;
  }

  long bytes() {
    var snapshot = checkpoint.snapshot();
    return (long) checkpoint.content().length
        + checkpoint.events().length
        + (snapshot == null ? 0 : snapshot.length);
  }
}
