package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Pointer;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// E47, I10: one packaged service, with the database it brings, is killed with SIGKILL at random
/// moments while runs of mixed shapes are on their way; each ends with the state hash of an
/// undisturbed one, stored as it was written, and nobody asked for it to go on. E41: so do the runs
/// that they have begun, as many as ever. I13: whatever a client was answered is on disk.
@Order(3)
class SigkillIT {
  private static final int WAITING_CALLERS = 4;

  /// Its nodes call nothing, so that its runs begin in memory and are written at their end.
  private static final String QUIET =
      """
      name: quiet
      channels: {steps: {reducer: sum}}
      nodes:
        - {id: a, type: expression, config: {update: {steps: '{{ 1 }}'}}}
        - {id: b, type: expression, config: {update: {steps: '{{ 1 }}'}}}
        - {id: c, type: expression, config: {update: {steps: '{{ 1 }}'}}}
      edges:
        - {from: __start__, to: a}
        - {from: a, to: b}
        - {from: b, to: c}
      """;

  private static final List<String> SHAPES =
      Stream.concat(Shapes.ALL.stream(), Stream.of("enough")).toList();

  private static final int KILLS = Integer.getInteger("superstep.process.kills", 2);

  /// Each wave has one of every shape.
  private static final int RUNS = KILLS * SHAPES.size();

  /// Kills from outside say nothing about the runs they meet.
  private static final Map<String, String> SETTINGS =
      Map.of("SUPERSTEP_LEASE", "2s", "SUPERSTEP_TAKEOVERSMAX", "20");

  @TempDir Path folder;

  private final long seed = Long.getLong("superstep.process.seed", System.nanoTime() & 0xffff);
  private final Random random = new Random(seed);

  /// The runs whose end was answered before a kill, with their checkpoint.
  private final Map<String, String> answered = new ConcurrentHashMap<>();

