package dev.superstep.checkpoint.row;

import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import jakarta.persistence.EntityManagerFactory;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/// Writes plain commits of many runs in one statement, which is its own transaction. It skips runs
/// that the fence refuses or another transaction has locked: it never waits for one run while
/// others could be written. A commit that was skipped waits in a statement for itself. The text has
/// variants, with and without outcomes to remove, so that the server keeps its plans, and its
/// parameters are arrays, one per column.
///
/// A kept plan does not know how long the arrays are: PostgreSQL estimates ten rows for `unnest`,
/// for which comparing each row with each is cheapest, and a thousand for the `generate_series`
/// beside it, which makes it join by a hash table. Nor does it know how large the tables will be:
/// made while `run` is small, it would read all of `run` into that hash table. The condition
/// `run.id = any (the runs of the batch)` beside the join makes it look up those alone.
@Component
class BatchStatement {
  private static final String HEADS =
      """
      with locked as materialized (
        select id from run where id = any(?) order by id for %s
      ), head as (
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
               finished_at = case when given.goes_on then null else clock_timestamp() end
          from locked,
               rows from (
                 unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?), generate_series(1, ?))
                 as given (run, epoch, parent, number, superstep, goes_on, events, elapsed_ms,
                           passed_superstep, passed_after, passed_before, passes_cancel, place)
         where run.id = any(?) and run.id = locked.id and given.run = locked.id
           and lease_epoch = given.epoch and checkpoint = given.parent
           and (cancel_requested_at is null or given.passes_cancel)
        returning given.place, run.id, version, lease_epoch, event_seq, given.events,
                  coalesce(run.finished_at, clock_timestamp()) as at
      ), written as (
      """;

  private static final String ROWS =
      """

          from head
          join rows from (unnest(%s), generate_series(1, ?)) as row (%s, place)
            on row.place = head.place
      )
      """
          .formatted(CheckpointArrays.PARAMETERS, CheckpointArrays.NAMES);

  private static final String INCLUDE =
      """
      , included as (
        delete from recorded_task as recorded using head where recorded.run = head.id
      )
      """;

  private static final String RETURN = " select place, at from head";

  private final JdbcTemplate jdbc;
  private final String skipping;
  private final String waiting;

  public BatchStatement(@Qualifier(Pools.COMMITS) DataSource pool, EntityManagerFactory entities) {
    this.jdbc = new JdbcTemplate(pool);
    var others =
        Map.of(
            "run", "head.id",
            "version", "head.version",
            "lease_epoch", "head.lease_epoch",
            "first_event", "head.event_seq - head.events + 1",
            "last_event", "head.event_seq",
            "committed_at", "head.at");
    var rows = CheckpointArrays.insert(entities, others) + ROWS;
    this.skipping = HEADS.formatted("update skip locked") + rows;
    this.waiting = HEADS.formatted("no key update") + rows;
  }

  /// Sets the time of each commit that was written; the rest have changed nothing.
  public void execute(List<PlainCommit> plainCommits) {
    execute(skipping, plainCommits);
  }

  /// Waits for the transaction that has locked the run. Without a result, the fence has refused it.
  void executeWaiting(PlainCommit plainCommit) {
    execute(waiting, List.of(plainCommit));
  }

  private void execute(String write, List<PlainCommit> plainCommits) {
    jdbc.query(
        plainCommits.stream().anyMatch(PlainCommit::includesOutcomes)
            ? write + INCLUDE + RETURN
            : write + RETURN,
        statement -> {
          bindHeads(statement, plainCommits);
          bindRows(statement, plainCommits);
        },
        (ResultSet found) ->
            plainCommits
                .get(found.getInt(1) - 1)
                .written(found.getObject(2, OffsetDateTime.class).toInstant()));
  }

  private static void bindHeads(PreparedStatement statement, List<PlainCommit> plainCommits)
      throws SQLException {
    var runs = plainCommits.stream().map(it -> it.lease().run()).toArray(String[]::new);
    var commits = plainCommits.stream().map(PlainCommit::commit).toList();
    var runHeads = commits.stream().map(Commit::head).toList();
    statement.setObject(1, runs);
    statement.setObject(2, runs);
    statement.setObject(3, plainCommits.stream().mapToLong(it -> it.lease().epoch()).toArray());
    statement.setObject(4, commits.stream().mapToInt(Commit::parent).toArray());
    statement.setObject(
        5, plainCommits.stream().mapToInt(it -> it.encodedCheckpoint().number()).toArray());
    statement.setObject(6, runHeads.stream().mapToInt(RunHead::superstep).toArray());
    statement.setObject(7, flags(runHeads, it -> it.status() == RunStatus.RUNNING));
    statement.setObject(8, commits.stream().mapToInt(it -> it.events().size()).toArray());
    statement.setObject(9, runHeads.stream().mapToLong(it -> it.elapsed().toMillis()).toArray());
    statement.setObject(10, runHeads.stream().mapToInt(it -> it.passed().superstep()).toArray());
    statement.setObject(11, flags(runHeads, it -> it.passed().after()));
    statement.setObject(12, flags(runHeads, it -> it.passed().before()));
    statement.setObject(13, flags(plainCommits, PlainCommit::passesCancel));
    statement.setInt(14, runs.length);
    statement.setObject(15, runs);
  }

  private static void bindRows(PreparedStatement statement, List<PlainCommit> plainCommits)
      throws SQLException {
    var rows = new CheckpointArrays(plainCommits.size());
    plainCommits.forEach(it -> rows.add(it.encodedCheckpoint(), it.encodedEvents()));
    statement.setInt(rows.bind(statement, 16), plainCommits.size());
  }

  private static <T> boolean[] flags(List<T> items, Predicate<T> flag) {
    var flags = new boolean[items.size()];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = flag.test(items.get(i));
    }
    return flags;
  }
}
