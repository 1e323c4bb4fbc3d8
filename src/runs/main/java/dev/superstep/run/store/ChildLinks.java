package dev.superstep.run.store;

import dev.superstep.checkpoint.StoredInterrupt.Step;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Stores which task of which run has begun a run (E41).
@Component
public class ChildLinks {
  private final ChildRunRows rows;
  private final JdbcClient jdbc;

  ChildLinks(ChildRunRows rows, JdbcClient jdbc) {
    this.rows = rows;
    this.jdbc = jdbc;
  }

  /// @param task of the parent, which waits
  /// @param wakesBelow its success wakes the parent when at most that many of its node still move
  public record Link(String child, String parent, TaskKey task, int wakesBelow) {}

  /// @param event seq of its last event
  public record ChildStanding(RunStatus status, long event) {}

  public Optional<Link> find(String child) {
    return rows.findById(child).map(ChildRunEntity::link);
  }

  private static TaskKey task(ResultSet row) throws SQLException {
    return new TaskKey(
        row.getInt("superstep"), new NodeId(row.getString("node")), row.getString("dispatch_id"));
  }

  /// The run's parent, its parent and so on, the outermost first.
  List<String> ancestors(String run) {
    return jdbc.sql(
            """
            with recursive line as (
              select parent, 1 as distance from child_run where child = ?
              union all
              select above.parent, line.distance + 1
                from line join child_run as above on above.child = line.parent
            )
            select line.parent from line join run on run.id = line.parent
             order by line.distance desc
            """)
        .param(run)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// The paths from the outermost runs to these: the tasks that wait for each of them, the
  /// outermost first. Runs without a parent are absent.
  public Map<String, List<Step>> paths(Collection<String> runs) {
    var paths = new HashMap<String, List<Step>>();
    if (runs.isEmpty()) {
      return paths;
    }
    jdbc.sql(
            """
            with recursive line as (
              select child as run, parent, superstep, node, dispatch_id, depth
                from child_run where child = any(?::text[])
              union all
              select line.run, above.parent, above.superstep, above.node, above.dispatch_id,
                     above.depth
                from line join child_run as above on above.child = line.parent
            )
            select line.run, line.parent, run.graph, line.superstep, line.node, line.dispatch_id
              from line join run on run.id = line.parent
             order by line.depth
            """)
        .param(runs.toArray(String[]::new))
        .query(row -> {
          paths
              .computeIfAbsent(row.getString("run"), _ -> new ArrayList<>())
              .add(new Step(row.getString("parent"), row.getString("graph"), task(row)));
        });
    return paths;
  }

  /// The run's children, their children and so on; parents first.
  public List<String> descendants(String run) {
    return jdbc.sql(
            """
            with recursive tree as (
              select child, depth from child_run where parent = ?
              union all
              select below.child, below.depth
                from tree join child_run as below on below.parent = tree.child
            )
            select child from tree order by depth, child
            """)
        .param(run)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// The same of the children that tasks of a superstep have begun: no others move.
  public List<String> descendants(String run, int superstep) {
    return jdbc.sql(
            """
            with recursive tree as (
              select child, depth from child_run where parent = ? and superstep = ?
              union all
              select below.child, below.depth
                from tree join child_run as below on below.parent = tree.child
            )
            select child from tree order by depth, child
            """)
        .params(run, superstep)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// The last child of each task that has begun one.
  public Map<TaskKey, String> lastOf(String parent) {
    return lastOf(parent, 0, Integer.MAX_VALUE);
  }

  /// The last child of each task of this superstep that has begun one.
  public Map<TaskKey, String> lastOf(String parent, int superstep) {
    return lastOf(parent, superstep, superstep);
  }

  private Map<TaskKey, String> lastOf(String parent, int first, int until) {
    var last = new HashMap<TaskKey, String>();
    jdbc.sql(
            """
            select child, superstep, node, dispatch_id
              from child_run where parent = ? and superstep between ? and ? order by number
            """)
        .params(parent, first, until)
        .query(row -> {
          last.put(task(row), row.getString("child"));
        });
    return last;
  }

  public ChildStanding standing(String child) {
    return jdbc.sql("select status, event_seq from run where id = ?")
        .param(child)
        .query((row, _) ->
            new ChildStanding(
                RunStatus.valueOf(row.getString(1).toUpperCase(Locale.ROOT)), row.getLong(2)))
        .single();
  }

  /// How many children of this node in this superstep proceed without input, up to `limit`.
  public int moving(String parent, TaskKey task, int limit) {
    return jdbc.sql(
            """
            select count(*) from (
              select from child_run join run on run.id = child_run.child
               where child_run.parent = ? and child_run.superstep = ? and child_run.node = ?
                 and run.status in ('queued', 'running', 'waiting', 'cancelling')
               limit ?) as counted
            """)
        .params(parent, task.superstep(), task.node().value(), limit)
        .query((row, _) -> row.getInt(1))
        .single();
  }

  /// Records that the parent was notified of the child's events up to `event`.
  public void recordNotified(String child, ChildStanding standing) {
    rows.recordNotified(child, standing.event(), !standing.status().active());
  }

  /// Records that the child proceeds: its parent will have to be notified again.
  public void recordProceeding(String child) {
    rows.recordProceeding(child);
  }

  public void giveUp(String child) {
    rows.giveUp(child);
  }

  /// Up to `limit` children at rest whose parents were not notified.
  public List<String> withUnnotifiedParent(int limit) {
    return jdbc.sql(
            """
            select child_run.child
              from child_run join run on run.id = child_run.child
             where not child_run.settled and run.owner is null
               and run.status in ('succeeded', 'failed', 'cancelled', 'interrupted')
               and run.event_seq > child_run.told_seq
             order by child_run.child limit ?
            """)
        .param(limit)
        .query((row, _) -> row.getString(1))
        .list();
  }
}
