package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.fault.extension.Chores;
import dev.superstep.state.value.ObjectValue;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// E53: functions with durable steps in a jar beside the packaged service, of which one of two
/// replicas is killed with SIGKILL again and again. A step is called again only if it was in flight
/// then: never once a step behind it was called, and never if it may be called once only.
class StepsSigkillIT {
  private static final long SEED = Long.getLong("steps.seed", 53);
  private static final int RUNS = 12;
  private static final String JSON = "application/json";

  private static final String GRAPH =
      """
      name: chores
      channels: { results: {} }
      nodes:
        - id: chores
          type: function
          retry: { max_attempts: 50, initial_interval: 50ms }
          config: { function: chores, arguments: { url: "URL" } }
      """;

  @TempDir private Path folder;

  private final Random random = new Random(SEED);

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void callsNoStepAgainThatWasNotInFlight() throws Exception {
    kill(Integer.getInteger("steps.kills", 2));
  }

  @Test
  @Tag("fault")
  @Timeout(value = 90, unit = TimeUnit.MINUTES)
  void callsNoStepAgainOverManyKills() throws Exception {
    kill(Integer.getInteger("steps.kills", 200));
  }

  private void kill(int kills) throws Exception {
    var settings = new HashMap<>(ExtensionJar.of(folder, Chores.class));
    settings.putAll(Map.of("SUPERSTEP_LEASE", "2s", "SUPERSTEP_TAKEOVERSMAX", "20"));
    try (var steps = new CalledSteps(Chores.ONCE);
        var replicas = new ReplicaPair(folder, settings)) {
      replicas.start();
      var graph = GRAPH.replace("URL", steps.url());
      assertThat(replicas.first().post("/v1/graphs", "application/yaml", graph).status())
          .isEqualTo(201);
      var runs = play(replicas, kills);
      runs.forEach(it -> check(left(replicas, kills), it, steps));
      assertThat(steps.wrong()).isEmpty();
      assertThat(steps.repeats()).as("a kill that hit no call would show nothing").isPositive();
      System.out.printf(
          "seed %d: %d kills, %d steps, %d calls again%n",
          SEED, kills, steps.steps(), steps.repeats());
    }
  }

  private List<String> play(ReplicaPair replicas, int kills) throws InterruptedException {
    var runs = new ArrayList<String>();
    for (int i = 0; i < kills; i++) {
      var killed = i % 2 == 0 ? replicas.first() : replicas.second();
      var other = i % 2 == 0 ? replicas.second() : replicas.first();
      for (int n = 0; n < RUNS; n++) {
        var run = "run-%d-%d".formatted(i, n);
        post(n % 2 == 0 ? killed : other, run);
        runs.add(run);
      }
      LockSupport.parkNanos(Duration.ofMillis(200 + random.nextInt(1_000)).toNanos());
      killed.kill();
      if (i < kills - 1) {
        killed.start();
        killed.awaitReady();
      }
    }
    return runs;
  }

  /// Who goes on alone behind the last kill.
  private static Replica left(ReplicaPair replicas, int kills) {
    return kills % 2 == 0 ? replicas.first() : replicas.second();
  }

  private static void post(Replica replica, String run) {
    var body = "{\"graph\":\"chores\",\"id\":\"%s\",\"input\":{}}".formatted(run);
    var request =
        replica
            .request("/v1/runs")
            .header("Content-Type", JSON)
            .POST(BodyPublishers.ofString(body));
    assertThat(replica.once(request, 8).status()).isEqualTo(202);
  }

  private static void check(Replica replica, String run, CalledSteps steps) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(200))
        .until(() -> replica.get("/v1/runs/" + run).text("status").equals("succeeded"));
    var state = (ObjectValue) replica.get("/v1/runs/" + run + "/state").body();
    steps.check(run, run + "/", state.objectOrEmpty("state").listOrEmpty("results"));
  }
}