  private final AtomicBoolean storms = new AtomicBoolean(true);

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void endsKilledRunsWithTheHashesOfUndisturbedOnes() throws Exception {
    try (var ledger = new Ledger();
        var service = new Replica(folder, Installation.shared().command(), SETTINGS)) {
      service.start();
      Shapes.definitions(ledger.url())
          .forEach((name, definition) -> {
            var answer = service.post("/v1/graphs", "application/yaml", definition);
            assertThat(answer.status()).as("%s: %s", name, answer.body()).isIn(200, 201);
          });
      for (var more : List.of(QUIET, Shapes.enough(ledger.url()))) {
        assertThat(service.post("/v1/graphs", "application/yaml", more).status()).isIn(200, 201);
      }
      start(service, "calm", 0, RUNS);
      finish(service, "calm");
      var expected = hashes(service, "calm");
      int calmCalls = ledger.calls();
      int effects = ledger.keys();

      var callers = new ArrayList<Thread>();
      for (int i = 0; i < WAITING_CALLERS; i++) {
        callers.add(Thread.ofVirtual().start(() -> callAndWait(service)));
      }
      int met = storm(service, ledger);
      storms.set(false);
      for (var caller : callers) {
        caller.join();
      }
      finish(service, "storm");

      assertThat(hashes(service, "storm")).as("seed %d", seed).isEqualTo(expected);
      assertThat(ledger.mismatches()).as("I10").isZero();
      assertThat(answered).isNotEmpty();
      answered.forEach((run, checkpoint) -> {
        var view = service.get("/v1/runs/" + run);
        assertThat(view.text("status")).as("I13, seed %d: %s", seed, run).isEqualTo("succeeded");
        assertThat(Canonical.text(view.get("checkpoint"))).as("I13").isEqualTo(checkpoint);
      });
      assertThat(ledger.keys() - effects).as("effects, seed %d", seed).isEqualTo(effects);
      assertThat(pages(service, "/v1/audit?action=run.start&", "/object/id"))
          .as("recorded starts, seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(begunByCalls(service));
      assertThat(pages(service, "/v1/audit?action=interrupt.answer&", "/object/id"))
          .as("recorded answers, seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(
              pages(service, "/v1/interrupts?status=answered&", "/id"));
      System.out.printf(
          "sigkill: seed %d (-Dsuperstep.process.seed), %d kills, %d of them with calls in flight; "
              + "calls %d calm, %d stormy, %d keys; %d answers%n",
          seed, KILLS, met, calmCalls, ledger.calls() - calmCalls, ledger.keys(), answered.size());
      assertThat(met).as("a storm that met no call proves nothing").isPositive();
    }
  }

  private static List<String> begunByCalls(Replica service) {
    var runs = new ArrayList<>(pages(service, "/v1/runs?", "/id"));
    for (int i = 0; i < RUNS; i++) {
      runs.removeAll(children(service, "calm-" + i));
      runs.removeAll(children(service, "storm-" + i));
    }
    return runs;
  }

  /// A member of each item of a whole list.
  private static List<String> pages(Replica service, String path, String pointer) {
    var found = new ArrayList<String>();
    var next = "";
    do {
      var page = service.get(path + "limit=200" + next);
      for (var item : (ListValue) page.get("items")) {
        found.add(((Value.Text) Pointer.find(item, pointer).orElseThrow()).value());
      }
      next = page.text("next_cursor").isEmpty() ? "" : "&cursor=" + page.text("next_cursor");
    } while (!next.isEmpty());
    return found;
  }

  private static String shape(int index) {
    return SHAPES.get(index % SHAPES.size());
  }

  private static void start(Replica service, String kind, int from, int to) {
    for (int i = from; i < to; i++) {
      var body =
          "{\"id\":\"%s-%d\",\"graph\":\"%s\",\"input\":{\"items\":%s}}"
              .formatted(kind, i, shape(i), Shapes.items(shape(i)));
      var answer = service.post("/v1/runs", "application/json", body);
      assertThat(answer.status()).as("%s", answer.body()).isIn(200, 202);
    }
  }

  /// Starts the runs in waves, and kills the service at a random moment behind each; behind the
  /// last while a call is under way, unless another kill has met one.
  ///
  /// @return kills that cut calls off
  private int storm(Replica service, Ledger ledger) throws InterruptedException {
    int met = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      start(service, "storm", RUNS * kill / KILLS, RUNS * (kill + 1) / KILLS);
      int before = answered.size();
      Awaitility.await().until(() -> answered.size() > before);
      if (met == 0 && kill == KILLS - 1) {
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> ledger.open() > 0);
      } else {
        // Not a wait for something to happen, but the random moment itself.
        Thread.sleep(Duration.ofMillis(random.nextInt(300)));
      }
      met += ledger.open() > 0 ? 1 : 0;
      service.kill();
      service.start();
    }
    return met;
  }

  /// Starts runs and waits for their ends, as long as the storm lasts.
  private void callAndWait(Replica service) {
    while (storms.get()) {
      var body = "{\"graph\": \"quiet\", \"input\": {}}";
      var run = service.post("/v1/runs?wait=30s", "application/json", body);
      if (run.text("status").equals("succeeded")) {
        answered.put(run.text("id"), Canonical.text(run.get("checkpoint")));
      }
    }
  }

  private static boolean ended(Replica service, String kind) {
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

  private static void finish(Replica service, String kind) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(4))
        .pollInterval(Duration.ofMillis(500))
        .until(() -> {
          answerAll(service);
          return ended(service, kind);
        });
  }

  private static void answerAll(Replica service) {
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

  /// The state hash of every run's last checkpoint, and of those of its children.
  private static Map<Integer, List<String>> hashes(Replica service, String kind) {
    var hashes = new LinkedHashMap<Integer, List<String>>();
    for (int i = 0; i < RUNS; i++) {
      var run = "%s-%d".formatted(kind, i);
      var ofRun = new ArrayList<>(List.of(hash(service, run)));
      var children = children(service, run);
      assertThat(children).as(run).hasSize(Shapes.children(shape(i)));
      children.stream().map(it -> hash(service, it)).sorted().forEach(ofRun::add);
      hashes.put(i, ofRun);
    }
    return hashes;
  }

  private static String hash(Replica service, String run) {
    var view = service.get("/v1/runs/" + run);
    assertThat(view.text("status")).as(run).isEqualTo("succeeded");
    var checkpoint = Canonical.text(view.get("checkpoint"));
    var hash =
        service.get("/v1/runs/%s/checkpoints/%s".formatted(run, checkpoint)).text("state_hash");
    assertThat(hash).as(run).isNotEmpty();
    var verified = service.get("/v1/runs/" + run + "/verify");
    assertThat(verified.get("broken")).as(run).isEqualTo(ListValue.empty());
    assertThat(verified.get("not_chained")).as(run).isEqualTo(Value.of(0L));
    return hash;
  }

  private static List<String> children(Replica service, String run) {
    return service.get("/v1/runs?limit=200&parent=" + run).get("items") instanceof ListValue items
        ? items.stream()
            .map(it -> Canonical.text(((ObjectValue) it).getOr("id", Value.NULL)).replace("\"", ""))
            .toList()
        : List.of();
  }
}
