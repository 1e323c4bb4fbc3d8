package dev.superstep.checkpoint;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The checkpoints of a batch as columns.
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

  BatchRows(List<Strand> strands) {
    int size = strands.stream().mapToInt(it -> it.steps().size()).sum();
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
    for (int place = 0; place < strands.size(); place++) {
      int told = 0;
      for (var step : strands.get(place).steps()) {
        places[at] = place + 1L;
        eventsBefore[at] = told;
        told += step.commit().events().size();
        eventsThrough[at] = told;
        fill(at++, step);
      }
    }
  }

  private void fill(int at, Step step) {
    var row = step.row();
    numbers[at] = row.number();
    kinds[at] = row.kind().name().toLowerCase(Locale.ROOT);
    supersteps[at] = row.superstep();
    bases[at] = row.weight().base();
    deltaBytes[at] = row.weight().deltaBytes();
    snapshotBytes[at] = Math.toIntExact(row.weight().snapshotBytes());
    stateHashes[at] = row.stateHash();
    contents[at] = row.content();
    events[at] = step.events();
    snapshots[at] = row.snapshot();
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
