package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// E38: two replicas of the packaged jar, of which one is killed with SIGKILL while runs are to
/// pause. All pause on the other one, commit nothing then, step by one superstep each, and end as
/// if nobody had paused them.
class PauseSigkillIT {
  private static final int RUNS = 8;
  private static final int STEPS = 8;
  private static final int KILLS = Integer.getInteger("pauses.kills", 2);
  private static final long SEED = Long.getLong("pauses.seed", 38);
  private static final String JSON = "application/json";

  @TempDir private Path folder;

  private final Random random = new Random(SEED);

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void pausesWhateverIsKilled() throws Exception {
    System.out.printf("pauses: seed %d, %d kills%n", SEED, KILLS);
    try (var replicas = new ReplicaPair(folder, Map.of("SUPERSTEP_LEASE", "2s"))) {
      replicas.start();
      var both = List.of(replicas.first(), replicas.second());
      assertThat(both.getFirst().post("/v1/graphs", JSON, graph()).status()).isEqualTo(201);
      for (int kill = 0; kill < KILLS; kill++) {
        cycle(kill, both.get(kill % 2), both.get(1 - kill % 2));
      }
    }
  }

  /// Notes of a chain, each behind a wait that its replica does in memory.
  private static String graph() {
    var nodes = new ArrayList<String>();
    var edges = new ArrayList<String>();
    var before = "__start__";
    for (int i = 0; i < STEPS; i++) {
      nodes.add(
          "{\"id\": \"w%1$d\", \"type\": \"wait\", \"config\": {\"for\": \"%2$dms\"}}"
              .formatted(i, i == 0 ? 1_500 : 200));
      nodes.add(
          ("{\"id\": \"n%1$d\", \"type\": \"expression\", \"config\": {\"update\": {\"log\":"
                  + " \"%1$d\"}}}")
              .formatted(i));
      edges.add("{\"from\": \"%s\", \"to\": \"w%d\"}".formatted(before, i));
      edges.add("{\"from\": \"w%1$d\", \"to\": \"n%1$d\"}".formatted(i));
      before = "n" + i;
    }
    return """
    {"name": "paces", "channels": {"log": {"reducer": "append", "default": []}},
     "nodes": [%s], "edges": [%s]}
    """
        .formatted(String.join(",", nodes), String.join(",", edges));
  }

  private void cycle(int kill, Replica victim, Replica other) throws InterruptedException {
    var runs = IntStream.range(0, RUNS).mapToObj(it -> "run-%d-%d".formatted(kill, it)).toList();
    for (int i = 0; i < RUNS; i++) {
      start(i % 2 == 0 ? victim : other, runs.get(i));
    }
    int before = random.nextInt(RUNS + 1); // the others are paused while nobody drives them
    runs.subList(0, before).forEach(it -> pause(other, it));
    victim.kill();
    runs.subList(before, RUNS).forEach(it -> pause(other, it));
    var stood = runs.stream().map(it -> awaitPaused(other, it)).toList();
    victim.start();
    victim.awaitReady();
    for (int i = 0; i < RUNS; i++) {
      var run = other.get("/v1/runs/" + runs.get(i));
      assertThat(run.body()).as("a paused run commits nothing").isEqualTo(stood.get(i).body());
      end(i % 2 == 0 ? victim : other, runs.get(i), run);
    }
  }

  private static void start(Replica replica, String run) {
    var body = "{\"graph\": \"paces\", \"id\": \"%s\", \"input\": {}}".formatted(run);
    assertThat(replica.post("/v1/runs", JSON, body).status()).isEqualTo(202);
  }

  private static void pause(Replica replica, String run) {
    var answer = replica.post("/v1/runs/%s/pause".formatted(run), JSON, "{}");
    assertThat(answer.status()).as(answer.toString()).isIn(200, 202);
  }

  private static Replica.Answer awaitPaused(Replica replica, String run) {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> replica.get("/v1/runs/" + run), it -> it.text("status").equals("interrupted"));
  }

  /// Steps once, and goes on to the end.
  private static void end(Replica replica, String run, Replica.Answer paused) {
    assertThat(((ObjectValue) paused.get("breakpoint")).get("when")).isEqualTo(Value.of("pause"));
    var path = "/v1/runs/%s/".formatted(run);
    assertThat(replica.post(path + "step", JSON, "{}").status()).isEqualTo(202);
    var stepped = awaitPaused(replica, run);
    assertThat(stepped.number("superstep")).isEqualTo(paused.number("superstep") + 1);
    assertThat(replica.post(path + "resume", JSON, "{}").status()).isEqualTo(202);
    var ended =
        Awaitility.await()
            .atMost(Duration.ofMinutes(2))
            .until(
                () -> replica.get("/v1/runs/" + run), it -> it.text("status").equals("succeeded"));
    var log = ((ObjectValue) ended.get("output")).get("log");
    var all = IntStream.range(0, STEPS).mapToObj(String::valueOf).toArray(String[]::new);
    assertThat(log).isEqualTo(ListValue.texts(all));
    assertThat(replica.get(path + "verify").status()).isEqualTo(200);
  }
}
