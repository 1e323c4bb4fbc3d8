package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// One tenant holds every place of two replicas with endless loops, and has ten thousand runs more
/// in the queue, of several keys and graphs. The runs of another, which has one at a time, begin as
/// soon as if it were alone, but for a second.
///
/// Wants a machine of its own, so it is no part of the build: it runs like `NeighboursIT`.
/// `-Dneighbours.seconds` says for how long each half measures.
@Isolated("it measures time")
class TenantNeighboursIT {
  private static final Duration LATER = Duration.ofSeconds(1);
  private static final Duration MEASURED =
      Duration.ofSeconds(Integer.getInteger("neighbours.seconds", 60));

  /// How long the other tenant does nothing between two runs, so that each is a first one.
  private static final Duration PAUSE = Duration.ofMillis(100);

  private static final int KEYS = 8;
  private static final int GRAPHS = 4;
  private static final int QUEUED = 10_000;

  /// As many as hold the places of both, and some more that wait.
  private static final int STARTED = QUEUED + 2_400;

  private static final int WARM_UP = 200;
  private static final String OPERATOR = "operator-of-neighbours-0123456789";
  private static final String JSON = "application/json";

  /// One loop writes all the time, the other computes.
  private static final List<String> UPDATES =
      List.of(
          "{ n: \"{{ 1 }}\" }", "{ n: \"{{ sum(state.l.map(x, sum(state.l.map(y, x * y)))) }}\" }");

  private static final String ONE =
      """
      name: one
      nodes: [{ id: n, type: expression, config: { update: { n: "1" } } }]
      edges: [{ from: __start__, to: n }]
      """;

  @TempDir private Path folder;

  /// What became when of one run of the other tenant.
  ///
  /// @param sent and answered, as its client sees it; the rest as its events say
  private record FirstRun(
      Instant sent, Instant created, Instant started, Instant committed, Instant answered) {
    private static final Map<String, Function<FirstRun, Duration>> PARTS =
        new TreeMap<>(
            Map.of(
                "1 until it is stored", it -> Duration.between(it.sent, it.created),
                "2 until it begins", it -> Duration.between(it.created, it.started),
                "3 until its superstep", it -> Duration.between(it.started, it.committed),
                "4 until the answer", it -> Duration.between(it.committed, it.answered),
                "5 all", FirstRun::whole));

    Duration whole() {
      return Duration.between(sent, answered);
    }
  }

  @Test
  @Tag("neighbours")
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void delayTheFirstRunOfAnotherByLessThanASecond() throws Exception {
    var settings =
        Map.of(
            "SUPERSTEP_API_KEYS",
            OPERATOR,
            "SUPERSTEP_TENANTS_ENABLED",
            "true",
            // The client uses one after the other of many, and repeats no call on a closed one.
            "SERVER_TOMCAT_KEEPALIVETIMEOUT",
            "2m");
    try (var gate = new LoopGate();
        var replicas = new ReplicaPair(folder, settings)) {
      replicas.start();
      var quiet = key(replicas, "quiet", "quiet");
      graph(replicas, quiet, ONE);
      for (int i = 0; i < WARM_UP; i++) {
        first(i % 2 == 0 ? replicas.first() : replicas.second(), quiet);
      }
      var alone = firsts(replicas, quiet);
      print("alone", alone);

      start(replicas, gate.url());
      gate.open.countDown();
      var beside = firsts(replicas, quiet);
      print("beside loops and a queue", beside);

      assertThat(queued(replicas)).isGreaterThanOrEqualTo(QUEUED);
      var median = sorted(alone, FirstRun::whole).get(alone.size() / 2);
      assertThat(sorted(beside, FirstRun::whole).getLast()).isLessThan(median.plus(LATER));
    }
  }

  private static String key(ReplicaPair replicas, String tenant, String name) {
    var body =
        "{\"name\": \"%s\", \"tenant\": \"%s\", \"roles\": [\"author\", \"runner\"]}"
            .formatted(name, tenant);
    var made = send(replicas.first(), OPERATOR, "/v1/keys", JSON, body);
    assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    var secret = made.text("secret");
    awaitTaken(replicas.second(), secret);
    return secret;
  }

  /// A replica believes for a second that there is no key which another has made.
  private static void awaitTaken(Replica replica, String key) {
    var request = replica.request("/v1/graphs").header("Authorization", "Bearer " + key).GET();
    Awaitility.await().until(() -> replica.once(request, 60).status() == 200);
  }

