package dev.superstep.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.Canonical;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// E47, I10: the packaged service is killed with SIGKILL at random moments while thirty runs of
/// mixed shapes are on their way; each ends with the state hash of an undisturbed one, and nobody
/// asked for it to go on.
class SigkillIT {
  private static final int KILLS = Integer.getInteger("superstep.process.kills", 5);
  private static final int RUNS = 30;
  private static final List<String> SHAPES = List.of("wide", "loop", "ask", "two-askers", "nap");

  @TempDir Path folder;

  private final long seed = Long.getLong("superstep.process.seed", System.nanoTime() & 0xffff);
  private final Random random = new Random(seed);

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void endsKilledRunsWithTheHashesOfUndisturbedOnes() throws Exception {
    System.out.printf("sigkill: seed %d (-Dsuperstep.process.seed), %d kills%n", seed, KILLS);
    try (var remote = new SlowServer();
        var service = new ServiceProcess(folder)) {
      service.start();
      postGraphs(service, remote.url());
      start(service, "calm", 0, RUNS);
      finish(service, "calm");
      var expected = hashes(service, "calm");
      int calmCalls = remote.calls();

      int met = storm(service, remote);
      finish(service, "storm");

      assertThat(hashes(service, "storm")).as("seed %d", seed).isEqualTo(expected);
      assertThat(remote.mismatches()).as("I10").isZero();
      System.out.printf(
          "sigkill: seed %d, %d kills, %d of them with calls in flight; remote calls %d calm, %d stormy, %d keys%n",
          seed, KILLS, met, calmCalls, remote.calls() - calmCalls, remote.keys());
      assertThat(met).as("a storm that met no call proves nothing").isPositive();
    }
  }

  private static void postGraphs(ServiceProcess service, String url) {
    graphs(url)
        .forEach((name, definition) -> {
          var answer = service.post("/v1/graphs", "application/yaml", definition);
          assertThat(answer.status()).as("%s: %s", name, answer.body()).isIn(200, 201);
        });
  }

  // Five definitions, as they stand.
  @SuppressWarnings("checkstyle:MethodLength")
  private static Map<String, String> graphs(String url) {
    var channels =
        """
        channels:
          done: { reducer: append }
          calls: { reducer: sum, default: 0 }
        """;
    var work = "config: { mode: function, url: '" + url + "', state_keys: [calls] }";
    var graphs = new LinkedHashMap<String, String>();
    graphs.put(
        "wide",
        """
        name: wide
        %snodes:
          - { id: plan, type: expression, config: { dispatch: "{{ fan_out('work', state.items, 'item') }}" }, targets: [work] }
          - { id: work, type: http, max_concurrency: 8, retry: {}, %s }
          - { id: sum_up, type: expression, config: { update: { total: "{{ state.calls }}" } } }
        edges:
          - { from: __start__, to: plan }
          - { from: work, to: sum_up }
        """
            .formatted(channels, work));
    graphs.put(
        "loop",
        """
        name: loop
        %snodes:
          - { id: work, type: http, retry: {}, %s }
        edges:
          - { from: __start__, to: work }
          - { from: work, condition: "state.calls < 15", to: work }
        """
            .formatted(channels, work));
    graphs.put(
        "ask",
        """
        name: ask
        %snodes:
          - { id: before, type: http, retry: {}, %s }
          - { id: review, type: human, config: { payload: { question: go on? } } }
          - { id: after, type: http, retry: {}, %s }
        edges:
          - { from: __start__, to: before }
          - { from: before, to: review }
          - { from: review, to: after }
        """
            .formatted(channels, work, work));
    graphs.put(
        "two-askers",
        """
        name: two-askers
        %snodes:
          - { id: left, type: human, config: { payload: { question: left? } } }
          - { id: right, type: human, config: { payload: { question: right? } } }
          - { id: work, type: http, retry: {}, %s }
          - { id: joined, type: expression, config: { update: { both: "{{ [state.left, state.right] }}" } } }
        edges:
          - { from: __start__, to: [left, right, work] }
          - { from: [left, right, work], to: joined }
        """
            .formatted(channels, work));
    graphs.put(
        "nap",
        """
        name: nap
        %snodes:
          - { id: short, type: wait, config: { for: 300ms } }
          - { id: work, type: http, retry: {}, %s }
          - { id: long, type: wait, config: { for: 3s } }
          - { id: last, type: http, retry: {}, %s }
        edges:
          - { from: __start__, to: [short, work] }
          - { from: [short, work], to: long }
          - { from: long, to: last }
        """
            .formatted(channels, work, work));
    return graphs;
  }

  private static String shape(int index) {
    return SHAPES.get(index % SHAPES.size());
  }

  private static void start(ServiceProcess service, String kind, int from, int to) {
    for (int i = from; i < to; i++) {
      var items = ListValue.empty();
      for (int item = 0; item < (shape(i).equals("wide") ? 200 : 2); item++) {
        items = items.plus(Value.of(item));
      }
      var body =
          "{\"id\":\"%s-%d\",\"graph\":\"%s\",\"input\":{\"items\":%s}}"
              .formatted(kind, i, shape(i), items);
      var answer = service.post("/v1/runs", "application/json", body);
      assertThat(answer.status()).as("%s", answer.body()).isIn(200, 202);
    }
  }

  /// Starts the runs in waves, and kills the service at a random moment behind each.
  ///
  /// @return kills that cut remote calls off
  private int storm(ServiceProcess service, SlowServer remote) throws InterruptedException {
    int met = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      start(service, "storm", RUNS * kill / KILLS, RUNS * (kill + 1) / KILLS);
      // Not a wait for something to happen, but the random moment itself.
      Thread.sleep(Duration.ofMillis(random.nextInt(300)));
      met += remote.open() > 0 ? 1 : 0;
      service.kill();
      service.start();
    }
    return met;
  }

  private static boolean ended(ServiceProcess service, String kind) {
    for (int i = 0; i < RUNS; i++) {
      var status = service.get("/v1/runs/%s-%d".formatted(kind, i)).get("status");
      if (!status.equals(Value.of("succeeded"))) {
        assertThat(status)
            .as("%s-%d", kind, i)
            .isNotIn(Value.of("failed"), Value.of("cancelled"), Value.NULL);
        return false;
      }
    }
    return true;
  }

  private static void finish(ServiceProcess service, String kind) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(4))
        .pollInterval(Duration.ofMillis(500))
        .until(() -> {
          answerAll(service);
          return ended(service, kind);
        });
  }

  private static void answerAll(ServiceProcess service) {
    if (service.get("/v1/interrupts?status=open&limit=200").get("items")
        instanceof ListValue open) {
      for (var item : open) {
        if (item instanceof ObjectValue interrupt
            && interrupt.get("id") instanceof Value.Text(var id)) {
          service.post(
              "/v1/interrupts/" + id + "/answer", "application/json", "{\"value\":{\"yes\":true}}");
        }
      }
    }
  }

  /// The state hash of every run's last checkpoint.
  private static Map<Integer, Value> hashes(ServiceProcess service, String kind) {
    var hashes = new LinkedHashMap<Integer, Value>();
    for (int i = 0; i < RUNS; i++) {
      var run = "/v1/runs/%s-%d".formatted(kind, i);
      var last = service.get(run).get("checkpoint");
      var hash = service.get(run + "/checkpoints/" + Canonical.text(last)).get("state_hash");
      assertThat(hash).as("%s", run).isInstanceOf(Value.Text.class);
      hashes.put(i, hash);
    }
    return hashes;
  }
}
