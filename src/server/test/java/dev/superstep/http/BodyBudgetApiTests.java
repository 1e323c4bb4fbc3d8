package dev.superstep.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.BodyBudget.Share;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.unit.DataSize;

/// The bytes that the bodies of all requests may have together.
@ApiTest
@Timeout(60)
class BodyBudgetApiTests {
  private static final int LARGE = 100_000;

  @LocalServerPort private int port;
  @Autowired private BodyBudget budget;
  private final HttpClient client = HttpClient.newHttpClient();
  private final MockHttpServletRequest others = new MockHttpServletRequest();
  private long all;

  /// A share of a budget that nobody else has.
  static Share unused() {
    var size = DataSize.ofMegabytes(100);
    return new BodyBudget(new RequestSettings(size, size, Duration.ofSeconds(1)))
        .share(new MockHttpServletRequest());
  }

  @BeforeEach
  void looks() {
    all = budget.free();
  }

  @AfterEach
  void frees() {
    BodyBudget.release(others);
    client.close();
  }

  /// As requests in flight do that hold all of it.
  private void fill() {
    budget.share(others).cover(all + BodyBudget.FREE_BYTES);
  }

  private HttpResponse<String> post(int bytes) throws Exception {
    var body = "{\"text\": \"%s\"}".formatted("x".repeat(bytes));
    var request =
        HttpRequest.newBuilder(URI.create("http://localhost:%d/v1/probe".formatted(port)))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void refusesALargeBodyForWhichThereIsNoRoomAndTakesSmallOnes() throws Exception {
    fill();
    var refused = post(LARGE);
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    assertThat(refused.body()).contains("overloaded", "superstep.requests.bodies-max");
    assertThat(post(10_000).statusCode()).isEqualTo(200);

    BodyBudget.release(others);
    assertThat(post(LARGE).statusCode()).isEqualTo(200);
  }

  @Test
  void waitsALittleForRoom() throws Exception {
    fill();
    var releasing =
        Thread.ofVirtual()
            .start(() -> {
              Awaitility.await().pollInterval(Duration.ofMillis(10)).until(budget::isAwaited);
              BodyBudget.release(others);
            });
    assertThat(post(LARGE).statusCode()).isEqualTo(200);
    releasing.join();
    Awaitility.await().until(() -> budget.free() == all);
  }

  @Test
  void takesWhatHasComeOfABodyAndGivesItBack() throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      var head =
          """
          POST /v1/probe HTTP/1.1
          Host: localhost
          Content-Type: application/json
          Content-Length: 1000000

          """;
      socket
          .getOutputStream()
          .write((head.replace("\n", "\r\n") + " ".repeat(LARGE)).getBytes(ISO_8859_1));
      // Not the million that it announces.
      Awaitility.await().until(() -> budget.free() <= all - LARGE + 2 * BodyBudget.FREE_BYTES);
      assertThat(budget.free()).isGreaterThan(all - 2 * LARGE);
    }
    Awaitility.await().until(() -> budget.free() == all);
    assertThat(post(LARGE).statusCode()).isEqualTo(200);
    Awaitility.await().until(() -> budget.free() == all);
  }
}
