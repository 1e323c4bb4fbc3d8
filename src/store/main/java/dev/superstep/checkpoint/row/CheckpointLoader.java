package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.CorruptCheckpointException;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.graph.Graph;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Loads the checkpoint that a claimed run continues from, over the engine's connections: API calls
/// cannot delay it.
@Component
class CheckpointLoader {
  private final JdbcClient jdbc;

  CheckpointLoader(@Qualifier(Pools.ENGINE) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Checkpoint `number`, with the outcomes recorded since among the held ones.
  Checkpoint read(RunHeader run, int number, Graph graph) {
    var chain = chain(run.id(), number);
    if (chain.isEmpty()) {
      throw new CorruptCheckpointException(
          "run '%s' has no checkpoint %d".formatted(run.id(), number));
    }
    var last = CheckpointReplay.of(chain, graph, run.ordinal());
    var stamp = last.stamp().in(era(run.id(), last.stamp()));
    return new Checkpoint(
            stamp, last.state(), last.context(), last.pending(), last.held(), last.edits())
        .with(recorded(run.id(), last.superstep() + 1));
  }

  /// That of the commit of the superstep: a hold of the next one changes no key.
  private int era(String run, Checkpoint.Stamp last) {
    return jdbc.sql(
            """
            select lease_epoch from checkpoint
             where run = ? and number <= ? and superstep = ? and kind <> 'held'
             order by number limit 1
            """)
        .params(run, last.number(), last.superstep())
        .query(Long.class)
        .optional()
        .map(Lease::era)
        .orElse(1);
  }

  private List<CheckpointRow> chain(String run, int number) {
    return jdbc.sql(
            """
            select number, kind, superstep, committed_at, state_hash, content, snapshot
              from checkpoint
             where run = :run and number <= :number
               and number >= (select base from checkpoint where run = :run and number = :number)
             order by number
            """)
        .param("run", run)
        .param("number", number)
        .query((row, _) -> checkpointRow(row))
        .list();
  }

  private static CheckpointRow checkpointRow(ResultSet row) throws SQLException {
    return new CheckpointRow(
        row.getInt("number"),
        row.getString("kind"),
        row.getInt("superstep"),
        row.getObject("committed_at", OffsetDateTime.class).toInstant(),
        row.getBytes("state_hash"),
        row.getBytes("content"),
        row.getBytes("snapshot"));
  }

  private List<TaskRecord> recorded(String run, int superstep) {
    return jdbc.sql("select content from recorded_task where run = ? and superstep = ?")
        .params(run, superstep)
        .query((row, _) -> RecordedTaskEntity.record(row.getBytes(1), superstep))
        .list();
  }
}
