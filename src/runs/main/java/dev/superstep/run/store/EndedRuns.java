package dev.superstep.run.store;

import dev.superstep.checkpoint.row.StoredStatus;
import dev.superstep.engine.run.RunStatus;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Lists runs that have ended, from the index `run_ended`.
@Component
class EndedRuns {
  /// `finished_at` is compared, so that it is not null, as the index wants it.
  static final String LIST =
      """
      select id, finished_at,
             checkpoint + 1 + (select count(*) from child_run where root = run.id) as weight,
             exists (select from child_run where child = run.id) as child
        from run
       where graph = :graph and status = :status
         and finished_at < clock_timestamp() - make_interval(secs => :age)
         and (finished_at, id) > (:after, :last)
       order by finished_at, id limit :limit
      """;

  private final JdbcClient jdbc;

  EndedRuns(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// A place in the list of the runs of one graph and status.
  record EndedPosition(OffsetDateTime finishedAt, String run) {
    static final EndedPosition START =
        new EndedPosition(OffsetDateTime.of(1970, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC), "");
  }

  /// @param child begun by a task of another run
  /// @param weight rows that it is made of, about, and runs that it has begun, which go with it
  record EndedRun(EndedPosition place, boolean child, int weight) {
    String id() {
      return place.run();
    }
  }

  /// The graphs that have runs which have ended: a probe of the index for each, however many runs
  /// they have.
  List<String> graphs() {
    return jdbc.sql(
            """
            with recursive found (graph) as (
              (select graph from run where finished_at is not null order by graph limit 1)
              union all
              select (select run.graph from run
                       where run.finished_at is not null and run.graph > found.graph
                       order by run.graph limit 1)
                from found where found.graph is not null
            )
            select graph from found where graph is not null
            """)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// Runs that ended at least so long ago, the first to end first.
  List<EndedRun> list(
      String graph, RunStatus status, Duration age, EndedPosition after, int limit) {
    return jdbc.sql(LIST)
        .param("graph", graph)
        .param("status", StoredStatus.apiName(status))
        .param("age", age.toMillis() / 1000.0)
        .param("after", after.finishedAt())
        .param("last", after.run())
        .param("limit", limit)
        .query((row, _) ->
            new EndedRun(
                new EndedPosition(
                    row.getObject("finished_at", OffsetDateTime.class), row.getString("id")),
                row.getBoolean("child"),
                row.getInt("weight")))
        .list();
  }
}
