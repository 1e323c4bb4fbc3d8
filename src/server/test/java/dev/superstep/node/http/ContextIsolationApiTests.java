package dev.superstep.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/// What leaves the process.
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    // the same context as that of MembershipApiTests
    properties = {
      "management.server.port=0",
      "superstep.egress.allow=127.0.0.1:*",
      "superstep.lease=1s"
    })
@Import(TestDatabase.class)
class ContextIsolationApiTests {
  private static final String GRAPH =
      """
      name: ctx-http
      context:
        template: "You are {{ variables.role }}."
        variables: { secret: { key: s3cret }, open: { x: 1 }, role: clerk }
      nodes:
        - id: call
          type: http
          context_type: filter_out
          context_filter: { rules: [{ type: exclude, pattern: secret.* }] }
          config: { url: "URL/function" }
        - id: ask
          type: http
          context_type: filter_out
          context_filter: { rules: [{ type: exclude, pattern: secret.* }] }
          config:
            mode: request
            url: "URL/request"
            method: POST
            body: { all: "{{ variables }}", context: "{{ context }}", state: "{{ state }}", history: "{{ history }}" }
      edges:
        - { from: __start__, to: call }
        - { from: call, to: ask }
      """;

  @LocalServerPort private int port;

  private HttpResponse<String> post(String path, String type, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body))
            .build();
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    return answer;
  }

  /// P8, P9: neither mode of an HTTP node sends what the node's filter excludes; the function gets
  /// the node's view as `context`.
  @Test
  void sendsOnlyTheNodesView() throws Exception {
    try (var server = new TestServer()) {
      server.on("/function", 204, "").on("/request", 200, "{}", "Content-Type", "application/json");
      post("/v1/graphs", "application/yaml", GRAPH.replace("URL", server.url("")));
      var run =
          post(
              "/v1/runs?wait=30s",
              "application/json",
              "{\"graph\": \"ctx-http\", \"input\": {\"n\": 1}}");

      assertThat(run.body()).contains("\"succeeded\"");
      assertThat(server.requests).hasSize(2);
      assertThat(server.requests).noneMatch(it -> it.toString().contains("s3cret"));
      var context =
          (ObjectValue) server.requests.getFirst().json().getOr("context", Json.read("0"));
      assertThat(context.get("variables"))
          .isEqualTo(Json.read("{\"open.x\": 1, \"role\": \"clerk\"}"));
      assertThat(server.requests.getLast().body()).contains("open.x");
    }
  }
}
