package dev.superstep.checkpoint.row;

import dev.superstep.database.EntityColumns;
import jakarta.persistence.EntityManagerFactory;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
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

  /// Their rows: besides the columns, the `place` of the run, counted from 1, the first and the
  /// last of the run's events in this statement that are the checkpoint's, counted from 1, and when
  /// its driver went on from it, null if it waits. `line` has each statement planned for many rows.
  public static final String ROWS =
      "rows from (unnest(%s, ?, ?, ?, ?::timestamptz[]), generate_series(1, ?))"
              .formatted(String.join(", ", COLUMNS.stream().map(_ -> "?").toList()))
          + " as row (%s, place, events_from, events_to, continued_at, line)"
              .formatted(String.join(", ", COLUMNS));

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
  private final int[] places;
  private final int[] eventsFrom;
  private final int[] eventsTo;
  private final @Nullable String[] continuedAt;
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
    places = new int[rows];
    eventsFrom = new int[rows];
    eventsTo = new int[rows];
    continuedAt = new String[rows];
  }

  /// `insert into checkpoint (…) select …`, to be continued with a `from` in which `row` has the
  /// columns of [#ROWS].
  ///
  /// @param others SQL expressions of the other columns
  public static String insert(EntityManagerFactory entities, Map<String, String> others) {
    var values = new HashMap<>(others);
    COLUMNS.forEach(it -> values.put(it, "row." + it));
    return EntityColumns.of(entities, CheckpointEntity.class).insertSelect(values);
  }

  /// Adds the checkpoints of one run, each behind the one before.
  public void add(int place, List<EncodedCommit> commits) {
    int before = 0;
    for (var commit : commits) {
      places[size] = place;
      eventsFrom[size] = before + 1;
      before += commit.eventCount();
      eventsTo[size] = before;
      continuedAt[size] = commit.continuedAt().map(Instant::toString).orElse(null);
      add(commit.checkpoint(), commit.events());
    }
  }

  private void add(EncodedCheckpoint encodedCheckpoint, byte[] encodedEvents) {
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
          snapshots,
          places,
          eventsFrom,
          eventsTo,
          continuedAt
        }) {
      statement.setObject(at++, column);
    }
    statement.setInt(at++, size);
    return at;
  }
}
