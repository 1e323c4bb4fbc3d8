package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// E50, E51: runs whose tasks wait for callbacks, and for an event, while one of two replicas is
/// killed with SIGKILL again and again: before, in and behind the call, the park and the answer.
/// Answers come early, late and twice. What was accepted counts, once.
class CallbackSigkillIT {
  private static final long SEED = Long.getLong("callback.seed", 51);
  private static final int RUNS = 10;
  private static final int ITEMS = 4;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String JSON = "application/json";

  private static final String GRAPH =
      """
      name: calls-back
      params: { service: { default: "http://127.0.0.1:PORT/" } }
      channels: { items: {}, taken: { reducer: append }, sum: { reducer: sum }, events: { reducer: append } }
      nodes:
        - { id: plan, type: expression, config: { dispatch: "{{ fan_out('submit', state.items, 'item') }}" }, targets: [submit] }
        - id: submit
          type: http
          config:
            mode: request
            method: POST
            url: "{{ params.service }}"
            body: { item: "{{ run.id + '/' + string(input.item) }}", token: "{{ callback.token }}" }
            callback: { deadline: 1h }
            result: { update: { taken: "{{ response }}", sum: 1 } }
        - id: hear
          type: wait
          config:
            event: { name: done, match: "event.data.run == run.id" }
            result: { update: { events: "{{ response.id }}" } }
        - id: hear-again
          type: wait
          config:
            event: { name: done, match: "event.data.run == run.id" }
            result: { update: { events: "{{ response.id }}" } }
      edges: [{ from: __start__, to: [plan, hear] }, { from: hear, to: hear-again }]
      """;

  @TempDir private Path folder;

  private final Random random = new Random(SEED);

  /// What was accepted, by item; of those whose answer was lost is not known.
  private final Map<String, String> accepted = new ConcurrentHashMap<>();

  private final Map<String, Set<String>> tokens = new ConcurrentHashMap<>();
  private final Set<String> twice = ConcurrentHashMap.newKeySet();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger early = new AtomicInteger();

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void countsEachAnswerOnceWhoeverDies() throws Exception {
    kill(Integer.getInteger("callback.kills", 2));
  }

  @Test
  @Tag("fault")
  @Timeout(value = 90, unit = TimeUnit.MINUTES)
  void countsEachAnswerOnceOverManyKills() throws Exception {
    kill(Integer.getInteger("callback.kills", 200));
  }

  private void kill(int kills) throws Exception {
    var settings =
        Map.of(
            "SUPERSTEP_LEASE", "2s",
            "SUPERSTEP_TAKEOVERSMAX", "20",
            "SUPERSTEP_EGRESS_ALLOW", "127.0.0.1:*");
    var outside = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    try (var replicas = new ReplicaPair(folder, settings);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      outside.setExecutor(threads);
      outside.createContext("/", exchange -> serve(exchange, replicas, threads));
      outside.start();
      replicas.start();
      var graph = GRAPH.replace("PORT", Integer.toString(outside.getAddress().getPort()));
      assertThat(replicas.first().post("/v1/graphs", "application/yaml", graph).status())
          .isEqualTo(201);
      play(replicas, threads, kills).forEach(it -> check(replicas.second(), it));
    } finally {
      outside.stop(0);
    }
    System.out.printf(
        "seed %d: %d kills, %d answers, %d early, %d refused%n",
        SEED, kills, accepted.size(), early.get(), refused.get());
    assertThat(twice).as("accepted twice").isEmpty();
    assertThat(early.get()).isPositive();
    assertThat(refused.get()).isPositive();
  }

