package dev.superstep.checkpoint;

import dev.superstep.database.Pools;
import dev.superstep.engine.Lease;
import dev.superstep.engine.LeaseLostException;
import dev.superstep.engine.News;
import dev.superstep.engine.RunStatus;
import dev.superstep.engine.TaskKey;
import dev.superstep.graph.NodeId;
import java.util.List;
import java.util.Locale;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Reads what API calls have left for a driver.
@Component
class NewsReader {
  private final JdbcClient jdbc;

  /// @param open the superstep whose tasks are not committed
  private record Standing(int answers, boolean cancelRequested, int open) {}

  NewsReader(@Qualifier(Pools.ENGINE) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// The count is read before the answers: what is counted is among them.
  News read(Lease lease) {
    var standing = standing(lease);
    if (standing.answers() == 0) {
      return new News(List.of(), List.of(), 0, standing.cancelRequested());
    }
    return new News(
        answers(lease.run(), standing.open()),
        resolutions(lease.run(), standing.open()),
        children(lease.run(), standing.open()),
        standing.answers(),
        standing.cancelRequested());
  }

  private Standing standing(Lease lease) {
    return jdbc.sql(
            """
            select run.answers, run.cancel_requested_at is not null as cancel_requested,
                   checkpoint.superstep + 1 as open
              from run
              join checkpoint on checkpoint.run = run.id and checkpoint.number = run.checkpoint
             where run.id = ? and run.lease_epoch = ?
            """)
        .params(lease.run(), lease.epoch())
        .query((row, _) ->
            new Standing(
                row.getInt("answers"), row.getBoolean("cancel_requested"), row.getInt("open")))
        .optional()
        .orElseThrow(() -> new LeaseLostException(lease));
  }

  private List<News.Answer> answers(String run, int superstep) {
    return jdbc.sql(
            """
            select id, answer
              from interrupt
             where run = ? and superstep = ? and status = 'answered'
             order by closed_at, id
            """)
        .params(run, superstep)
        .query((row, _) -> new News.Answer(row.getString(1), Stored.value(row.getBytes(2))))
        .list();
  }

  private List<News.Child> children(String run, int superstep) {
    return jdbc.sql(
            """
            select child_run.child, run.status, child_run.given_up
              from child_run
              join run on run.id = child_run.child
             where child_run.parent = ? and child_run.superstep = ?
            """)
        .params(run, superstep)
        .query((row, _) ->
            new News.Child(
                row.getString(1),
                RunStatus.valueOf(row.getString(2).toUpperCase(Locale.ROOT)),
                row.getBoolean(3)))
        .list();
  }

  private List<News.Resolution> resolutions(String run, int superstep) {
    return jdbc.sql(
            """
            select node, dispatch_id, change
              from resolution
             where run = ? and superstep = ?
             order by created_at, task
            """)
        .params(run, superstep)
        .query((row, _) -> {
          var node = new NodeId(row.getString("node"));
          var task = new TaskKey(superstep, node, row.getString("dispatch_id"));
          return new News.Resolution(task, ChangeCodec.read(row.getBytes("change")));
        })
        .list();
  }
}
