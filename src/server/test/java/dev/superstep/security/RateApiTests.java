package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/// Requests that come too soon, as callers see it.
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "superstep.api-keys=alpha,beta",
      "superstep.rates.caller=1",
      "superstep.rates.burst=5s"
    })
@Import(TestDatabase.class)
class RateApiTests {
  private static final int REQUESTS = 200;

  @LocalServerPort private int port;

  private HttpRequest request(String path, String key) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
        .header("Authorization", "Bearer " + key)
        .build();
  }

  @Test
  void refusesRequestsOfACallerWhoMakesTooMany() throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < REQUESTS; i++) {
        answers.add(http.sendAsync(request("/v1/graphs", "alpha"), BodyHandlers.ofString()));
      }
      var refused = new ArrayList<HttpResponse<String>>();
      for (var answer : answers) {
        var got = answer.get(1, TimeUnit.MINUTES);
        if (got.statusCode() != 200) {
          refused.add(got);
        }
      }

      assertThat(refused).hasSizeBetween(1, REQUESTS - 5);
      assertThat(refused)
          .allSatisfy(it -> {
            assertThat(it.statusCode()).isEqualTo(429);
            assertThat(it.headers().firstValue("Retry-After")).contains("1");
            assertThat(it.body()).contains("\"code\":\"rate_limited\"", "\"retry_after\":1");
          });
      var other = http.send(request("/v1/graphs", "beta"), BodyHandlers.ofString());
      assertThat(other.statusCode()).isEqualTo(200);
    }
  }
}
