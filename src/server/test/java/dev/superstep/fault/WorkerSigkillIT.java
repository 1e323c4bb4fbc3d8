package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A thousand tasks, twelve workers and two replicas of the packaged jar: a worker vanishes with
/// one task in ten, or is suspended past its lease and ends it then, and one replica is killed with
/// SIGKILL on the way. Each outcome counts once.
class WorkerSigkillIT {
  private static final int TASKS = 1_000;
  private static final int WORKERS = 12;
  private static final long SEED = Long.getLong("workers.seed", 32);
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final String JSON = "application/json";

  private static final String GRAPH =
      """
      name: works
      channels: { items: {}, done: { reducer: append }, sum: { reducer: sum } }
      nodes:
        - { id: plan, type: expression, config: { dispatch: "{{ fan_out('work', state.items, 'item') }}" }, targets: [work] }
        - id: work
          type: worker
          retry: { max_attempts: 20, initial_interval: 10ms }
          config: { task_type: numbers, heartbeat: 2s }
      edges: [{ from: __start__, to: plan }]
      """;

  @TempDir private Path folder;

  /// Whose outcome the service has taken, by the item of the task.
  private final ConcurrentMap<Long, AtomicInteger> taken = new ConcurrentHashMap<>();

  private final AtomicInteger vanished = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void countsEachOutcomeOnceWhoeverDies() throws Exception {
    try (var replicas =
        new ReplicaPair(folder, Map.of("SUPERSTEP_LEASE", "2s", "SUPERSTEP_TAKEOVERSMAX", "20"))) {
      replicas.start();
      var killed = replicas.first();
      var other = replicas.second();
      assertThat(other.post("/v1/graphs", "application/yaml", GRAPH).status()).isEqualTo(201);
      assertThat(killed.post("/v1/runs", JSON, run()).status()).isEqualTo(202);

      work(killed, other);

      var state = other.get("/v1/runs/works-1/state").body();
      var channels = ((ObjectValue) state).objectOrEmpty("state");
      assertThat(channels.get("sum")).isEqualTo(Value.of(TASKS));
      var done = (ListValue) channels.getOr("done", Value.NULL);
      assertThat(done.stream().map(Canonical::text)).hasSize(TASKS).doesNotHaveDuplicates();
      assertThat(taken).hasSizeBetween(TASKS - WORKERS, TASKS); // answers of the killed are lost
      assertThat(taken.values()).allMatch(it -> it.get() == 1);
      assertThat(refused).hasValue(late.get());
      assertThat(vanished.get()).isPositive();
      System.out.printf(
          "seed %d: %d tasks, %d vanished, %d late of which %d refused%n",
          SEED, TASKS, vanished.get(), late.get(), refused.get());
    }
  }

  private static String run() {
    var items = ListValue.of(IntStream.range(0, TASKS).<Value>mapToObj(Value::of).toList());
    return Canonical.text(
        ObjectValue.of("graph", "works")
            .plus("id", "works-1")
            .plus("input", ObjectValue.of("items", items)));
  }

  private void work(Replica killed, Replica other) throws Exception {
    var over = new AtomicBoolean();
    try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < WORKERS; i++) {
        var replica = i % 2 == 0 ? killed : other;
        var random = new Random(SEED + i);
        workers.execute(() -> {
          while (!over.get()) {
            claim(replica, other, random);
          }
        });
      }
      try {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> taken.size() > TASKS / 3);
        killed.kill();
        killed.start();
        Awaitility.await()
            .atMost(Duration.ofMinutes(3))
            .pollInterval(Duration.ofMillis(200))
            .until(() -> status(other).equals("succeeded"));
      } finally {
        over.set(true);
      }
    }
  }

  private static String status(Replica replica) {
    return ((ObjectValue) replica.get("/v1/runs/works-1").body()).findText("status").orElse("");
  }

  private void claim(Replica replica, Replica other, Random random) {
    var answer = post(replica, "/v1/tasks/claim?type=numbers&max=5&wait=1s", "");
    if (answer.status() != 200) {
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      return;
    }
    var items = (ListValue) ((ObjectValue) answer.body()).getOr("items", ListValue.empty());
    for (var item : items) {
      execute(replica, other, (ObjectValue) item, random);
    }
  }

  private void execute(Replica replica, Replica other, ObjectValue task, Random random) {
    int fate = random.nextInt(40);
    if (fate < 3) {
      vanished.incrementAndGet();
    } else if (fate == 3) {
      LockSupport.parkNanos(LEASE.plusMillis(500).toNanos());
      late.incrementAndGet();
      // the replica that stays: from the other one there may be no answer
      if (end(other, task).status() == 409) {
        refused.incrementAndGet();
      }
    } else if (end(replica, task).status() == 204) {
      var item = (Value.Int) task.objectOrEmpty("input").getOr("item", Value.NULL);
      taken.computeIfAbsent(item.value(), _ -> new AtomicInteger()).incrementAndGet();
    }
  }

  private static Replica.Answer end(Replica replica, ObjectValue task) {
    var item = task.objectOrEmpty("input").getOr("item", Value.NULL);
    var result =
        ObjectValue.of(
            "update", ObjectValue.of("done", ListValue.of(List.of(item))).plus("sum", 1));
    var body = ObjectValue.of("token", task.findText("token").orElseThrow()).plus("result", result);
    var id = task.findText("id").orElseThrow();
    return post(replica, "/v1/tasks/" + id + "/outcome", Canonical.text(body));
  }

  private static Replica.Answer post(Replica replica, String path, String body) {
    var request =
        replica.request(path).header("Content-Type", JSON).POST(BodyPublishers.ofString(body));
    return replica.once(request, 8);
  }
}
