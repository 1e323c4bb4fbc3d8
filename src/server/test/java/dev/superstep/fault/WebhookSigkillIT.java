package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two replicas of the packaged jar are killed with SIGKILL in turn while runs end and the receiver
/// of their webhook fails half of the time: each end is delivered, under one id, and nothing else.
/// The long form is `-Dwebhooks.runs=500 -Dwebhooks.kills=20`.
class WebhookSigkillIT {
  private static final int RUNS = Integer.getInteger("webhooks.runs", 40);
  private static final int KILLS = Integer.getInteger("webhooks.kills", 3);
  private static final long SEED = Long.getLong("webhooks.seed", 23);
  private static final String JSON = "application/json";
  private static final String GRAPH =
      """
      name: told
      channels: { n: { reducer: sum } }
      nodes:
        - { id: a, type: expression, config: { update: { n: 1 } }, next: pause }
        - { id: pause, type: wait, config: { for: 50ms }, next: b }
        - { id: b, type: expression, config: { update: { n: 1 } } }
      """;

  @TempDir private Path folder;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void deliversEveryEndWhateverDies() throws Exception {
    var random = new Random(SEED);
    try (var receiver = new WebhookReceiver();
        var replicas =
            new ReplicaPair(
                folder, Map.of("SUPERSTEP_LEASE", "2s", "SUPERSTEP_WEBHOOKS_TIMEOUT", "2s"))) {
      var secret = new AtomicReference<>("");
      receiver.answer(it -> it.verifies(secret.get()) ? (random.nextBoolean() ? 204 : 503) : 400);
      replicas.start();
      var first = replicas.first();
      assertThat(first.post("/v1/graphs", "application/yaml", GRAPH).status()).isEqualTo(201);
      var made =
          first.post(
              "/v1/webhooks",
              JSON,
              "{\"url\": \"%s\", \"events\": [\"run.succeeded\"]}".formatted(receiver.url("/")));
      assertThat(made.status()).isEqualTo(201);
      secret.set(made.text("secret"));
      int begun = 0;
      for (int kill = 0; kill < KILLS; kill++) {
        var other = kill % 2 == 0 ? replicas.second() : first;
        for (; begun < RUNS * (kill + 1) / KILLS; begun++) {
          var body = "{\"id\": \"t-%d\", \"graph\": \"told\", \"input\": {}}".formatted(begun);
          assertThat(other.post("/v1/runs", JSON, body).status()).isIn(200, 202);
        }
        var dying = kill % 2 == 0 ? first : replicas.second();
        LockSupport.parkNanos(random.nextLong(400_000_000));
        dying.kill();
        dying.start();
        dying.awaitReady();
      }
      int runs = begun;
      Awaitility.await()
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(() -> {
            replicas
                .jdbc()
                .sql(
                    """
                    update delivery set next_at = clock_timestamp()
                     where status = 'pending' and attempts > 0
                       and attempted_at < clock_timestamp() - interval '20 s'
                    """)
                .update();
            assertThat(delivered(replicas)).isEqualTo(runs);
          });
      check(receiver, runs);
      System.out.printf(
          "webhooks: seed %d, %d runs, %d kills, %d attempts%n",
          SEED, runs, KILLS, receiver.received().size());
    }
  }

  private static int delivered(ReplicaPair replicas) {
    return replicas
        .jdbc()
        .sql("select count(*) from delivery where status = 'delivered'")
        .query(Integer.class)
        .single();
  }

  private static void check(WebhookReceiver receiver, int runs) {
    var byRun = new HashSet<String>();
    var told = new HashSet<String>();
    for (var it : receiver.received()) {
      assertThat(Json.read(it.body())).isNotEqualTo(Value.NULL);
      byRun.add(it.text("/data/run_id") + " " + it.id());
      told.add(it.text("/data/run_id"));
    }
    assertThat(told).hasSize(runs);
    assertThat(byRun).as("each run has one delivery").hasSize(runs);
  }
}
