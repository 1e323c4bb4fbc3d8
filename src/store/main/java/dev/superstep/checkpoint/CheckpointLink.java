package dev.superstep.checkpoint;

import dev.superstep.state.value.Hash;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Links the checkpoints of a run by hash: SHA-256 of what the writer gives for a row and of the
/// link of the row before. The database, which computes it again to verify it (`checkpoint_link`),
/// adds a seal of what it gives itself (`checkpoint_seal`).
public final class CheckpointLink {
  private static final byte[] NONE = {};

  /// What is smaller is copied together: a digest of few pieces is faster than one of many.
  private static final int PIECE_BYTES = 4096;

  private CheckpointLink() {}

  /// The columns of these names.
  public record GivenNumbers(
      int number, int superstep, int base, long deltaBytes, int snapshotBytes) {
    private static final int BYTES = 4 * Integer.BYTES + Long.BYTES;

    private void put(ByteBuffer hashed) {
      hashed
          .putInt(number)
          .putInt(superstep)
          .putInt(base)
          .putLong(deltaBytes)
          .putInt(snapshotBytes);
    }
  }

  /// @param previous link of the checkpoint before; null: there is none, or it is not chained
  /// @param columns `state_hash`, `content`, `events`, `snapshot`, `kind`
  public static byte[] of(
      byte @Nullable [] previous, GivenNumbers numbers, byte[] @Nullable ... columns) {
    var before = previous == null ? NONE : previous;
    long size = (long) before.length + GivenNumbers.BYTES + (long) columns.length * Integer.BYTES;
    for (var column : columns) {
      size += column == null ? 0 : column.length;
    }
    var sha = Hash.sha256();
    var pieces = ByteBuffer.allocate((int) Math.min(size, PIECE_BYTES)).put(before);
    numbers.put(pieces);
    for (var column : columns) {
      room(pieces, Integer.BYTES, sha).putInt(column == null ? -1 : column.length);
      put(column == null ? NONE : column, pieces, sha);
    }
    sha.update(pieces.flip());
    return sha.digest();
  }

  private static void put(byte[] column, ByteBuffer pieces, MessageDigest sha) {
    if (column.length > pieces.capacity()) {
      sha.update(pieces.flip());
      sha.update(column);
      pieces.clear();
    } else {
      room(pieces, column.length, sha).put(column);
    }
  }

  private static ByteBuffer room(ByteBuffer pieces, int bytes, MessageDigest sha) {
    if (pieces.remaining() < bytes) {
      sha.update(pieces.flip());
      pieces.clear();
    }
    return pieces;
  }

  /// An SQL expression of the seal.
  ///
  /// @param link expression of the link
  /// @param columns expressions of columns, by name
  public static String seal(String link, Map<String, String> columns) {
    return Stream.of("version", "lease_epoch", "first_event", "last_event", "committed_at")
        .map(columns::get)
        .collect(Collectors.joining(", ", "checkpoint_seal(%s, ".formatted(link), ")"));
  }
}