  private static Replica.Answer send(
      Replica replica, String key, String path, String type, String body) {
    var request =
        replica
            .request(path)
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body));
    return replica.once(request, 60);
  }

  private static void graph(ReplicaPair replicas, String key, String text) {
    var posted = send(replicas.first(), key, "/v1/graphs", "application/yaml", text);
    assertThat(posted.status()).as("%s", posted.body()).isEqualTo(201);
  }

  /// Answers once it is open.
  private static final class LoopGate implements AutoCloseable {
    private final CountDownLatch open = new CountDownLatch(1);
    private final HttpServer server;

    LoopGate() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", this::answer);
      server.start();
    }

    private void answer(HttpExchange call) throws IOException {
      try (call) {
        open.await();
        call.sendResponseHeaders(204, -1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    String url() {
      return "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
    }

    @Override
    public void close() {
      open.countDown();
      server.stop(0);
    }
  }

  private static void start(ReplicaPair replicas, String gate) throws Exception {
    var keys =
        IntStream.range(0, KEYS).mapToObj(it -> key(replicas, "loud", "loud-" + it)).toList();
    for (int i = 0; i < GRAPHS; i++) {
      graph(replicas, keys.getFirst(), loop(i, gate));
    }
    var numbers = "1,2,3,4,5,6,7,8,9,".repeat(10) + "0";
    try (var threads = Executors.newFixedThreadPool(16)) {
      var starts = new ArrayList<CompletableFuture<Integer>>();
      for (int i = 0; i < STARTED; i++) {
        var replica = i % 2 == 0 ? replicas.first() : replicas.second();
        var key = keys.get(i / 2 % KEYS);
        var run =
            "{\"graph\": \"loop-%d\", \"input\": {\"l\": [%s]}}".formatted(i % GRAPHS, numbers);
        starts.add(
            CompletableFuture.supplyAsync(
                () -> send(replica, key, "/v1/runs", JSON, run).status(), threads));
      }
      for (var start : starts) {
        assertThat(start.get()).isEqualTo(202);
      }
    }
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> queued(replicas) >= QUEUED);
    System.out.println("runs of the loud tenant: " + statuses(replicas));
  }

  private static Map<String, Long> statuses(ReplicaPair replicas) {
    var found = new TreeMap<String, Long>();
    replicas
        .jdbc()
        .sql("select status, count(*) from run where id like 'loud/%' group by status")
        .query(row -> {
          found.put(row.getString(1), row.getLong(2));
        });
    return found;
  }

  private static long queued(ReplicaPair replicas) {
    return statuses(replicas).getOrDefault("queued", 0L);
  }

  private static List<FirstRun> firsts(ReplicaPair replicas, String key)
      throws InterruptedException {
    var found = new ArrayList<FirstRun>();
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < MEASURED.toNanos()) {
      found.add(first(found.size() % 2 == 0 ? replicas.first() : replicas.second(), key));
      TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
    }
    return found;
  }

  /// The gate is closed until all are there: else those that loop would have the processors for
  /// which the others wait to be started.
  private static String loop(int number, String gate) {
    return """
    name: loop-%d
    limits: { max_supersteps: 10000000, max_dispatches: 10000000 }
    nodes:
      - { id: gate, type: http, timeout: 10m, config: { mode: request, url: "%s", result: {} } }
      - { id: a, type: expression, config: { update: %s } }
    edges: [{ from: __start__, to: gate }, { from: gate, to: a }, { from: a, to: a }]
    """
        .formatted(number, gate, UPDATES.get(number % UPDATES.size()));
  }

  private static FirstRun first(Replica replica, String key) {
    var sent = Instant.now();
    var run = send(replica, key, "/v1/runs?wait=50s", JSON, "{\"graph\": \"one\", \"input\": {}}");
    var answered = Instant.now();
    assertThat(run.text("status"))
        .as("%d after %s: %s", run.status(), Duration.between(sent, answered), run.body())
        .isEqualTo("succeeded");
    var request =
        replica
            .request("/v1/runs/" + run.text("id") + "/events")
            .header("Authorization", "Bearer " + key)
            .GET();
    var at = new TreeMap<String, Instant>();
    for (var event : (ListValue) replica.once(request, 60).get("items")) {
      var it = (ObjectValue) event;
      at.put(text(it, "type"), Instant.parse(text(it, "at")));
    }
    return new FirstRun(
        sent,
        Objects.requireNonNull(at.get("run.created")),
        Objects.requireNonNull(at.get("run.started")),
        Objects.requireNonNull(at.get("superstep.committed")),
        answered);
  }

  private static String text(ObjectValue object, String member) {
    return object.getOr(member, Value.NULL) instanceof Value.Text(var text) ? text : "";
  }

  private static List<Duration> sorted(List<FirstRun> runs, Function<FirstRun, Duration> part) {
    return runs.stream().map(part).sorted().toList();
  }

  private static void print(String how, List<FirstRun> runs) {
    System.out.printf("%d first runs of a tenant, %s, in ms:%n", runs.size(), how);
    FirstRun.PARTS.forEach((part, took) -> {
      var all = sorted(runs, took);
      System.out.printf(
          "  %-24s p50 %6d   p99 %6d   max %6d%n",
          part,
          all.get(all.size() / 2).toMillis(),
          all.get((all.size() - 1) * 99 / 100).toMillis(),
          all.getLast().toMillis());
    });
  }
}
