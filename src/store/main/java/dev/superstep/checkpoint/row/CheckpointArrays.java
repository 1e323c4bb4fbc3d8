package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.CheckpointLink;
import dev.superstep.database.EntityColumns;
import dev.superstep.database.GivenColumns;
import dev.superstep.database.GivenColumns.Column;
import dev.superstep.database.GivenColumns.SqlType;
import jakarta.persistence.EntityManagerFactory;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Checkpoints as parameters of the statements that insert those of many runs, or one. Columns that
/// are not given come from the runs' heads.
public final class CheckpointArrays {
  private static final List<Column<Row>> INSERTED =
      List.of(
          new Column<>("number", SqlType.INTEGER, it -> it.checkpoint().number()),
          new Column<>("kind", SqlType.TEXT, it -> it.checkpoint().storedKind()),
          new Column<>("superstep", SqlType.INTEGER, it -> it.checkpoint().superstep()),
          new Column<>("base", SqlType.INTEGER, it -> it.checkpoint().replayCost().base()),
          new Column<>(
              "delta_bytes", SqlType.BIGINT, it -> it.checkpoint().replayCost().deltaBytes()),
          new Column<>(
              "snapshot_bytes",
              SqlType.INTEGER,
              it -> Math.toIntExact(it.checkpoint().replayCost().snapshotBytes())),
          new Column<>("state_hash", SqlType.BYTES, it -> it.checkpoint().stateHash()),
          new Column<>("content", SqlType.BYTES, it -> it.checkpoint().content()),
          new Column<>("events", SqlType.BYTES, it -> it.checkpoint().events()),
          new Column<>("snapshot", SqlType.BYTES, it -> it.checkpoint().snapshot()),
          new Column<>("link", SqlType.BYTES, it -> it.checkpoint().link()));

  private static final GivenColumns<Row> GIVEN =
      new GivenColumns<>(
          Stream.of(
                  INSERTED,
                  List.of(
                      new Column<Row>("place", SqlType.INTEGER, Row::place),
                      new Column<Row>("events_from", SqlType.INTEGER, Row::eventsFrom),
                      new Column<Row>("events_to", SqlType.INTEGER, Row::eventsTo),
                      new Column<Row>("continued_us", SqlType.BIGINT, Row::continuedMicros)))
              .flatMap(List::stream)
              .toList());

  /// Their rows: besides the columns, the `place` of the run, counted from 1, the first and the
  /// last of the run's events in this statement that are the checkpoint's, counted from 1, and when
  /// its driver went on from it, in microseconds, which cost less than a text of each; null if it
  /// waits. `line` has each statement planned for many rows.
  public static final String ROWS =
      "rows from (unnest(%s), generate_series(1, ?)) as row (%s, line)"
          .formatted(GIVEN.arrays(), GIVEN.names());

  /// One row, of the run in place 1.
  static final String ROW = "(values (%s)) as row (%s)".formatted(GIVEN.scalars(), GIVEN.names());

  private final List<Row> rows = new ArrayList<>();

  private record Row(int place, int eventsFrom, int eventsTo, EncodedCommit commit) {
    EncodedCheckpoint checkpoint() {
      return commit.checkpoint();
    }

    @Nullable Long continuedMicros() {
      return commit
          .continuedAt()
          .map(it -> ChronoUnit.MICROS.between(Instant.EPOCH, it))
          .orElse(null);
    }
  }

  /// `insert into checkpoint (…) select …`, to be continued with a `from` in which `row` has the
  /// columns of [#ROWS] or [#ROW].
  ///
  /// @param others SQL expressions of the other columns, but the seal
  public static String insert(EntityManagerFactory entities, Map<String, String> others) {
    var values = new HashMap<>(others);
    values.put("seal", CheckpointLink.seal("row.link", others));
    INSERTED.forEach(it -> values.put(it.name(), "row." + it.name()));
    return EntityColumns.of(entities, CheckpointEntity.class).insertSelect(values);
  }

  /// The time of a checkpoint.
  ///
  /// @param waiting SQL expression of the time of those that nobody has gone on from
  static String committedAt(String waiting) {
    return "coalesce(to_timestamp(row.continued_us / 1000000::float8), %s)".formatted(waiting);
  }

  /// Adds the checkpoints of one run, each behind the one before.
  public void add(int place, List<EncodedCommit> commits) {
    int before = 0;
    for (var commit : commits) {
      int to = before + commit.eventCount();
      rows.add(new Row(place, before + 1, to, commit));
      before = to;
    }
  }

  /// Sets the parameters of [#ROWS].
  ///
  /// @param first index of the first parameter
  /// @return index of the parameter behind the last
  public int bind(PreparedStatement statement, int first) throws SQLException {
    int at = GIVEN.bind(statement, first, rows);
    statement.setInt(at++, rows.size());
    return at;
  }

  /// Sets the parameters of [#ROW].
  ///
  /// @param first index of the first parameter
  void bindOne(PreparedStatement statement, int first) throws SQLException {
    GIVEN.bindOne(statement, first, rows.getFirst());
  }
}
