package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Pointer;
import dev.superstep.state.value.ListValue;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Two replicas share what a provider allows: 5,000 tasks get no 429, use what is allowed, and lose
/// nothing for longer than a lease when one of the two is killed.
@Isolated("a replica that gets no processor for a lease is taken for dead")
class ModelPaceIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int RUNS = 4;

  /// By when the places of those that are gone are passed over, on a busy machine.
  private static final Duration PASSED_OVER = Duration.ofSeconds(7);

  private static final String GRAPH =
      """
      name: paced
      channels:
        items: { reducer: last_value }
        said: { reducer: append }
      nodes:
        - { id: plan, type: expression, config: { dispatch: "{{ fan_out('ask', state.items, 'item') }}" }, targets: [ask] }
        - { id: ask, type: llm, config: { prompt: "Item {{ input.item }}", options: { max_tokens: 1200 }, result: { update: { said: ["{{ input.item }}"] } } } }
      edges:
        - { from: __start__, to: plan }
      """;

  @TempDir Path folder;

  /// @param perMinute requests
  private record Load(int perMinute, int tokensPerMinute, int tasks) {}

  /// In five times the pace, so that it takes little more than a minute.
  @Test
  @Tag("fault")
  @Timeout(value = 6, unit = TimeUnit.MINUTES)
  void sharesWhatTheProviderAllows() throws Exception {
    try (var pair = new Pair(new Load(300, 500_000, 5_000))) {
      pair.begin();
      pair.reach(Duration.ofSeconds(25));
      assertThat(pair.waiting()).isPositive();
      pair.kill();
      pair.reach(Duration.ofSeconds(75));

      assertThat(pair.provider.refused()).isEmpty();
      int lost = 300 * (int) LEASE.plus(PASSED_OVER).toSeconds() / 60;
      assertThat(pair.provider.answered(Duration.ZERO, Duration.ofSeconds(62)))
          .isGreaterThanOrEqualTo(300 * 95 / 100 - lost);
    }
  }

  @Test
  @Tag("fault")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void sharesSixtyRequestsAMinute() throws Exception {
    try (var pair = new Pair(new Load(60, 100_000, 5_000))) {
      pair.begin();
      pair.reach(MINUTE.multipliedBy(5));
      int together = pair.provider.answered(MINUTE, MINUTE.multipliedBy(5));
      pair.kill();
      pair.reach(MINUTE.multipliedBy(8));
      int alone = pair.provider.answered(MINUTE.multipliedBy(5), MINUTE.multipliedBy(8));

      System.out.printf(
          "60 requests a minute: %d of 240 by both, %d of 180 by one that is left, refused: %s%n",
          together, alone, pair.provider.refused());
      assertThat(pair.provider.refused()).isEmpty();
      assertThat(together).isGreaterThanOrEqualTo(240 * 95 / 100);
      assertThat(alone).isGreaterThanOrEqualTo(180 * 95 / 100 - (int) LEASE.toSeconds());
    }
  }

  /// Two replicas over one database, each with half of the tasks.
  private final class Pair implements AutoCloseable {
    private final Load load;
    private final LimitedProvider provider;
    private final ReplicaPair replicas;

    Pair(Load load) throws IOException, SQLException {
      this.load = load;
      provider = new LimitedProvider(load.perMinute(), load.tokensPerMinute());
      replicas =
          new ReplicaPair(
              folder,
              Map.of(
                  "SUPERSTEP_LEASE",
                  LEASE.toMillis() + "ms",
                  "SUPERSTEP_MODELS_M_MODEL",
                  "m",
                  "SUPERSTEP_MODELS_M_BASEURL",
                  provider.url(),
                  "SUPERSTEP_MODELS_M_REQUESTSPERMINUTE",
                  "" + load.perMinute(),
                  "SUPERSTEP_MODELS_M_TOKENSPERMINUTE",
                  "" + load.tokensPerMinute()));
    }

    void begin() {
      replicas.start();
      var posted = replicas.first().post("/v1/graphs", "application/yaml", GRAPH);
      assertThat(posted.status()).as("%s", posted.body()).isEqualTo(201);
      var items = new StringBuilder("0");
      for (int i = 1; i < load.tasks() / RUNS; i++) {
        items.append(',').append(i);
      }
      for (int i = 0; i < RUNS; i++) {
        var run =
            (i % 2 == 0 ? replicas.first() : replicas.second())
                .post(
                    "/v1/runs",
                    "application/json",
                    "{\"id\": \"r%d\", \"graph\": \"paced\", \"input\": {\"items\": [%s]}}"
                        .formatted(i, items));
        assertThat(run.status()).as("%s", run.body()).isBetween(200, 202);
      }
    }

    void reach(Duration time) {
      Awaitility.await()
          .atMost(time.plus(MINUTE))
          .pollInterval(Duration.ofMillis(200))
          .until(() -> provider.elapsed().compareTo(time) >= 0);
    }

    /// How many tasks of the first run are seen to wait.
    long waiting() {
      var tasks = replicas.second().get("/v1/runs/r0/tasks?status=waiting&limit=100");
      return Pointer.find(tasks.body(), "/items").map(it -> ((ListValue) it).size()).orElse(0);
    }

    void kill() throws InterruptedException {
      replicas.first().kill();
    }

    @Override
    public void close() {
      replicas.close();
      provider.close();
    }
  }
}
