package dev.superstep.compute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Small requests that once kept everybody waiting for a minute: they are refused, and others are
/// answered meanwhile, each time within a second (liveness) and two (a GET).
///
/// The bounds have to hold throughout one of a few volleys of a bomb: another process on the
/// machine makes one late now and then, whereas work that stands in the way of others does so in
/// each.
@ApiTest
@Timeout(300)
class BombApiTests {
  private static final Duration LIVENESS_MAX = Duration.ofSeconds(1);
  private static final Duration OTHERS_MAX = Duration.ofSeconds(2);
  private static final int AT_ONCE = 3;
  private static final int VOLLEYS_MAX = 3;

  @LocalServerPort private int port;
  @LocalManagementPort private int managementPort;

  private static Arguments evaluation(String expression, String state, int status) {
    var body =
        "{\"expression\": \"%s\", \"variables\": {\"state\": %s}}"
            .formatted(expression.replace("\\", "\\\\"), state);
    return Arguments.of("/v1/expressions/evaluate", "application/json", body, status);
  }

  private static Arguments graph(String rest) {
    return Arguments.of("/v1/graphs", "application/yaml", "name: bomb\n" + rest, 422);
  }

  static Stream<Arguments> bombs() {
    var text = "\"" + "é".repeat(200_000) + "\"";
    var segments =
        "nodes: [{id: a, type: expression, config: {update: {x: \"%s\"}}}]\n"
            .formatted("{{1}}".repeat(100_000));
    var schema = "channels: {x: {schema: {pattern: \"%s\"}}}\n".formatted("a{1000}".repeat(30_000));
    return Stream.of(
        evaluation("state.matches('(\\pL*){40}x')", text, 422),
        evaluation("lists.range(9000).all(i, !state.matches('[\\pL\\pN]' + string(i)))", text, 422),
        evaluation("tokens(state)", "\"" + "a".repeat(1 << 20) + "\"", 200),
        graph(segments),
        graph(schema),
        graph("limits: {supersteps: " + "1".repeat(1_000_000) + "}\n"));
  }

  @ParameterizedTest
  @MethodSource("bombs")
  void answersOthersWhileItDealsWith(String path, String type, String body, int status)
      throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://localhost:%d%s".formatted(port, path)))
              .header("Content-Type", type)
              .POST(BodyPublishers.ofString(body))
              .build();
      var late = Optional.<HttpTimeoutException>empty();
      for (int volley = 0; volley < VOLLEYS_MAX; volley++) {
        var answers =
            IntStream.range(0, AT_ONCE)
                .mapToObj(_ -> client.sendAsync(request, BodyHandlers.ofString()))
                .toList();
        late = lateAnswer(client, answers);
        for (var answer : answers) {
          assertThat(answer.join().statusCode()).as(answer.join().body()).isEqualTo(status);
          assertThat(answer.join().body()).hasSizeLessThan(5_000);
        }
        if (late.isEmpty()) {
          return;
        }
      }
      throw late.orElseThrow();
    }
  }

  /// Asks for others until the bombs have been dealt with.
  private Optional<HttpTimeoutException> lateAnswer(
      HttpClient client, List<? extends CompletableFuture<?>> bombs) throws Exception {
    var all = CompletableFuture.allOf(bombs.toArray(CompletableFuture[]::new));
    do {
      try {
        assertThat(live(client).statusCode()).isEqualTo(200);
        assertThat(get(client, port, "/v1/graphs?limit=1", OTHERS_MAX).statusCode()).isEqualTo(200);
      } catch (HttpTimeoutException e) {
        return Optional.of(e);
      }
    } while (!all.isDone());
    return Optional.empty();
  }

  @Test
  void livesWithoutVirtualThreads() throws Exception {
    var end = new AtomicBoolean();
    try (var client = HttpClient.newHttpClient()) {
      for (int i = Runtime.getRuntime().availableProcessors(); i > 0; i--) {
        Thread.ofVirtual()
            .start(() -> {
              while (!end.get()) {
                Thread.onSpinWait();
              }
            });
      }
      assertThat(livesInTime(client)).isTrue();
    } finally {
      end.set(true);
    }
  }

  private boolean livesInTime(HttpClient client) throws Exception {
    for (int i = 0; i < VOLLEYS_MAX; i++) {
      try {
        return live(client).statusCode() == 200;
      } catch (HttpTimeoutException _) {
        // Another process may have been in the way.
      }
    }
    return false;
  }

  private HttpResponse<String> live(HttpClient client) throws IOException, InterruptedException {
    return get(client, managementPort, "/actuator/health/liveness", LIVENESS_MAX);
  }

  private static HttpResponse<String> get(
      HttpClient client, int port, String path, Duration timeout)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://localhost:%d%s".formatted(port, path)))
            .timeout(timeout)
            .build();
    return client.send(request, BodyHandlers.ofString());
  }
}
