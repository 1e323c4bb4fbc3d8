package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.superstep.database.TestDatabase;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeFunction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/// One key does all it can; the runs of another end soon all the same. `-Dsuperstep.shares.scale`
/// sets a multiple of the load, `-Dsuperstep.shares.within-ms` what is soon.
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "superstep.api-keys=many,few",
      "superstep.runs.max=32",
      "superstep.tasks.max=32",
      "superstep.egress.allow=127.0.0.1:*",
      "superstep.models.shared.provider=stub",
      "superstep.models.shared.model=shared-1",
      "superstep.models.shared.script[0].call[0].name=shared",
      "superstep.tools.stub.shared.answer=done"
    })
@Import({TestDatabase.class, SharesApiTests.SharedWork.class})
class SharesApiTests {
  @TestConfiguration(proxyBeanMethods = false)
  static class SharedWork {
    @Bean("shared_work")
    NodeFunction sharedWork() {
      return (_, _, _) -> FunctionResult.done();
    }
  }

  private static final int SCALE = Integer.getInteger("superstep.shares.scale", 1);
  private static final Duration WITHIN =
      Duration.ofMillis(Integer.getInteger("superstep.shares.within-ms", 10_000));
  private static final int MEASURED = 5;
  private static final int POSTERS = 8;

  private final HttpClient http = HttpClient.newHttpClient();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();
  private HttpServer slow;
  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;

  @BeforeEach
  void serves() throws IOException {
    slow = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    slow.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    slow.createContext(
        "/",
        exchange -> {
          try (exchange) {
            gate.await();
            exchange.sendResponseHeaders(204, -1);
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    slow.createContext(
        "/soon",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(204, -1);
          }
        });
    slow.start();
  }

  @AfterEach
  void ends() {
    over.set(true);
    gate.countDown();
    try (var callers = Executors.newFixedThreadPool(POSTERS)) {
      for (var run : active()) {
        callers.execute(
            () -> send("many", "/v1/runs/" + run + "/cancel", "application/json", "{}"));
      }
    }
    await().atMost(Duration.ofMinutes(2)).until(() -> active().isEmpty());
    slow.stop(0);
  }

  private List<String> active() {
    return jdbc.sql(
            """
            select id from run
             where status in ('queued', 'running', 'waiting', 'cancelling') and graph <> 'one'
            """)
        .query((row, _) -> row.getString(1))
        .list();
  }

  private List<String> ends(String graph) {
    return jdbc.sql(
            "select distinct status || ' ' || coalesce(convert_from(error, 'UTF8'), '') from run"
                + " where graph = ?")
        .param(graph)
        .query((row, _) -> row.getString(1))
        .list();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "loop   |  60 | { id: a, type: expression, config: { update: { n: 1 } }, next: a }",
        "switch |  60 | { id: a, type: expression, config: { update: { n: 1 } },"
            + " switch: [{ when: 'state.n == 1', to: a }, { else: __end__ }] }",
        "slow   |  60 | { id: a, type: http, config: { mode: request, url: 'SLOW', result: {} } }",
        "wait   |  60 | { id: a, type: wait, config: { for: 100ms }, next: a }",
        "calls  |  40 | { id: a, type: http, config: { mode: request, url: 'SOON', result: {} },"
            + " next: b }, { id: b, type: function, config: { function: shared_work }, next: c }, {"
            + " id: c, type: subgraph, config: { graph: one, result: {} }, next: d }, { id: d,"
            + " type: llm, config: { model: shared, prompt: go }, next: e }, { id: e, type: tool,"
            + " next: a }",
        "wide   |  10 | { id: a, type: expression, targets: [b], config: { dispatch:"
            + " \"{{ fan_out('b', lists.range(1000), 'x') }}\" } }, { id: b, type: expression,"
            + " config: { update: { n: '{{ input.x }}' } }, next: a }",
        "flood  | 200 | { id: a, type: expression, config: { update: { n: 1 } } }"
      })
  void leavesTheOtherKeyItsShare(String name, int runs, String nodes) throws Exception {
    var url = "http://127.0.0.1:" + slow.getAddress().getPort() + "/";
    define("one", "{ id: a, type: expression, config: { update: { n: 1 } } }");
    define(name, nodes.replace("SLOW", url).replace("SOON", url + "soon"));
    var posting = begin(name, runs * SCALE, name.equals("flood"));

    var took = new ArrayList<Duration>();
    for (int i = 0; i < MEASURED; i++) {
      long begun = System.nanoTime();
      var answer = start("few", "one", "?wait=30s");
      took.add(Duration.ofNanos(System.nanoTime() - begun));
      assertThat(answer.body()).contains("\"status\":\"succeeded\"");
    }

    var first = took.getFirst();
    took.sort(null);
    System.out.printf(
        "shares: %s of %d runs: first %d ms, median %d ms, longest %d ms%n",
        name,
        runs * SCALE,
        first.toMillis(),
        took.get(MEASURED / 2).toMillis(),
        took.getLast().toMillis());
    assertThat(took.getLast()).as(name).isLessThan(WITHIN);
    if (!name.equals("flood")) {
      assertThat(active()).as(() -> "goes on: " + ends(name)).isNotEmpty();
    }
    over.set(true);
    for (var thread : posting) {
      thread.join();
    }
  }

  /// Starts so many runs, and goes on as a flood does.
  private List<Thread> begin(String graph, int runs, boolean goesOn) {
    var left = new AtomicInteger(runs);
    var posting = new ArrayList<Thread>();
    for (int i = 0; i < POSTERS; i++) {
      posting.add(
          Thread.ofVirtual()
              .start(() -> {
                while (!over.get() && (left.getAndDecrement() > 0 || goesOn)) {
                  start("many", graph, "");
                  served.incrementAndGet();
                }
              }));
    }
    await().atMost(Duration.ofMinutes(2)).until(() -> served.get() >= runs);
    return posting;
  }

  private void define(String name, String nodes) {
    var graph =
        "name: %s\nchannels: { n: {}, messages: { reducer: messages } }\nlimits: { max_supersteps: 100000 }\nnodes: [%s]\n"
            .formatted(name, nodes);
    var answer = send("many", "/v1/graphs", "application/yaml", graph);
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
  }

  private HttpResponse<String> start(String key, String graph, String query) {
    var body = "{\"graph\":\"%s\",\"input\":{}}".formatted(graph);
    return send(key, "/v1/runs" + query, "application/json", body);
  }

  private HttpResponse<String> send(String key, String path, String type, String body) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", type)
            .timeout(Duration.ofMinutes(2))
            .POST(BodyPublishers.ofString(body))
            .build();
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(path, e);
    }
  }
}
