package dev.superstep.checkpoint.row;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.Event;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The first checkpoints of runs as columns, for the statement that inserts the runs.
public final class FirstRows {
  /// Inserts the rows. `given` names the runs by `place`, from 1 in the order of the rows, with
  /// their `id`, `version` and number of `events`; `birth` has the epoch, and the time `at`, of
  /// all.
  public static final String INSERT =
      """
      insert into checkpoint
             (run, number, kind, superstep, version, lease_epoch, base, delta_bytes,
              snapshot_bytes, first_event, last_event, committed_at, state_hash, content, events,
              snapshot)
      select given.id, first.number, first.kind, first.superstep, given.version, birth.epoch,
             first.base, first.delta_bytes, first.snapshot_bytes, 1, given.events, birth.at,
             first.state_hash, first.content, first.events, first.snapshot
        from birth, given
        join unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) with ordinality
               as first (number, kind, superstep, base, delta_bytes, snapshot_bytes, state_hash,
                         content, events, snapshot, place)
          on first.place = given.place
      """;

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

  /// The first checkpoint of a run, with its events.
  public record First(String run, Commit.Write write, List<Event> events) {}

  FirstRows(int runs) {
    numbers = new int[runs];
    kinds = new String[runs];
    supersteps = new int[runs];
    bases = new int[runs];
    deltaBytes = new long[runs];
    snapshotBytes = new int[runs];
    stateHashes = new byte[runs][];
    contents = new byte[runs][];
    events = new byte[runs][];
    snapshots = new byte[runs][];
  }

  void add(EncodedCheckpoint encodedCheckpoint, byte[] encodedEvents) {
    numbers[size] = encodedCheckpoint.number();
    kinds[size] = encodedCheckpoint.kind().name().toLowerCase(Locale.ROOT);
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

  /// Sets the parameters of [#INSERT].
  ///
  /// @param first index of the first of them
  /// @return index of the parameter behind the last of them
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
