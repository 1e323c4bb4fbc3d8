package dev.superstep.compute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.json.Json;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Requests that wait for a processor hold no connection to the database, and no lock of a run:
/// others are answered although more of them wait than there are connections.
@ApiTest
@Timeout(120)
class BusyPoolApiTests {
  /// More than `superstep.pools.web-max`.
  private static final int REQUESTS = 14;

  private static final Duration OTHERS_MAX = Duration.ofSeconds(8);

  @LocalServerPort private int port;
  @Autowired private ComputePool pool;
  @Autowired private ComputeSettings settings;
  private final HttpClient client = HttpClient.newHttpClient();
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Thread> busy = new ArrayList<>();

  @AfterEach
  void frees() throws InterruptedException {
    end.countDown();
    for (var thread : busy) {
      thread.join();
    }
    client.close();
  }

  /// Takes all threads of a part of the pool until the test ends.
  private void occupy(Consumer<Runnable> part) throws InterruptedException {
    int threads = Runtime.getRuntime().availableProcessors();
    var begun = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      busy.add(
          Thread.ofVirtual()
              .start(() ->
                  part.accept(() -> {
                    begun.countDown();
                    await();
                  })));
    }
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
  }

  /// Takes the places of those that wait for a thread, too.
  private void fill() throws InterruptedException {
    occupy(this::call);
    var refused = new CountDownLatch(1);
    for (int i = 0; i <= settings.queueMax(); i++) {
      busy.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  call(this::await);
                } catch (ServiceException _) {
                  refused.countDown();
                }
              }));
    }
    assertThat(refused.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private void call(Runnable work) {
    var _ =
        pool.call(() -> {
          work.run();
          return 1;
        });
  }

  private void await() {
    try {
      assertThat(end.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:%d%s".formatted(port, path)))
        .header("Content-Type", "application/json");
  }

  private CompletableFuture<HttpResponse<String>> post(
      String path, String body, String... headers) {
    var request = request(path).POST(BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.sendAsync(request.build(), BodyHandlers.ofString());
  }

  private static String definition(String name, String nodes) {
    return """
    {"name": "%s", "nodes": [%s], "edges": [{"from": "__start__", "to": "a"}]}
    """
        .formatted(name, nodes);
  }

  private void graph(String name, String nodes) {
    var definition = definition(name, nodes);
    var answer = post("/v1/graphs", definition).join();
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  /// Meanwhile the requests come in, and wait.
  private void othersAreAnswered() {
    var get = request("/v1/runs?limit=1").timeout(OTHERS_MAX).build();
    Awaitility.await()
        .during(Duration.ofSeconds(1))
        .atMost(Duration.ofSeconds(20))
        .until(() -> client.send(get, BodyHandlers.ofString()).statusCode() == 200);
  }

  private void areAccepted(List<CompletableFuture<HttpResponse<String>>> answers) {
    for (var answer : answers) {
      assertThat(answer.isDone()).as(() -> answer.join().body()).isFalse();
    }
    end.countDown();
    for (var answer : answers) {
      assertThat(answer.join().statusCode()).as(answer.join().body()).isEqualTo(202);
    }
  }

  @Test
  void startsOfAGraphThatHasToBeCompiled() throws Exception {
    var name = "busy-" + UUID.randomUUID();
    graph(name, "{\"id\": \"a\", \"type\": \"expression\", \"config\": {\"update\": {\"x\": 1}}}");
    occupy(work ->
        pool.run(() -> {
          work.run();
          return 1;
        }));
    var start = "{\"graph\": \"%s\", \"input\": {}}".formatted(name);
    var answers =
        IntStream.range(0, REQUESTS)
            .mapToObj(i ->
                switch (i % 3) {
                  case 0 -> post("/v1/runs", start, "Idempotency-Key", "key-" + i);
                  case 1 ->
                      post(
                          "/v1/runs",
                          start.replace("}}", "}, \"id\": \"%s-%d\"}".formatted(name, i)));
                  default ->
                      post(
                          "/v1/runs",
                          start.replace("}}", "}, \"thread_id\": \"%s-%d\"}".formatted(name, i)));
                })
            .toList();
    othersAreAnswered();
    areAccepted(answers);
  }

  /// That says nothing against the definition: it is taken once there is room.
  @ParameterizedTest
  @ValueSource(strings = {"/v1/graphs", "/v1/graphs/validate"})
  void definitionsThatFindNoRoomMayComeAgain(String path) throws Exception {
    var definition =
        definition(
            "busy-" + UUID.randomUUID(),
            "{\"id\": \"a\", \"type\": \"expression\", \"config\": {\"update\": {\"x\": 1}}}");
    fill();

    var refused = post(path, definition).get(20, TimeUnit.SECONDS);
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
    assertThat(refused.body()).contains("\"code\":\"overloaded\"");
    assertThat(refused.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();

    end.countDown();
    Awaitility.await().until(() -> post(path, definition).join().statusCode() < 300);
  }

  /// Body and schema are small enough to be read where they are, and too large together.
  @Test
  void answersThatHaveToBeChecked() throws Exception {
    var name = "busy-" + UUID.randomUUID();
    var schema = "{\"type\": \"string\", \"description\": \"%s\"}".formatted("d".repeat(20_000));
    graph(
        name,
        "{\"id\": \"a\", \"type\": \"human\", \"config\": {\"payload\": 1, \"answer_schema\": %s}}"
            .formatted(schema));
    var questions =
        IntStream.range(0, REQUESTS)
            .mapToObj(_ ->
                post("/v1/runs?wait=20s", "{\"graph\": \"%s\", \"input\": {}}".formatted(name)))
            .toList()
            .stream()
            .map(it -> it.join().body())
            .map(it -> (ObjectValue) Json.read(it))
            .toList();
    occupy(this::call);
    var value = "\"" + "v".repeat(60_000) + "\"";
    var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (var run : questions) {
      var id = ((Value.Text) Objects.requireNonNull(run.get("id"))).value();
      answers.add(
          post("/v1/runs/" + id + "/resume", "{\"answers\": [{\"value\": %s}]}".formatted(value)));
    }
    othersAreAnswered();
    areAccepted(answers);
  }
}
