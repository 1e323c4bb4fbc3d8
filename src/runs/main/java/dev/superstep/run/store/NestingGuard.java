package dev.superstep.run.store;

import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Limits the depth and number of runs of graphs that call each other (E41).
@Component
public class NestingGuard {
  private final JdbcClient jdbc;
  private final SubgraphSettings settings;

  /// @param taken whether another run than a child of this one has the id
  private record NestingLevel(int depth, int treeSize, boolean taken) {}

  NestingGuard(JdbcClient jdbc, SubgraphSettings settings) {
    this.jdbc = jdbc;
    this.settings = settings;
  }

  /// Whether `run` may begin another, of this id.
  ///
  /// @throws TaskFailedException `nesting_too_deep`, `too_many_child_runs`; `child_exists` if there
  ///   is such a run: somebody has chosen the id, which can be computed for runs without a birth id
  public void check(String run, String child) {
    var place = place(run, child);
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
    if (place.taken()) {
      throw new TaskFailedException(
          TaskError.permanent(
              "child_exists",
              "the run that this task begins would have the id '%s', and another run has it: delete"
                      .formatted(child)
                  + " that one and resume"));
    }
  }

  private NestingLevel place(String run, String child) {
    return jdbc.sql(
            """
            select coalesce(own.depth, 0),
                   (select count(*) from (
                      select from child_run as descendant
                       where descendant.root = coalesce(own.root, run.id) limit :limit) as counted),
                   exists (
                     select from run as other
                      where other.id = :child
                        and not exists (select from child_run
                                         where child_run.child = :child
                                           and child_run.parent = run.id))
              from run left join child_run as own on own.child = run.id
             where run.id = :run
            """)
        .param("run", run)
        .param("child", child)
        .param("limit", settings.runsMax())
        .query((row, _) -> new NestingLevel(row.getInt(1), row.getInt(2), row.getBoolean(3)))
        .single();
  }
}
