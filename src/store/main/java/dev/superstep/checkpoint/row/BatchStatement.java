package dev.superstep.checkpoint.row;

import dev.superstep.database.GivenColumns;
import dev.superstep.database.GivenColumns.Column;
import dev.superstep.database.GivenColumns.SqlType;
import dev.superstep.database.Pools;
import dev.superstep.engine.run.RunStatus;
import jakarta.persistence.EntityManagerFactory;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/// Writes plain commits of many runs in one statement, which is its own transaction. It skips runs
/// that the fence refuses or another transaction has locked: it never waits for one run while
/// others could be written. A commit that was skipped waits in a statement for itself. The text has
/// variants, with and without outcomes to remove, so that the server keeps its plans, and its
/// parameters are arrays, one per column: of runs, and of the checkpoints behind one another that
/// each of them gets. A commit that is alone in its statement is given as plain values: arrays and
/// their joins cost it half as much again. A checkpoint from which its driver has gone on keeps the
/// time at which it did.
///
/// A kept plan does not know how long the arrays are: PostgreSQL estimates ten rows for `unnest`,
/// for which comparing each row with each is cheapest, and a thousand for the `generate_series`
/// beside it, which makes it join by a hash table. Nor does it know how large the tables will be:
/// made while `run` is small, it would read all of `run` into that hash table. The condition
/// `run.id = any (the runs of the batch)` beside the join makes it look up those alone.
@Component
class BatchStatement {
  private static final GivenColumns<PlainCommit> GIVEN =
      new GivenColumns<>(
          List.of(
              new Column<>("run", SqlType.TEXT, it -> it.lease().run()),
              new Column<>("epoch", SqlType.BIGINT, it -> it.lease().epoch()),
              new Column<>("parent", SqlType.INTEGER, PlainCommit::parent),
              new Column<>("number", SqlType.INTEGER, it -> it.lastCheckpoint().number()),
              new Column<>("superstep", SqlType.INTEGER, it -> it.head().superstep()),
              new Column<>(
                  "goes_on", SqlType.BOOLEAN, it -> it.head().status() == RunStatus.RUNNING),
              new Column<>("events", SqlType.INTEGER, PlainCommit::events),
              new Column<>("elapsed_ms", SqlType.BIGINT, it -> it.head().elapsed().toMillis()),
              new Column<>(
                  "passed_superstep", SqlType.INTEGER, it -> it.head().passed().superstep()),
              new Column<>("passed_after", SqlType.BOOLEAN, it -> it.head().passed().after()),
              new Column<>("passed_before", SqlType.BOOLEAN, it -> it.head().passed().before()),
              new Column<>("passes_cancel", SqlType.BOOLEAN, PlainCommit::passesCancel),
              new Column<>("heeds_pause", SqlType.BOOLEAN, PlainCommit::heedsPause),
              new Column<>("answers_needed", SqlType.INTEGER, PlainCommit::answersNeeded),
              new Column<>("behind", SqlType.TIME, it -> it.behind().toString())));

  private static final String LOCK =
      """
      with locked as materialized (
        select id from run where id = %s for %s
      ),\
      """;

  private static final String UPDATE =
      """
       head as (
        update run
           set checkpoint = given.number,
               superstep = given.superstep,
               status = case when given.goes_on then 'running' else 'succeeded' end,
               owner = case when given.goes_on then owner end,
               event_seq = event_seq + given.events,
               driver_writes = driver_writes + 1,
               takeovers = 0,
               wakes_at = null,
               elapsed_ms = given.elapsed_ms,
               passed_superstep = given.passed_superstep,
               passed_after = given.passed_after,
               passed_before = given.passed_before,
               breakpoint = null,
               error = null,
               error_code = null,
               finished_at = case when given.goes_on then null
                                  else greatest(clock_timestamp(), given.behind) end
          from \
      """;

  private static final String FENCE =
      """

           and lease_epoch = given.epoch and checkpoint = given.parent
           and (cancel_requested_at is null or given.passes_cancel)
           and (pause_superstep is null or not given.heeds_pause
                or given.superstep < pause_superstep)
           and (given.answers_needed is null or answers = given.answers_needed)
        returning given.place, run.id, version, lease_epoch, event_seq, given.events,
                  coalesce(run.finished_at, greatest(clock_timestamp(), given.behind)) as at
      ), written as (
      """;

