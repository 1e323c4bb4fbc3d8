package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.TaskRecordCodec;
import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.database.Pools;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/// Lets the recorded outcomes of all runs of this replica share statements, as [GroupCommit] does
/// for supersteps, with the same joins (dev.superstep.checkpoint.row.BatchStatement).
@Component
class GroupRecord {
  private static final Logger log = LoggerFactory.getLogger(GroupRecord.class);
  private static final String HEADS =
      """
      with locked as materialized (
        select id from run where id = any(?) order by id for update skip locked
      ), head as (
        update run
           set driver_writes = driver_writes + 1,
               takeovers = 0
          from locked,
               rows from (unnest(?, ?, ?), generate_series(1, ?))
                 as given (run, epoch, behind, place)
         where run.id = any(?) and run.id = locked.id and given.run = locked.id
           and lease_epoch = given.epoch
           and (given.behind < 0
                or given.behind = (select checkpoint.superstep from checkpoint
                                    where checkpoint.run = run.id
                                      and checkpoint.number = run.checkpoint))
        returning given.place, run.id, lease_epoch, clock_timestamp() as at
      ), kept as (
      """;

  private static final String OUTCOMES =
      """
      head
      join rows from (unnest(?, ?, ?, ?, ?), generate_series(1, ?))
             as outcome (place, superstep, task, generation, content, line)
        on outcome.place = head.place\
      """;

  private final JdbcTemplate jdbc;
  private final String sql;
  private final WriteBatcher<OutcomeBatch> writeBatcher;

  public GroupRecord(
      @Qualifier(Pools.COMMITS) DataSource pool, OutcomeColumns columns, StoreSettings settings) {
    jdbc = new JdbcTemplate(pool);
    var shared = new OutcomeColumns.Shared("head.id", "head.lease_epoch", "head.at");
    sql =
        HEADS
            + columns.insert(shared, OUTCOMES, OutcomeColumns.NEWEST_WINS)
            + ") select place from head";
    writeBatcher = new WriteBatcher<>(settings.batch().bounds().withWriters(1), this::write);
  }

  /// @return false if the caller must record them in a statement of its own
  public boolean write(OutcomeBatch outcomeBatch) {
    writeBatcher.write(outcomeBatch);
    return outcomeBatch.isWritten();
  }

  private void write(List<OutcomeBatch> batch) {
    try {
      jdbc.query(
          sql,
          statement -> bind(statement, batch),
          (ResultSet found) -> batch.get(found.getInt(1) - 1).written());
    } catch (DataAccessException e) {
      log.debug("outcomes of {} runs are recorded one by one", batch.size(), e);
    }
  }

  private static void bind(PreparedStatement statement, List<OutcomeBatch> batch)
      throws SQLException {
    var runs = batch.stream().map(it -> it.lease().run()).toArray(String[]::new);
    statement.setObject(1, runs);
    statement.setObject(2, runs);
    statement.setObject(3, batch.stream().mapToLong(it -> it.lease().epoch()).toArray());
    statement.setObject(
        4, batch.stream().mapToInt(it -> OutcomeBatch.behind(it.records())).toArray());
    statement.setInt(5, runs.length);
    statement.setObject(6, runs);
    int size = batch.stream().mapToInt(it -> it.records().size()).sum();
    var places = new int[size];
    var supersteps = new int[size];
    var tasks = new String[size];
    var generations = new int[size];
    var contents = new byte[size][];
    int at = 0;
    for (int place = 0; place < batch.size(); place++) {
      var outcomeBatch = batch.get(place);
      for (int i = 0; i < outcomeBatch.records().size(); i++, at++) {
        var record = outcomeBatch.records().get(i);
        places[at] = place + 1;
        supersteps[at] = record.key().superstep();
        tasks[at] = TaskRecordCodec.key(record.key());
        generations[at] = record.generation();
        contents[at] = outcomeBatch.content(i);
      }
    }
    int column = 7;
    for (var values : new Object[] {places, supersteps, tasks, generations, contents}) {
      statement.setObject(column++, values);
    }
    statement.setInt(column, size);
  }
}
