package dev.superstep.run.web;

import static dev.superstep.run.web.Api.assertProblem;
import static dev.superstep.run.web.Api.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.http.ApiTest;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What webhooks may not be, and may not reach.
@ApiTest
class WebhookRefusalApiTests {
  @LocalServerPort private int port;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
  }

  @Test
  void doesNotReachPrivateAddressesAndSaysSoInTheLog() {
    api.graph("{name: webhook-private, nodes: [{id: a, type: router}]}");
    var made =
        api.post(
            "/v1/webhooks",
            "{\"url\": \"http://127.0.0.1:1/x\", \"graphs\": [\"webhook-private\"]}");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    assertThat(made.headers().firstValue("cache-control")).contains("no-store");
    var path = "/v1/webhooks/" + ((Value.Text) at(made, "/id")).value();
    api.run("webhook-private", Map.of());

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() ->
            assertThat(api.get(path + "/deliveries").body())
                .contains("which HTTP nodes may not reach", "\"number\":1", "\"pending\""));

    assertThat(api.send("DELETE", path, "application/json", "").statusCode()).isEqualTo(204);
    assertProblem(api.get(path), 404, "webhook_not_found");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"url\": \"ftp://a\"} | /url",
        "{\"url\": \"https://u:p@a/\"} | /url",
        "{\"url\": \"https://a/\", \"events\": [\"run.started\"]} | /events/0",
        "{\"url\": \"https://a/\", \"events\": []} | /events",
        "{\"graphs\": [\"a\"]} | /url",
        "{\"url\": \"https://a/\", \"graphs\": [null]} | /graphs/0",
        "{\"url\": \"https://a/\", \"secret\": \"x\"} | /secret"
      })
  void refusesWhatIsNoWebhook(String body, String pointer) {
    var answer = api.post("/v1/webhooks", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
    assertThat(answer.body()).contains("\"" + pointer + "\"");
  }

  @Test
  void refusesUrlsOfRunsThatNothingSignsAndMoreMetaThanItCarries() {
    api.graph("{name: webhook-own, nodes: [{id: a, type: router}]}");
    var start = "{\"graph\": \"webhook-own\", \"input\": {}, %s}";
    assertThat(
            api.post("/v1/runs", start.formatted("\"webhooks\": [{\"url\": \"https://a/\"}]"))
                .body())
        .contains("make a webhook without url first");
    assertThat(
            api.post(
                    "/v1/runs",
                    start.formatted(
                        "\"callback_meta\": {\"a\": \"%s\"}".formatted("x".repeat(5_000))))
                .body())
        .contains("limit_exceeded", "/callback_meta");
    assertThat(api.post("/v1/runs", start.formatted("\"webhooks\": [{}]")).body())
        .contains("missing_field", "/webhooks/0/url");
  }
}
