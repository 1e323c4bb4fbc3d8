package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// E54: fan-outs of child runs and tasks of workers, of which two have to succeed, while one of two
/// replicas is killed with SIGKILL again and again: before, in and behind the cut. Each success
/// counts once; the children of the others are cancelled, and their workers are told.
class CutSigkillIT {
  private static final long SEED = Long.getLong("cut.seed", 54);
  private static final int RUNS = 12;
  private static final int ITEMS = 6;
  private static final int NEEDED = 2;
  private static final int FOREVER = 3_600_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String JSON = "application/json";

  private static final String GRAPH =
      """
      name: cut
      channels: { items: {}, won: { reducer: append } }
      graphs:
        nap:
          nodes:
            - { id: nap, type: wait, config: { for: "{{ string(state.ms) + 'ms' }}" }, next: say }
            - { id: say, type: expression, config: { update: { said: "{{ state.n }}" } } }
      nodes:
        - id: plan
          type: expression
          config: { dispatch: "{{ state.items.map(it, {'node': it.kind, 'input': it, 'metadata': {'n': it.n}}) }}" }
          targets: [child, work]
          dispatch_policy: { min_succeeded: 2 }
        - id: child
          type: subgraph
          config: { graph: "#nap", input: { n: "{{ input.n }}", ms: "{{ input.ms }}" }, result: { update: { won: "{{ [response.said] }}" } } }
        - id: work
          type: worker
          retry: { max_attempts: 20, initial_interval: 10ms }
          config: { task_type: cut, heartbeat: 10s, result: { update: { won: "{{ [response] }}" } } }
        - id: tell
          type: expression
          config:
            update:
              succeeded: "{{ outcomes.succeeded.map(it, it.metadata.n) }}"
              failed: "{{ outcomes.failed.map(it, it.metadata.n) }}"
              cancelled: "{{ outcomes.cancelled.map(it, it.metadata.n) }}"
      edges: [{ from: __start__, to: plan }, { from: child, to: tell }, { from: work, to: tell }]
      """;

  @TempDir private Path folder;

  private final Random random = new Random(SEED);
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger told = new AtomicInteger();

  /// Tasks whose workers nobody has told yet that they are not needed.
  private final Set<String> working = ConcurrentHashMap.newKeySet();

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void countsTwoAndEndsTheOthers() throws Exception {
    kill(Integer.getInteger("cut.kills", 2));
  }

  @Test
  @Tag("fault")
  @Timeout(value = 90, unit = TimeUnit.MINUTES)
  void countsTwoOverManyKills() throws Exception {
    kill(Integer.getInteger("cut.kills", 200));
  }

  private void kill(int kills) throws Exception {
    var settings = Map.of("SUPERSTEP_LEASE", "2s", "SUPERSTEP_TAKEOVERSMAX", "20");
    try (var replicas = new ReplicaPair(folder, settings);
        var workers = Executors.newVirtualThreadPerTaskExecutor()) {
      replicas.start();
      assertThat(replicas.first().post("/v1/graphs", "application/yaml", GRAPH).status())
          .isEqualTo(201);
      workers.execute(() -> claim(replicas.first(), replicas.second(), workers));
      workers.execute(() -> claim(replicas.second(), replicas.first(), workers));
      try {
        var runs = play(replicas, kills);
        runs.forEach(it -> check(replicas.second(), it));
        awaitTheirEnds(replicas);
      } finally {
        over.set(true);
      }
    }
    System.out.printf(
        "seed %d: %d kills, %d runs, %d workers told%n", SEED, kills, kills * RUNS, told.get());
    assertThat(told.get()).isPositive();
  }

  private List<String> play(ReplicaPair replicas, int kills) throws InterruptedException {
    var runs = new ArrayList<String>();
    for (int i = 0; i < kills; i++) {
      var killed = i % 2 == 0 ? replicas.first() : replicas.second();
      var other = i % 2 == 0 ? replicas.second() : replicas.first();
      for (int n = 0; n < RUNS; n++) {
        var run = "cut-%d-%d".formatted(i, n);
        start(n % 3 == 0 ? other : killed, run);
        runs.add(run);
      }
      LockSupport.parkNanos(Duration.ofMillis(100 + random.nextInt(900)).toNanos());
      killed.kill();
      killed.start();
      killed.awaitReady();
    }
    return runs;
  }