  private List<String> play(ReplicaPair replicas, ExecutorService threads, int kills)
      throws InterruptedException {
    var runs = new ArrayList<String>();
    for (int i = 0; i < kills; i++) {
      var killed = i % 2 == 0 ? replicas.first() : replicas.second();
      var other = i % 2 == 0 ? replicas.second() : replicas.first();
      for (int n = 0; n < RUNS; n++) {
        var run = "calls-%d-%d".formatted(i, n);
        start(n % 3 == 0 ? other : killed, run);
        runs.add(run);
        for (var id : List.of("first", "second")) {
          int pause = random.nextInt(1_500);
          threads.execute(() -> send(replicas, run, id, pause));
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(100 + random.nextInt(900)).toNanos());
      killed.kill();
      killed.start();
      killed.awaitReady();
    }
    return runs;
  }

  private static void start(Replica replica, String run) {
    var items = ListValue.of(IntStream.range(0, ITEMS).<Value>mapToObj(Value::of).toList());
    var body =
        ObjectValue.of("graph", "calls-back")
            .plus("id", run)
            .plus("input", ObjectValue.of("items", items));
    var status =
        Awaitility.await(run)
            .atMost(PATIENCE)
            .until(
                () -> post(replica, "/v1/runs", JSON, Canonical.text(body)).status(),
                it -> it != 0);
    assertThat(status).as(run).isIn(202, 409);
  }

  private static void send(ReplicaPair replicas, String run, String id, int pause) {
    LockSupport.parkNanos(Duration.ofMillis(pause).toNanos());
    var event =
        ObjectValue.of("specversion", "1.0")
            .plus("id", run + "/" + id)
            .plus("source", "/test")
            .plus("type", "done")
            .plus("data", ObjectValue.of("run", run));
    for (int i = 0; ; i++) {
      var replica = i % 2 == 0 ? replicas.first() : replicas.second();
      var answer =
          post(replica, "/v1/events", "application/cloudevents+json", Canonical.text(event));
      if (answer.status() == 204) {
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }
  }

  /// Answers by two threads that race: at once and before the reply, or a while later.
  private void serve(HttpExchange exchange, ReplicaPair replicas, ExecutorService threads)
      throws IOException {
    try (exchange) {
      var sent = (ObjectValue) Json.read(exchange.getRequestBody().readAllBytes());
      var item = sent.textOrEmpty("item");
      var token = sent.textOrEmpty("token");
      boolean first = tokens.computeIfAbsent(item, _ -> ConcurrentHashMap.newKeySet()).add(token);
      boolean before = item.hashCode() % 2 == 0;
      if (first && before) {
        early.incrementAndGet();
        answer(replicas, item, token, "a");
      } else if (first) {
        var pause = Duration.ofMillis(Math.floorMod(item.hashCode(), 1_200));
        for (var value : List.of("a", "b")) {
          threads.execute(() -> {
            LockSupport.parkNanos(pause.toNanos());
            answer(replicas, item, token, value);
          });
        }
      }
      exchange.sendResponseHeaders(202, -1);
    }
  }

  private void answer(ReplicaPair replicas, String item, String token, String value) {
    var body = Canonical.text(Value.of(item + "=" + value));
    for (int i = 0; ; i++) {
      var replica = i % 2 == 0 ? replicas.second() : replicas.first();
      var answer = post(replica, "/v1/callbacks/" + token, JSON, body);
      if (answer.status() == 204) {
        if (accepted.put(item, value) != null) {
          twice.add(item);
        }
        return;
      }
      if (answer.status() == 409) {
        refused.incrementAndGet();
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }
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
    assertThat(state.get("sum")).as(run).isEqualTo(Value.of(ITEMS));
    var taken = state.listOrEmpty("taken").stream().map(Canonical::text).toList();
    assertThat(taken).as(run).hasSize(ITEMS).doesNotHaveDuplicates();
    for (int i = 0; i < ITEMS; i++) {
      var item = run + "/" + i;
      assertThat(tokens.get(item)).as("tokens of %s", item).hasSize(1);
      if (accepted.containsKey(item)) {
        assertThat(taken).contains("\"%s=%s\"".formatted(item, accepted.get(item)));
      }
    }
    assertThat(state.listOrEmpty("events").stream().map(Canonical::text))
        .as(run)
        .containsExactlyInAnyOrder("\"%s/first\"".formatted(run), "\"%s/second\"".formatted(run));
  }

  private static Replica.Answer post(Replica replica, String path, String type, String body) {
    return replica.once(
        replica.request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)), 8);
  }
}
