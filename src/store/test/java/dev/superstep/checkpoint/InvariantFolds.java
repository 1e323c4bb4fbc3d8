package dev.superstep.checkpoint;

import dev.superstep.checkpoint.row.CheckpointReplay;
import dev.superstep.checkpoint.row.CheckpointRow;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The invariants that need more than SQL: I8 and I9.
public final class InvariantFolds {
  private final JdbcClient jdbc;

  public InvariantFolds(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// I9: folding all deltas from the first checkpoint, over later snapshots, gives the stored state
  /// hash at every checkpoint; and so does the way that readers take.
  public List<String> foldViolations(RunHeader run, Graph graph) {
    var chain = chain(run.id());
    var violations = new ArrayList<String>();
    for (int last = 0; last < chain.size(); last++) {
      try {
        CheckpointReplay.of(chain.subList(0, last + 1), graph, run.ordinal());
        CheckpointReplay.of(shortChain(run.id(), last), graph, run.ordinal());
      } catch (CorruptCheckpointException e) {
        violations.add("I9 %s: %s".formatted(run.id(), e.getMessage()));
      }
    }
    return violations;
  }

  private List<CheckpointRow> chain(String run) {
    return chain(
        """
        select number, kind, superstep, committed_at, state_hash, content,
               case when number = 0 then snapshot end as snapshot
          from checkpoint
         where run = ? and number <= ?
         order by number
        """,
        run,
        Integer.MAX_VALUE);
  }

  /// From the nearest snapshot.
  private List<CheckpointRow> shortChain(String run, int last) {
    return chain(
        """
        select c.number, c.kind, c.superstep, c.committed_at, c.state_hash, c.content,
               case when c.number = wanted.base then c.snapshot end as snapshot
          from checkpoint wanted
          join checkpoint c on c.run = wanted.run
                           and c.number between wanted.base and wanted.number
         where wanted.run = ? and wanted.number = ?
         order by c.number
        """,
        run,
        last);
  }

  private List<CheckpointRow> chain(String sql, String run, int number) {
    return jdbc.sql(sql)
        .params(run, number)
        .query((row, _) ->
            new CheckpointRow(
                row.getInt("number"),
                row.getString("kind"),
                row.getInt("superstep"),
                row.getTimestamp("committed_at").toInstant(),
                row.getBytes("state_hash"),
                row.getBytes("content"),
                row.getBytes("snapshot")))
        .list();
  }

  /// I8: each committed task is committed once, and channel `counter`, to which every task of a
  /// node whose id begins with `prefix` adds 1, equals their number.
  public List<String> countViolations(RunHeader run, Graph graph, String counter, String prefix) {
    var chain = chain(run.id());
    var violations = new ArrayList<String>();
    var seen = new HashSet<TaskKey>();
    committed(chain)
        .map(TaskRecord::key)
        .filter(it -> !seen.add(it))
        .forEach(it -> violations.add("I8 %s: task %s is committed twice".formatted(run.id(), it)));
    seen.removeIf(it -> it.node().equals(NodeId.INBOX) || !it.node().value().startsWith(prefix));
    var state = CheckpointReplay.of(chain, graph, run.ordinal()).state();
    long counted = state.get(counter) instanceof Value.Int(var count) ? count : 0;
    if (counted != seen.size()) {
      violations.add(
          "I8 %s: %d tasks are committed, '%s' is %d"
              .formatted(run.id(), seen.size(), counter, counted));
    }
    return violations;
  }

  private static Stream<TaskRecord> committed(List<CheckpointRow> chain) {
    return chain.stream()
        .filter(it -> it.kind() == CheckpointKind.STEP || it.kind() == CheckpointKind.FINAL)
        .flatMap(it -> it.content().delta().tasks().stream());
  }

  /// I8: `channel` consists of whole blocks, `<task>#1` to `<task>#<size>`, one for each task.
  public List<String> blockViolations(RunHeader run, Graph graph, String channel, int size) {
    var state = CheckpointReplay.of(chain(run.id()), graph, run.ordinal()).state();
    var items = state.get(channel) instanceof ListValue list ? list.asList() : List.<Value>of();
    return brokenBlocks(items, size).stream()
        .map(it -> "I8 %s: '%s' %s".formatted(run.id(), channel, it))
        .toList();
  }

  static List<String> brokenBlocks(List<Value> items, int size) {
    var violations = new ArrayList<String>();
    var seen = new HashSet<String>();
    for (int i = 0; i < items.size(); i++) {
      var text = items.get(i) instanceof Value.Text(var item) ? item : "";
      var task = text.substring(0, Math.max(0, text.lastIndexOf('#')));
      var first = items.get(i - i % size) instanceof Value.Text(var item) ? item : "";
      if (!text.equals(task + "#" + (i % size + 1)) || !first.equals(task + "#1")) {
        violations.add("has item %d, '%s', outside its block".formatted(i, text));
      } else if (!seen.add(text)) {
        violations.add("has '%s' twice".formatted(text));
      }
    }
    return items.size() % size == 0 ? violations : List.of("ends within a block");
  }
}