  private static final String MANY =
      """
      locked,
               rows from (unnest(%s), generate_series(1, ?)) as given (%s, place)
         where run.id = any(?) and run.id = locked.id and given.run = locked.id\
      """
          .formatted(GIVEN.arrays(), GIVEN.names());

  private static final String ONE =
      """
      locked, (values (%s, 1)) as given (%s, place)
         where run.id = locked.id and given.run = locked.id\
      """
          .formatted(GIVEN.scalars(), GIVEN.names());

  private static final String INCLUDE =
      """
      , included as (
        delete from recorded_task as recorded using head where recorded.run = head.id
      )
      """;

  private static final String RETURN = " select place, at from head";

  private final JdbcTemplate jdbc;
  private final Text many;
  private final Text chain;
  private final Text lone;

  /// @param skipping what another transaction has locked
  /// @param waiting for it
  private record Text(String skipping, String waiting) {
    static Text of(String locked, String given, String inserted) {
      var rest = UPDATE + given + FENCE + inserted + "\n)";
      return new Text(
          LOCK.formatted(locked, "update skip locked") + rest,
          LOCK.formatted(locked, "no key update") + rest);
    }
  }

  public BatchStatement(@Qualifier(Pools.COMMITS) DataSource pool, EntityManagerFactory entities) {
    this.jdbc = new JdbcTemplate(pool);
    var others =
        Map.of(
            "run", "head.id",
            "version", "head.version",
            "lease_epoch", "head.lease_epoch",
            "first_event", "head.event_seq - head.events + row.events_from",
            "last_event", "head.event_seq - head.events + row.events_to",
            "committed_at", CheckpointArrays.committedAt("head.at"));
    var insert = CheckpointArrays.insert(entities, others);
    var rows =
        "%s%nfrom head join %s on row.place = head.place".formatted(insert, CheckpointArrays.ROWS);
    var row = "%s%nfrom head, %s".formatted(insert, CheckpointArrays.ROW);
    this.many = Text.of("any(?) order by id", MANY, rows);
    this.chain = Text.of("?", ONE, rows);
    this.lone = Text.of("?", ONE, row);
  }

  /// Sets the time of each commit that was written; the rest have changed nothing.
  public void execute(List<PlainCommit> plainCommits) {
    execute(plainCommits, Text::skipping);
  }

  /// Waits for the transaction that has locked the run. Without a result, the fence has refused it.
  void executeWaiting(PlainCommit plainCommit) {
    execute(List.of(plainCommit), Text::waiting);
  }

  private void execute(List<PlainCommit> plainCommits, Function<Text, String> text) {
    var write = text.apply(text(plainCommits));
    jdbc.query(
        plainCommits.stream().anyMatch(PlainCommit::includesOutcomes)
            ? write + INCLUDE + RETURN
            : write + RETURN,
        statement -> bindRows(statement, bindRuns(statement, plainCommits), plainCommits),
        (ResultSet found) ->
            plainCommits
                .get(found.getInt(1) - 1)
                .written(found.getObject(2, OffsetDateTime.class).toInstant()));
  }

  private Text text(List<PlainCommit> plainCommits) {
    if (isLone(plainCommits)) {
      return lone;
    }
    return plainCommits.size() == 1 ? chain : many;
  }

  /// @return index of the parameter behind the last
  private static int bindRuns(PreparedStatement statement, List<PlainCommit> plainCommits)
      throws SQLException {
    if (plainCommits.size() == 1) {
      statement.setString(1, plainCommits.getFirst().lease().run());
      return GIVEN.bindOne(statement, 2, plainCommits.getFirst());
    }
    var runs = plainCommits.stream().map(it -> it.lease().run()).toArray(String[]::new);
    statement.setObject(1, runs);
    int at = GIVEN.bind(statement, 2, plainCommits);
    statement.setInt(at++, runs.length);
    statement.setObject(at++, runs);
    return at;
  }

  private static void bindRows(
      PreparedStatement statement, int first, List<PlainCommit> plainCommits) throws SQLException {
    var rows = new CheckpointArrays();
    for (int i = 0; i < plainCommits.size(); i++) {
      rows.add(i + 1, plainCommits.get(i).commits());
    }
    if (isLone(plainCommits)) {
      rows.bindOne(statement, first);
    } else {
      rows.bind(statement, first);
    }
  }

  private static boolean isLone(List<PlainCommit> plainCommits) {
    return plainCommits.size() == 1 && plainCommits.getFirst().commits().size() == 1;
  }
}
