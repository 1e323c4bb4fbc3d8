package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/// Runs of the suite's graphs, and the people who answer them.
final class Load {
  private final Cluster cluster;
  private final String kind;

  /// Graph by run.
  private final Map<String, String> runs = new ConcurrentHashMap<>();

  Load(Cluster cluster, String kind) {
    this.cluster = cluster;
    this.kind = kind.replaceAll("[^a-z]+", "-");
  }

  Set<String> runs() {
    return Set.copyOf(runs.keySet());
  }

  Map<String, String> shapes() {
    return Map.copyOf(runs);
  }

  /// Starts that many runs, of all shapes in turn.
  void start(int count) {
    for (int i = 0; i < count; i++) {
      start(Shapes.ALL.get(runs.size() % Shapes.ALL.size()));
    }
  }

  String start(String shape) {
    return start(shape, ObjectValue.of("items", Shapes.items(shape)));
  }

  /// The call is repeated until there is an answer; its key makes one run of it. Runs that ask have
  /// a thread of their own.
  String start(String shape, ObjectValue input) {
    var key = kind + "-" + cluster.newKey();
    var thread = shape.equals("ask") ? ",\"thread_id\":\"%s\"".formatted(key) : "";
    var body = "{\"graph\":\"%s\",\"input\":%s%s}".formatted(shape, input, thread);
    var answer =
        cluster.post(
            "/v1/runs", body, Map.of("Content-Type", "application/json", "Idempotency-Key", key));
    assertThat(answer.status()).as("%s", answer.body()).isIn(200, 202);
    var id = answer.text("id");
    runs.put(id, shape);
    return id;
  }

  /// Counts a run that somebody else has started.
  void adopt(String run, String shape) {
    runs.put(run, shape);
  }

  /// Answers every question until all runs have succeeded.
  ///
  /// @throws AssertionError naming those that did not
  void finish(Duration atMost) {
    try {
      Awaitility.await()
          .atMost(atMost)
          .pollInterval(Duration.ofMillis(300))
          .until(() -> {
            answerAll();
            return unfinished().isEmpty();
          });
    } catch (ConditionTimeoutException _) {
      throw new AssertionError("after %s there are still %s".formatted(atMost, unfinished()));
    }
  }

  /// What is not `succeeded`, as the database has it: `run: status`.
  List<String> unfinished() {
    return cluster
        .jdbc()
        .sql("select id || ': ' || status from run where id = any(?) and status <> 'succeeded'")
        .param(runs.keySet().toArray(String[]::new))
        .query((row, _) -> row.getString(1))
        .list();
  }

  private void answerAll() {
    if (cluster.tryGet("/v1/interrupts?status=open&limit=200").get("items")
        instanceof ListValue open) {
      for (var item : open) {
        if (item instanceof ObjectValue interrupt
            && interrupt.get("id") instanceof Value.Text(var id)) {
          cluster.post(
              "/v1/interrupts/" + id + "/answer", "application/json", "{\"value\":{\"yes\":true}}");
        }
      }
    }
  }

  /// The state hash of each run's last checkpoint.
  Map<String, String> hashes() {
    var hashes = new LinkedHashMap<String, String>();
    cluster
        .jdbc()
        .sql(
            """
            select r.id, encode(c.state_hash, 'hex') as hash
              from run r join checkpoint c on c.run = r.id and c.number = r.checkpoint
             where r.id = any(?)
            """)
        .param(runs.keySet().toArray(String[]::new))
        .query((row, _) -> hashes.put(row.getString("id"), row.getString("hash")))
        .list();
    return hashes;
  }
}
