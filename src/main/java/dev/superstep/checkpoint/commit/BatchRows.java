package dev.superstep.checkpoint.commit;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Collects the checkpoints of a batch as arrays, one per column.
final class BatchRows {
  private final long[] places;
  private final int[] numbers;
  private final String[] kinds;
  private final int[] supersteps;
  private final int[] bases;
  private final long[] deltaBytes;
  private final int[] snapshotBytes;
  private final int[] eventsBefore;
  private final int[] eventsThrough;
  private final byte[][] stateHashes;
  private final byte[][] contents;
  private final byte[][] events;
  private final byte[] @Nullable [] snapshots;

  BatchRows(List<RunBatch> runBatches) {
    int size = runBatches.stream().mapToInt(it -> it.plainCommits().size()).sum();
    places = new long[size];
    numbers = new int[size];
    kinds = new String[size];
    supersteps = new int[size];
    bases = new int[size];
    deltaBytes = new long[size];
    snapshotBytes = new int[size];
    eventsBefore = new int[size];
    eventsThrough = new int[size];
    stateHashes = new byte[size][];
    contents = new byte[size][];
    events = new byte[size][];
    snapshots = new byte[size][];
    int at = 0;
    for (int place = 0; place < runBatches.size(); place++) {
      int eventCount = 0;
      for (var plainCommit : runBatches.get(place).plainCommits()) {
        places[at] = place + 1L;
        eventsBefore[at] = eventCount;
        eventCount += plainCommit.commit().events().size();
        eventsThrough[at] = eventCount;
        fill(at++, plainCommit);
      }
    }
  }

  private void fill(int at, PlainCommit plainCommit) {
    var encodedCheckpoint = plainCommit.encodedCheckpoint();
    numbers[at] = encodedCheckpoint.number();
    kinds[at] = encodedCheckpoint.kind().name().toLowerCase(Locale.ROOT);
    supersteps[at] = encodedCheckpoint.superstep();
    bases[at] = encodedCheckpoint.replayCost().base();
    deltaBytes[at] = encodedCheckpoint.replayCost().deltaBytes();
    snapshotBytes[at] = Math.toIntExact(encodedCheckpoint.replayCost().snapshotBytes());
    stateHashes[at] = encodedCheckpoint.stateHash();
    contents[at] = encodedCheckpoint.content();
    events[at] = plainCommit.events();
    snapshots[at] = encodedCheckpoint.snapshot();
  }

  void bind(PreparedStatement statement, int first) throws SQLException {
    int at = first;
    for (var column :
        new Object[] {
          places,
          numbers,
          kinds,
          supersteps,
          bases,
          deltaBytes,
          snapshotBytes,
          eventsBefore,
          eventsThrough,
          stateHashes,
          contents,
          events,
          snapshots
        }) {
      statement.setObject(at++, column);
    }
  }
}