  /// Also if an answer is lost.
  private void start(Replica replica, String run) {
    var body = run(run);
    var status =
        Awaitility.await(run)
            .atMost(PATIENCE)
            .until(() -> post(replica, "/v1/runs", body).status(), it -> it != 0);
    assertThat(status).as(run).isIn(202, 409);
  }

  /// Two at least end, at any moment around the kill.
  private String run(String id) {
    var items = ListValue.empty();
    for (int n = 0; n < ITEMS; n++) {
      boolean ends = n < NEEDED || random.nextInt(3) == 0;
      items =
          items.plus(
              ObjectValue.of("n", n)
                  .plus("kind", random.nextBoolean() ? "child" : "work")
                  .plus("ms", ends ? random.nextInt(1_200) : FOREVER));
    }
    return Canonical.text(
        ObjectValue.of("graph", "cut")
            .plus("id", id)
            .plus("input", ObjectValue.of("items", items)));
  }

  private void check(Replica replica, String run) {
    var ended =
        Awaitility.await(run)
            .atMost(PATIENCE)
            .pollInterval(Duration.ofMillis(200))
            .until(
                () -> replica.get("/v1/runs/" + run),
                it -> Set.of("succeeded", "failed").contains(it.text("status")));
    assertThat(ended.text("status")).as("%s", ended.body()).isEqualTo("succeeded");
    var body = (ObjectValue) replica.get("/v1/runs/" + run + "/state").body();
    var state = body.objectOrEmpty("state");
    var succeeded = state.listOrEmpty("succeeded");
    assertThat(succeeded.asList()).as("%s: %s", run, state).hasSize(NEEDED);
    assertThat(state.listOrEmpty("won").asList())
        .as("%s: %s", run, state)
        .containsExactlyInAnyOrderElementsOf(succeeded.asList());
    assertThat(state.listOrEmpty("failed").asList()).as(run).isEmpty();
    assertThat(state.listOrEmpty("cancelled").asList()).as(run).hasSize(ITEMS - NEEDED);
  }

  private void awaitTheirEnds(ReplicaPair replicas) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(
                  replicas.jdbc().sql("select distinct status from run").query(String.class).list())
              .as("children")
              .isSubsetOf("succeeded", "cancelled");
          assertThat(
                  replicas.jdbc().sql("select distinct state from task").query(String.class).list())
              .as("tasks")
              .isSubsetOf("done", "withdrawn");
          assertThat(working).as("workers that nobody has told").isEmpty();
        });
  }

  private void claim(Replica replica, Replica other, ExecutorService workers) {
    while (!over.get()) {
      var answer = post(replica, "/v1/tasks/claim?type=cut&max=10&wait=1s", "");
      if (answer.status() == 200 && answer.body() instanceof ObjectValue body) {
        body.listOrEmpty("items")
            .items(ObjectValue.class)
            .forEach(it -> workers.execute(() -> work(other, it)));
      } else {
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      }
    }
  }

  /// Ends it in time, or works until it is told that nobody wants it.
  private void work(Replica replica, ObjectValue task) {
    var input = task.objectOrEmpty("input");
    var path = "/v1/tasks/" + task.findText("id").orElseThrow();
    var token = ObjectValue.of("token", task.findText("token").orElseThrow());
    var claim = path + " " + token;
    working.add(claim);
    long left = ((Value.Int) input.getOr("ms", Value.of(0))).value();
    while (!over.get()) {
      if (left <= 0) {
        var outcome = token.plus("result", input.getOr("n", Value.NULL));
        if (post(replica, path + "/outcome", Canonical.text(outcome)).status() != 0) {
          break;
        }
        LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
      } else if (left < FOREVER / 2) {
        LockSupport.parkNanos(Duration.ofMillis(left).toNanos());
        left = 0;
      } else if (isToldToStop(post(replica, path + "/heartbeat", Canonical.text(token)))) {
        told.incrementAndGet();
        break;
      } else {
        LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
      }
    }
    working.remove(claim);
  }

  private static boolean isToldToStop(Replica.Answer answer) {
    return answer.status() == 409
        || (answer.body() instanceof ObjectValue body && Value.FALSE.equals(body.get("wanted")));
  }

  private static Replica.Answer post(Replica replica, String path, String body) {
    return replica.once(
        replica.request(path).header("Content-Type", JSON).POST(BodyPublishers.ofString(body)), 8);
  }
}
