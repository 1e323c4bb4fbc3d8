package dev.superstep.fault;

import dev.superstep.checkpoint.InvariantFolds;
import dev.superstep.checkpoint.InvariantQueries;
import dev.superstep.engine.TestRunHeader;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/// I1 to I11 of durability.md, and that nothing that went wrong has changed a result.
final class Invariants {
  private static final int BLOCK = 3;
  private static final int NOTED = 20;

  private final JdbcClient jdbc;
  private final Duration lease;

  Invariants(JdbcClient jdbc, Duration lease) {
    this.jdbc = jdbc;
    this.lease = lease;
  }

  /// I1 to I9.
  List<String> ofRuns(Collection<String> runs) {
    var violations = new ArrayList<>(new InvariantQueries(jdbc).violations(runs, lease));
    var folds = new InvariantFolds(jdbc);
    var graph = Shapes.folding();
    for (var run : runs) {
      var header = TestRunHeader.of(run, "any", 1, 0, ObjectValue.empty());
      violations.addAll(folds.foldViolations(header, graph));
      violations.addAll(folds.blockViolations(header, graph, "log", BLOCK));
      violations.addAll(folds.countViolations(header, graph, "calls", "work"));
    }
    return violations;
  }

  /// I10: the same key never came with another body, nothing was called again that the database
  /// knew, and no more was called again than the faults explain.
  ///
  /// @param allowed tasks started but unrecorded at the faults
  List<String> ofLedger(Ledger ledger, long allowed) {
    var violations = new ArrayList<String>();
    if (ledger.mismatches() > 0) {
      violations.add("I10: %d calls repeat a key with another body".formatted(ledger.mismatches()));
    }
    ledger.needless().stream()
        .limit(NOTED)
        .forEach(it -> violations.add("I10: the database had the outcome of " + it));
    long retries = retries();
    if (ledger.repeats() > allowed + retries) {
      violations.add(
          "I10: %d calls are repeats; %d tasks were open at a fault, %d attempts were retries"
              .formatted(ledger.repeats(), allowed, retries));
    }
    return violations;
  }

  /// Attempts behind the first.
  private long retries() {
    return jdbc.sql(
            """
            select coalesce(sum((task ->> 'a')::int - 1), 0)
              from checkpoint c,
                   jsonb_array_elements(convert_from(c.content, 'UTF8')::jsonb -> 't') as task
             where task ->> 'a' is not null
            """)
        .query(Long.class)
        .single();
  }

  /// I11: as many runs as idempotency keys, besides those that runs have begun.
  List<String> ofKeys(int keys) {
    int runs =
        jdbc.sql("select count(*) from run where id not in (select child from child_run)")
            .query(Integer.class)
            .single();
    return runs == keys
        ? List.of()
        : List.of("I11: %d runs for %d idempotency keys".formatted(runs, keys));
  }

  /// E41: no task has begun two runs, for none of the suite's is tried again, and no run has ended
  /// before those that it has begun.
  List<String> ofFamilies() {
    return jdbc.sql(
            """
            select format('E41 %s: task %s of superstep %s has begun %s runs', parent,
                          concat_ws(':', node, dispatch_id), superstep, count(*))
              from child_run
             group by parent, superstep, node, dispatch_id having count(*) > 1
            union all
            select format('E41 %s: run %s was left behind, %s', p.id, c.id, c.status)
              from child_run
              join run p on p.id = child_run.parent and p.status in ('succeeded', 'cancelled')
              join run c on c.id = child_run.child
                        and c.status not in ('succeeded', 'failed', 'cancelled')
            """)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// C33: the head of each thread is the run with the highest turn.
  List<String> ofThreads() {
    return new InvariantQueries(jdbc).threadViolations();
  }

  /// @param expected state hash by graph
  /// @param hashes by run
  static List<String> ofHashes(
      Map<String, String> expected, Map<String, String> shapes, Map<String, String> hashes) {
    var violations = new ArrayList<String>();
    shapes.forEach((run, shape) -> {
      var wanted = expected.get(shape);
      if (wanted != null && !wanted.equals(hashes.get(run))) {
        violations.add(
            "hash %s: a %s that nothing disturbed ends as %s, this one as %s"
                .formatted(run, shape, wanted, hashes.get(run)));
      }
    });
    return violations;
  }
}
