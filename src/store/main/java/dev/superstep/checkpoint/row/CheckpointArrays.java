package dev.superstep.checkpoint.row;

import dev.superstep.database.EntityColumns;
import jakarta.persistence.EntityManagerFactory;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Checkpoints as arrays, one per column, for the statements that insert those of many runs. The
/// remaining columns come from the runs' heads.
public final class CheckpointArrays {
  /// In the order in which they are bound.
  private static final List<String> COLUMNS =
      List.of(
          "number",
          "kind",
          "superstep",
          "base",
          "delta_bytes",
          "snapshot_bytes",
          "state_hash",
          "content",
          "events",
          "snapshot");

  /// As many parameters as there are arrays.
  public static final String PARAMETERS = "?, ".repeat(COLUMNS.size() - 1) + "?";

  /// The names of the arrays.
  public static final String NAMES = String.join(", ", COLUMNS);

  private final int[] numbers;
  private final String[] kinds;
  private final int[] supersteps;
  private final int[] bases;
  private final long[] deltaBytes;
  private final int[] snapshotBytes;
  private final byte[][] stateHashes;
  private final byte[][] contents;
  private final byte[][] events;
  private final byte[] @Nullable [] snapshots;
  private int size;

  public CheckpointArrays(int rows) {
    numbers = new int[rows];
    kinds = new String[rows];
    supersteps = new int[rows];
    bases = new int[rows];
    deltaBytes = new long[rows];
    snapshotBytes = new int[rows];
    stateHashes = new byte[rows][];
    contents = new byte[rows][];
    events = new byte[rows][];
    snapshots = new byte[rows][];
  }

  /// `insert into checkpoint (…) select …`, to be continued with a `from` in which `row` has the
  /// columns [#NAMES].
  ///
  /// @param others SQL expressions of the other columns
  public static String insert(EntityManagerFactory entities, Map<String, String> others) {
    var values = new HashMap<>(others);
    COLUMNS.forEach(it -> values.put(it, "row." + it));
    return EntityColumns.of(entities, CheckpointEntity.class).insertSelect(values);
  }

  public void add(EncodedCheckpoint encodedCheckpoint, byte[] encodedEvents) {
    numbers[size] = encodedCheckpoint.number();
    kinds[size] = encodedCheckpoint.storedKind();
    supersteps[size] = encodedCheckpoint.superstep();
    bases[size] = encodedCheckpoint.replayCost().base();
    deltaBytes[size] = encodedCheckpoint.replayCost().deltaBytes();
    snapshotBytes[size] = Math.toIntExact(encodedCheckpoint.replayCost().snapshotBytes());
    stateHashes[size] = encodedCheckpoint.stateHash();
    contents[size] = encodedCheckpoint.content();
    events[size] = encodedEvents;
    snapshots[size] = encodedCheckpoint.snapshot();
    size++;
  }

  /// @param first index of the first parameter
  /// @return index of the parameter behind the last
  public int bind(PreparedStatement statement, int first) throws SQLException {
    int at = first;
    for (var column :
        new Object[] {
          numbers,
          kinds,
          supersteps,
          bases,
          deltaBytes,
          snapshotBytes,
          stateHashes,
          contents,
          events,
          snapshots
        }) {
      statement.setObject(at++, column);
    }
    return at;
  }
}
