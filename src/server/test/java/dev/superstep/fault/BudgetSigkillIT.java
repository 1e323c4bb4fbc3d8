package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.stub.Asked;
import dev.superstep.model.stub.OpenAiStub;
import dev.superstep.model.stub.Reply;
import java.math.BigDecimal;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A budget of 5.00 and two replicas of the packaged jar: 64 callers have runs call a model, each
/// replica is killed with SIGKILL on the way, and the provider counts what it charges.
class BudgetSigkillIT {
  private static final int CALLERS = 64;
  private static final long SEED = Long.getLong("budget.seed", 31);
  private static final BigDecimal BUDGET = new BigDecimal("5.00");
  private static final int TOKENS_MAX = 20;

  /// Of the budget, in tokens of 0.001.
  private static final long QUARTER = 1_250;

  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final String JSON = "application/json";

  private static final String GRAPH =
      """
      name: spends
      channels: { messages: { reducer: messages } }
      nodes:
        - { id: a, type: llm, retry: { max_attempts: 5, initial_interval: 10ms } }
        - { id: b, type: llm, retry: { max_attempts: 5, initial_interval: 10ms } }
      edges: [{ from: __start__, to: a }, { from: a, to: b }]
      """;

  private static final String RUN =
      """
      {"graph": "spends", "input": {"messages": [{"role": "user", "content": "go"}]}}
      """;

  @TempDir private Path folder;
  private final AtomicLong charged = new AtomicLong();
  private final Random random = new Random(SEED);

  /// Charges before it answers, whether its answer arrives or not.
  private synchronized Reply answer(Asked ignored) {
    int tokens = random.nextInt(1, TOKENS_MAX + 1);
    charged.addAndGet(tokens);
    var answer =
        """
        {"model": "small-1", "choices": [{"message": {"role": "assistant", "content": "so"},
         "finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": %d}}
        """
            .formatted(tokens);
    return new Reply.Late(
        Duration.ofMillis(random.nextInt(5, 150)),
        new Reply.Status(200, answer, Map.of("Content-Type", JSON)));
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void neverHasAProviderChargeMoreThanTheBudget() throws Exception {
    try (var model = OpenAiStub.start(0, this::answer);
        var replicas = new ReplicaPair(folder, settings(model.url()))) {
      replicas.start();
      var killed = replicas.first();
      var other = replicas.second();
      assertThat(other.post("/v1/graphs", "application/yaml", GRAPH).status()).isEqualTo(201);

      spend(killed, other);

      var sum = new BigDecimal(charged.get()).movePointLeft(3);
      assertThat(sum).isLessThanOrEqualTo(BUDGET).isGreaterThan(new BigDecimal("3.00"));
      var row =
          replicas
              .jdbc()
              .sql("select money, money_reserved from budget_window")
              .query((it, _) -> List.of(it.getBigDecimal(1), it.getBigDecimal(2)))
              .single();
      System.out.printf(
          "seed %d: charged %s, settled %s, still reserved %s%n",
          SEED, sum, row.getFirst(), row.getLast());
      assertThat(row.getFirst().add(row.getLast()))
          .isGreaterThanOrEqualTo(sum)
          .isLessThanOrEqualTo(BUDGET);
    }
  }

  /// Until the budget is used up.
  private void spend(Replica killed, Replica other) throws InterruptedException {
    var over = new AtomicBoolean();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CALLERS; i++) {
        var replica = i % 2 == 0 ? killed : other;
        callers.execute(() -> {
          while (!over.get()) {
            start(replica);
          }
        });
      }
      try {
        killAfter(QUARTER, killed);
        killAfter(3 * QUARTER, other);
        killed.awaitReady();
        other.awaitReady();
        awaitQuiet();
      } finally {
        over.set(true);
      }
    }
  }

  private void killAfter(long tokens, Replica replica) throws InterruptedException {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> charged.get() > tokens);
    replica.kill();
    replica.start();
  }

  private static void start(Replica replica) {
    var request =
        replica
            .request("/v1/runs?wait=5s")
            .header("Content-Type", JSON)
            .POST(BodyPublishers.ofString(RUN));
    if (replica.once(request, 8).status() != 200) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /// For longer than a lease: runs of the replica that was killed are taken over.
  private void awaitQuiet() {
    var seen = new AtomicLong();
    Awaitility.await()
        .pollInterval(Duration.ofMillis(200))
        .during(Duration.ofSeconds(3))
        .atMost(Duration.ofMinutes(1))
        .until(() -> seen.getAndSet(charged.get()) == charged.get());
  }

  /// A token of output costs 0.001.
  private static Map<String, String> settings(String url) {
    var json =
        """
        {"superstep": {
          "models": {"small": {"base-url": "%s", "model": "small-1", "options": {"max-tokens": %d},
                               "prices": {"input": 0, "output": 1000}}},
          "budgets": {"all": {"money": %s}}}}
        """
            .formatted(url, TOKENS_MAX, BUDGET);
    return Map.of(
        "SUPERSTEP_LEASE", "2s", "SUPERSTEP_TAKEOVERSMAX", "20", "SPRING_APPLICATION_JSON", json);
  }
}
