package dev.superstep.run.family;

import dev.superstep.engine.task.TaskError;
import dev.superstep.engine.task.TaskFailedException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Limits the depth and number of runs of graphs that call each other (E41).
@Component
public class NestingGuard {
  private final JdbcClient jdbc;
  private final SubgraphSettings settings;

  private record Place(int depth, int treeSize) {}

  NestingGuard(JdbcClient jdbc, SubgraphSettings settings) {
    this.jdbc = jdbc;
    this.settings = settings;
  }

  /// Whether `run` may begin another.
  ///
  /// @throws TaskFailedException `nesting_too_deep`, `too_many_child_runs`
  public void check(String run) {
    var place = place(run);
    if (place.depth() >= settings.nestingMax()) {
      throw new TaskFailedException(
          TaskError.permanent(
              "nesting_too_deep",
              "runs may nest %d deep; does a graph call itself without end? See"
                      .formatted(settings.nestingMax())
                  + " superstep.subgraphs.nesting-max"));
    }
    if (place.treeSize() >= settings.runsMax()) {
      throw new TaskFailedException(
          TaskError.permanent(
              "too_many_child_runs",
              "%d runs were begun below the outermost one; see superstep.subgraphs.runs-max"
                  .formatted(place.treeSize())));
    }
  }

  private Place place(String run) {
    return jdbc.sql(
            """
            select coalesce(own.depth, 0),
                   (select count(*) from (
                      select from child_run as kin
                       where kin.root = coalesce(own.root, run.id) limit :limit) as counted)
              from run left join child_run as own on own.child = run.id
             where run.id = :run
            """)
        .param("run", run)
        .param("limit", settings.runsMax())
        .query((row, _) -> new Place(row.getInt(1), row.getInt(2)))
        .single();
  }
}
