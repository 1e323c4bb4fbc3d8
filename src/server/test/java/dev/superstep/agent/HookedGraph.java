package dev.superstep.agent;

import static dev.superstep.agent.Service.at;
import static dev.superstep.agent.Service.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.fault.WebhookReceiver;
import dev.superstep.fault.WebhookReceiver.Received;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// A graph that asks, a webhook of its own, and a receiver: what tests of webhooks begin with.
abstract class HookedGraph {
  static final Duration SOON = Duration.ofSeconds(30);

  @LocalServerPort private int port;
  @Autowired JdbcClient jdbc;
  Service service = new Service(0);
  WebhookReceiver receiver = unset();
  String graph = "";
  String webhook = "";
  String secret = "";

  private static WebhookReceiver unset() {
    try {
      return new WebhookReceiver();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void begins() {
    service = new Service(port);
    graph = "hooked-" + UUID.randomUUID();
    service.graph(
        """
        name: %s
        channels: { messages: { reducer: messages, default: [] }, n: { reducer: sum } }
        nodes:
          - { id: ask, type: human, config: { payload: Well?, answer_to: said }, next: count }
          - { id: count, type: expression, config: { update: { n: 1 } } }
        """
            .formatted(graph));
  }

  @AfterEach
  void ends() {
    receiver.close();
    if (!webhook.isEmpty()) {
      service.delete("/v1/webhooks/" + webhook);
    }
  }

  void hook(String more) {
    var made =
        service.post(
            "/v1/webhooks",
            Json.read(
                "{\"url\": \"%s\", \"graphs\": [\"%s\"]%s}"
                    .formatted(receiver.url("/in"), graph, more)));
    webhook = text(made, "/id");
    secret = text(made, "/secret");
    assertThat(secret).as(made.toString()).startsWith("whsec_");
  }

  Value asks(String more) {
    var run =
        service.post(
            "/v1/runs?wait=30s",
            Json.read("{\"graph\": \"%s\", \"input\": {}%s}".formatted(graph, more)));
    assertThat(text(run, "/status")).as(run.toString()).isEqualTo("interrupted");
    return run;
  }

  List<Received> awaitReceived(int count) {
    await().atMost(SOON).until(() -> receiver.received().size() >= count);
    return receiver.received();
  }

  List<Value> deliveries(String query) {
    return at(service.get("/v1/webhooks/" + webhook + "/deliveries" + query), "/items")
            instanceof ListValue items
        ? items.stream().toList()
        : List.of();
  }

  void awaitStatuses(String... statuses) {
    await()
        .atMost(SOON)
        .untilAsserted(() ->
            assertThat(deliveries("").stream().map(it -> text(it, "/status")))
                .containsExactlyInAnyOrder(statuses));
  }

  /// The next attempts come now.
  void hurry() {
    jdbc.sql(
            "update delivery set next_at = clock_timestamp() where webhook = ? and status ="
                + " 'pending'")
        .param(webhook)
        .update();
  }

  void patch(String body) throws IOException {
    var request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/v1/webhooks/%s".formatted(port, webhook)))
            .header("Content-Type", "application/json")
            .method("PATCH", BodyPublishers.ofString(body));
    try (var client = HttpClient.newHttpClient()) {
      assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
