package dev.superstep.checkpoint;

import dev.superstep.engine.Checkpoint;
import dev.superstep.engine.RunHeader;
import dev.superstep.engine.TaskKey;
import dev.superstep.engine.TaskRecord;
import dev.superstep.graph.Graph;
import dev.superstep.state.GraphState;
import dev.superstep.state.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The invariants that need more than SQL: I8 and I9.
public final class InvariantFolds {
  private final JdbcClient jdbc;
  private final Checkpoints checkpoints;

  public InvariantFolds(JdbcClient jdbc, Checkpoints checkpoints) {
    this.jdbc = jdbc;
    this.checkpoints = checkpoints;
  }

  /// I9: folding all deltas from the first checkpoint, over later snapshots, gives the stored state
  /// hash at every checkpoint; and so does the way that readers take.
  public List<String> foldViolations(RunHeader run, Graph graph) {
    var chain = chain(run.id());
    var violations = new ArrayList<String>();
    for (int last = 0; last < chain.size(); last++) {
      try {
        Rebuild.of(chain.subList(0, last + 1), graph, run.ordinal());
        checkpoints.rebuild(run, last, graph);
      } catch (CorruptCheckpointException e) {
        violations.add("I9 %s: %s".formatted(run.id(), e.getMessage()));
      }
    }
    return violations;
  }

  private List<Link> chain(String run) {
    return jdbc.sql(
            """
            select number, kind, superstep, committed_at, state_hash, content,
                   case when number = 0 then snapshot end as snapshot
              from checkpoint
             where run = ?
             order by number
            """)
        .param(run)
        .query((row, _) ->
            new Link(
                row.getInt("number"),
                row.getString("kind"),
                row.getInt("superstep"),
                row.getTimestamp("committed_at").toInstant(),
                row.getBytes("state_hash"),
                row.getBytes("content"),
                row.getBytes("snapshot")))
        .list();
  }

  /// I8: each committed task is committed once, and channel `counter`, to which every task adds 1,
  /// equals their number.
  public List<String> countViolations(RunHeader run, Graph graph, String counter) {
    var violations = new ArrayList<String>();
    var seen = new HashSet<TaskKey>();
    committed(run.id())
        .map(TaskRecord::key)
        .filter(it -> !seen.add(it))
        .forEach(it -> violations.add("I8 %s: task %s is committed twice".formatted(run.id(), it)));
    long counted = counter(last(run, graph), counter);
    if (counted != seen.size()) {
      violations.add(
          "I8 %s: %d tasks are committed, '%s' is %d"
              .formatted(run.id(), seen.size(), counter, counted));
    }
    return violations;
  }

  private Stream<TaskRecord> committed(String run) {
    return checkpoints.committed(run, Integer.MAX_VALUE, Integer.MAX_VALUE).stream()
        .flatMap(it -> it.delta().tasks().stream());
  }

  private GraphState last(RunHeader run, Graph graph) {
    int number = chain(run.id()).size() - 1;
    return checkpoints.rebuild(run, number, graph).map(Checkpoint::state).orElseThrow();
  }

  private static long counter(GraphState state, String channel) {
    return state.get(channel) instanceof Value.Int(var count) ? count : 0;
  }
}
