package dev.superstep.run;

import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/// One call that reaches two replicas, because its client, or something on the way, sent it twice.
class PostRaceTests {
  private static final int ROUNDS = 15;
  private static TwoReplicas cluster;
  private static List<ConfigurableApplicationContext> replicas;

  @BeforeAll
  static void start() throws Exception {
    cluster = ReplicasTellEachOther.services();
    replicas = cluster.startTwo();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /// I11
  @Test
  void makesOneRunOfOneCallThatReachesTwoReplicas() throws Exception {
    cluster.graphs().add(graph("raced").node("a", says("a")).edge("__start__", "a"));
    try (var client = HttpClient.newHttpClient();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < ROUNDS; round++) {
        var key = "race-" + round;
        var calls = new ArrayList<Callable<String>>();
        replicas.forEach(it -> calls.add(() -> post(client, it, key)));
        replicas.forEach(it -> calls.add(() -> post(client, it, key)));
        var ids = new ArrayList<String>();
        for (var call : executor.invokeAll(calls)) {
          ids.add(call.get());
        }
        assertThat(ids).allMatch(ids.getFirst()::equals);
      }
    }
    assertThat(cluster.on(replicas.getFirst()).count("run")).isEqualTo(ROUNDS);
  }

  /// @return id of the run; while the first call is still running, asks again
  private static String post(HttpClient client, ConfigurableApplicationContext at, String key)
      throws Exception {
    var port = at.getEnvironment().getRequiredProperty("local.server.port");
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/runs"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(HttpRequest.BodyPublishers.ofString("{\"graph\": \"raced\", \"input\": {}}"))
            .build();
    while (true) {
      var answer = client.send(request, BodyHandlers.ofString());
      if (answer.statusCode() != 409) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        return Pointer.find(Json.read(answer.body()), "/id").orElseThrow().toString();
      }
    }
  }
}
