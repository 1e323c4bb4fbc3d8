package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.Content;
import dev.superstep.checkpoint.StoredCheckpoint;
import dev.superstep.checkpoint.StoredForm;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One row of the chain from which a checkpoint is replayed.
///
/// @param snapshot null except in the first
public record CheckpointRow(
    int number,
    String kindWord,
    int superstep,
    Instant committedAt,
    byte[] stateHash,
    byte[] contentBytes,
    byte @Nullable [] snapshot) {

  public CheckpointKind kind() {
    try {
      return CheckpointKind.valueOf(kindWord.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw StoredForm.newer("a checkpoint of kind '%s'".formatted(kindWord));
    }
  }

  Checkpoint.Stamp stamp() {
    return new Checkpoint.Stamp(number, kind(), superstep, committedAt);
  }

  public Content content() {
    return Content.read(contentBytes, kind(), superstep);
  }

  String hash() {
    return HexFormat.of().formatHex(stateHash);
  }

  StoredCheckpoint stored() {
    var content = content();
    return new StoredCheckpoint(stamp(), hash(), content.delta(), content.pending());
  }
}
