package dev.superstep.run.store;

import dev.superstep.run.InterruptView.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Reads the paths from the outermost runs to those that their tasks have begun (E41).
@Component
public class AncestorPaths {
  private final JdbcClient jdbc;
  private final ChildLinks links;

  AncestorPaths(JdbcClient jdbc, ChildLinks links) {
    this.jdbc = jdbc;
    this.links = links;
  }

  public ChildLinks links() {
    return links;
  }

  /// The tasks that wait for each of the runs, the outermost first; runs without a parent are
  /// absent.
  public Map<String, List<Step>> of(Collection<String> runs) {
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
              .add(new Step(row.getString("parent"), row.getString("graph"), ChildLinks.task(row)));
        });
    return paths;
  }
}
