package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.fault.Replica.Answer;
import dev.superstep.fault.extension.Halt;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.awaitility.Awaitility;

/// A node that ends every process that runs it, beside a long call: two deaths make both runs
/// suspects, the third one says which of them it was (durability.md, rule 10).
record ThirdDeath() implements Scenario {
  private static final String POISON = "/poison";
  private static final String LONG = "/long";

  @Override
  public String name() {
    return "a third death";
  }

  @Override
  public Cluster.Options options(Path folder) throws Exception {
    var settings = new HashMap<>(ExtensionJar.of(folder, Halt.class));
    settings.put("SUPERSTEP_TAKEOVERSMAX", "2");
    return Cluster.Options.of(1).lease(Duration.ofSeconds(3)).with(settings);
  }

  @Override
  public void play(Stage stage) throws Exception {
    var cluster = stage.cluster();
    try (var calls = new Calls()) {
      define(cluster, calls.url());
      start(cluster, "long");
      calls.await(LONG, 1);
      start(cluster, "poison");
      for (int death = 1; death <= 2; death++) {
        calls.await(POISON, death);
        calls.await(LONG, death);
        die(stage, calls);
      }
      driveTheSuspects(stage, calls);

      var failed = ended(cluster, "poison", "failed");
      assertThat(failed.get("error").toString()).contains("poison_run");
      ended(cluster, "long", "succeeded");
      assertThat(takeovers(cluster, "long")).isZero();
      assertThat(calls.arrived(POISON)).isEqualTo(3);

      calls.harmless = true;
      calls.answers.release();
      cluster.post("/v1/runs/poison/resume", "application/json", "{}");
      ended(cluster, "poison", "succeeded");
      Verdict.ofStore(stage);
    }
  }

  /// In the third process. Either may be the first; a run that is new goes through beside it.
  private static void driveTheSuspects(Stage stage, Calls calls) {
    var cluster = stage.cluster();
    await("the first suspect", () -> calls.arrived(POISON) + calls.arrived(LONG) > 4);
    start(cluster, "plain");
    ended(cluster, "plain", "succeeded");
    assertThat(calls.arrived(POISON) + calls.arrived(LONG)).as("driven at a time").isEqualTo(5);
    calls.end.countDown();
    calls.await(POISON, 3);
    die(stage, calls);
  }

  /// Lets the node go on that ends its process, and starts the process again.
  private static void die(Stage stage, Calls calls) {
    var replica = stage.cluster().replicas().getFirst();
    calls.answers.release();
    replica.awaitEnd();
    stage.tally().fault("processes ended by a node");
    replica.start();
  }

  private static void define(Cluster cluster, String url) {
    define(
        cluster,
        "poison",
        "type: function, config: { function: halt, arguments: { url: '%s' } }"
            .formatted(url + POISON));
    define(cluster, "long", "type: http, config: { url: '%s' }".formatted(url + LONG));
    define(cluster, "plain", "type: expression, config: { update: { noted: true } }");
  }

  private static void define(Cluster cluster, String graph, String node) {
    cluster.define(
        """
        name: %s
        nodes: [ { id: only, %s } ]
        edges: [ { from: __start__, to: only } ]
        """
            .formatted(graph, node));
  }

  /// The run is called like its graph.
  private static void start(Cluster cluster, String graph) {
    var body = "{\"id\":\"%s\",\"graph\":\"%s\",\"input\":{}}".formatted(graph, graph);
    var answer = cluster.post("/v1/runs", "application/json", body);
    assertThat(answer.status()).as("%s", answer.body()).isIn(200, 202);
  }

  private static Answer ended(Cluster cluster, String run, String status) {
    return Awaitility.await(run + " has " + status)
        .atMost(Duration.ofMinutes(1))
        .until(() -> cluster.get("/v1/runs/" + run), it -> it.text("status").equals(status));
  }

  private static long takeovers(Cluster cluster, String run) {
    return cluster
        .jdbc()
        .sql("select takeovers from run where id = ?")
        .param(run)
        .query(Long.class)
        .single();
  }

  private static void await(String what, Callable<Boolean> condition) {
    Awaitility.await(what)
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(50))
        .until(condition);
  }

  /// What the nodes call, and where they wait.
  private static final class Calls implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Integer> arrivals = new ConcurrentHashMap<>();

    /// One for each call of the poison; whether its process goes on then, is said by the answer.
    final Semaphore answers = new Semaphore(0);

    /// Of the long calls.
    final CountDownLatch end = new CountDownLatch(1);

    volatile boolean harmless;

    Calls() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", this::serve);
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    int arrived(String path) {
      return arrivals.getOrDefault(path, 0);
    }

    void await(String path, int calls) {
      ThirdDeath.await(calls + " calls of " + path, () -> arrived(path) >= calls);
    }

    private void serve(HttpExchange exchange) throws IOException {
      try (exchange) {
        var path = exchange.getRequestURI().getPath();
        arrivals.merge(path, 1, Integer::sum);
        if (path.equals(POISON)) {
          answers.acquire();
        } else {
          end.await();
        }
        exchange.sendResponseHeaders(path.equals(POISON) && !harmless ? 200 : 204, -1);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      end.countDown();
      server.stop(0);
    }
  }
}
