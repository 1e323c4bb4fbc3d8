package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.CheckpointLink;
import dev.superstep.checkpoint.Compression;
import dev.superstep.checkpoint.Content;
import dev.superstep.checkpoint.EventCodec;
import dev.superstep.checkpoint.Snapshot;
import dev.superstep.engine.checkpoint.Checkpoint.Stamp;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.Event;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A checkpoint and its events, encoded as the bytes to insert.
///
/// @param replayCost after this write
/// @param snapshot null: only the delta
/// @param link see [CheckpointLink]
public record EncodedCheckpoint(
    Stamp stamp,
    ReplayCost replayCost,
    byte[] stateHash,
    byte[] content,
    byte[] events,
    byte @Nullable [] snapshot,
    byte[] link) {
  private static final byte[] UNLINKED = {};

  /// The last checkpoint of a run, for the one behind it.
  ///
  /// @param link what the next one is linked to; null: that one is not chained
  record ChainEnd(ReplayCost replayCost, byte @Nullable [] link) {}

  /// @param parent null: it is the first
  public static EncodedCheckpoint of(
      Commit.Write write, List<Event> events, @Nullable ChainEnd parent) {
    var unlinked = unlinked(write, EventCodec.bytes(events), parent);
    return new EncodedCheckpoint(
        unlinked.stamp,
        unlinked.replayCost,
        unlinked.stateHash,
        unlinked.content,
        unlinked.events,
        unlinked.snapshot,
        unlinked.link(parent == null ? null : parent.link()));
  }

  private byte[] link(byte @Nullable [] previous) {
    return CheckpointLink.of(
        previous,
        new CheckpointLink.GivenNumbers(
            number(),
            superstep(),
            replayCost.base(),
            replayCost.deltaBytes(),
            Math.toIntExact(replayCost.snapshotBytes())),
        stateHash,
        content,
        events,
        snapshot,
        storedKind().getBytes(StandardCharsets.UTF_8));
  }

  private static EncodedCheckpoint unlinked(
      Commit.Write write, byte[] events, @Nullable ChainEnd parent) {
    var after = write.after();
    var content = Content.of(write).bytes();
    var hash = HexFormat.of().parseHex(after.stateHash());
    if (parent != null) {
      var replayCost = parent.replayCost().plus(content.length);
      if (!replayCost.needsSnapshot()) {
        return new EncodedCheckpoint(
            after.stamp(), replayCost, hash, content, events, null, UNLINKED);
      }
    }
    var snapshot = Snapshot.of(after).bytes();
    var replayCost = ReplayCost.ofSnapshot(after.number(), snapshot.length);
    var packed = Compression.pack(snapshot);
    return new EncodedCheckpoint(
        after.stamp(), replayCost, hash, content, events, packed, UNLINKED);
  }

  public int number() {
    return stamp.number();
  }

  public int superstep() {
    return stamp.superstep();
  }

  /// Its kind as the table has it.
  public String storedKind() {
    return stamp.kind().text();
  }

  /// What the next checkpoint is built on.
  public ChainEnd end() {
    return new ChainEnd(replayCost, link);
  }
}
