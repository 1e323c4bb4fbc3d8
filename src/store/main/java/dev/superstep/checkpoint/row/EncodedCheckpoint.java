package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.Compression;
import dev.superstep.checkpoint.Content;
import dev.superstep.checkpoint.Snapshot;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A checkpoint, encoded as the bytes to insert.
///
/// @param replayCost after this write
/// @param snapshot null: only the delta
public record EncodedCheckpoint(
    int number,
    CheckpointKind kind,
    int superstep,
    ReplayCost replayCost,
    byte[] stateHash,
    byte[] content,
    byte @Nullable [] snapshot) {

  public static EncodedCheckpoint of(Commit.Write write, @Nullable ReplayCost parent) {
    var after = write.after();
    var content = Content.of(write).bytes();
    var hash = HexFormat.of().parseHex(after.stateHash());
    var kind = after.stamp().kind();
    if (parent != null) {
      var replayCost = parent.plus(content.length);
      if (!replayCost.needsSnapshot()) {
        return new EncodedCheckpoint(
            after.number(), kind, after.superstep(), replayCost, hash, content, null);
      }
    }
    var snapshot = Snapshot.of(after).bytes();
    var replayCost = ReplayCost.ofSnapshot(after.number(), snapshot.length);
    return new EncodedCheckpoint(
        after.number(),
        kind,
        after.superstep(),
        replayCost,
        hash,
        content,
        Compression.pack(snapshot));
  }

  /// Its kind as the table has it.
  public String storedKind() {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
