package dev.superstep.checkpoint.row;

import dev.superstep.database.Pools;
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
/// parameters are arrays, one per column: of runs, and of the checkpoints behind one another that
/// each of them gets. A checkpoint from which its driver has gone on keeps the time at which it
/// did.
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
               finished_at = case when given.goes_on then null
                                  else greatest(clock_timestamp(), given.behind) end
          from locked,
               rows from (
                 unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::timestamptz[]),
                           generate_series(1, ?))
                 as given (run, epoch, parent, number, superstep, goes_on, events, elapsed_ms,
                           passed_superstep, passed_after, passed_before, passes_cancel, behind,
                           place)
         where run.id = any(?) and run.id = locked.id and given.run = locked.id
           and lease_epoch = given.epoch and checkpoint = given.parent
           and (cancel_requested_at is null or given.passes_cancel)
        returning given.place, run.id, version, lease_epoch, event_seq, given.events,
                  coalesce(run.finished_at, greatest(clock_timestamp(), given.behind)) as at
      ), written as (
      """;

  private static final String ROWS =
      """

          from head
          join %s
            on row.place = head.place
      )
      """
          .formatted(CheckpointArrays.ROWS);

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
            "first_event", "head.event_seq - head.events + row.events_from",
            "last_event", "head.event_seq - head.events + row.events_to",
            "committed_at", "coalesce(row.continued_at, head.at)");
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
          int rows = bindHeads(statement, plainCommits);
          bindRows(statement, rows, plainCommits);
        },
        (ResultSet found) ->
            plainCommits
                .get(found.getInt(1) - 1)
                .written(found.getObject(2, OffsetDateTime.class).toInstant()));
  }

  /// @return index of the parameter behind the last
  private static int bindHeads(PreparedStatement statement, List<PlainCommit> plainCommits)
      throws SQLException {
    var runs = plainCommits.stream().map(it -> it.lease().run()).toArray(String[]::new);
    var runHeads = plainCommits.stream().map(PlainCommit::head).toList();
    var columns =
        new Object[] {
          runs,
          runs,
          plainCommits.stream().mapToLong(it -> it.lease().epoch()).toArray(),
          plainCommits.stream().mapToInt(PlainCommit::parent).toArray(),
          plainCommits.stream().mapToInt(it -> it.lastCheckpoint().number()).toArray(),
          runHeads.stream().mapToInt(RunHead::superstep).toArray(),
          flags(runHeads, it -> it.status() == RunStatus.RUNNING),
          plainCommits.stream().mapToInt(PlainCommit::events).toArray(),
          runHeads.stream().mapToLong(it -> it.elapsed().toMillis()).toArray(),
          runHeads.stream().mapToInt(it -> it.passed().superstep()).toArray(),
          flags(runHeads, it -> it.passed().after()),
          flags(runHeads, it -> it.passed().before()),
          flags(plainCommits, PlainCommit::passesCancel),
          plainCommits.stream().map(it -> it.behind().toString()).toArray(String[]::new)
        };
    int at = 1;
    for (var column : columns) {
      statement.setObject(at++, column);
    }
    statement.setInt(at++, runs.length);
    statement.setObject(at++, runs);
    return at;
  }

  private static void bindRows(
      PreparedStatement statement, int first, List<PlainCommit> plainCommits) throws SQLException {
    var rows =
        new CheckpointArrays(plainCommits.stream().mapToInt(it -> it.commits().size()).sum());
    for (int i = 0; i < plainCommits.size(); i++) {
      rows.add(i + 1, plainCommits.get(i).commits());
    }
    rows.bind(statement, first);
  }

  private static <T> boolean[] flags(List<T> items, Predicate<T> flag) {
    var flags = new boolean[items.size()];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = flag.test(items.get(i));
    }
    return flags;
  }
}
