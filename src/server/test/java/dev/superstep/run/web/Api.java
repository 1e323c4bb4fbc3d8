package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.client.EventsApi;
import dev.superstep.client.InterruptsApi;
import dev.superstep.client.RunsApi;
import dev.superstep.client.StateApi;
import dev.superstep.client.ThreadsApi;
import dev.superstep.client.http.ApiClient;
import dev.superstep.client.model.Run;
import dev.superstep.client.model.StartRun;
import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClientResponseException;

/// The service as its clients have it: through the generated client, and raw where requests are to
/// be malformed. Both send a request once: Apache's client would wait as long as a refusal says,
/// and try again.
final class Api {
  private static final HttpClient RAW = HttpClient.newHttpClient();
  private final String root;
  final RunsApi runs;
  final StateApi state;
  final ThreadsApi threads;
  final InterruptsApi interrupts;
  final EventsApi events;

  Api(int port) {
    root = "http://127.0.0.1:" + port;
    var client =
        new ApiClient(
                ApiClient.buildRestClientBuilder()
                    .requestFactory(new JdkClientHttpRequestFactory(RAW))
                    .build())
            .setBasePath(root);
    runs = new RunsApi(client);
    state = new StateApi(client);
    threads = new ThreadsApi(client);
    interrupts = new InterruptsApi(client);
    events = new EventsApi(client);
  }

  /// Posts a definition.
  void graph(String yaml) {
    var answer = send("POST", "/v1/graphs", "application/yaml", yaml);
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
  }

  /// Starts a run and waits for it to be at rest.
  Run run(String graph, Map<String, Object> input) {
    return runs.startRun(start(graph, input), null, "30s");
  }

  static StartRun start(String graph, Map<String, Object> input) {
    return new StartRun().graph(graph).input(input);
  }

  HttpResponse<String> get(String path, String... headers) {
    return send(request(path).GET(), headers);
  }

  HttpResponse<String> post(String path, String body, String... headers) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)),
        headers);
  }

  HttpResponse<String> send(String method, String path, String type, String body) {
    return send(
        request(path).header("Content-Type", type).method(method, BodyPublishers.ofString(body)));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(root + path));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request, String... headers) {
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return RAW.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// What is at a place of the answer; JSON null if nothing is.
  static Value at(HttpResponse<String> answer, String pointer) {
    return Pointer.find(Json.read(answer.body()), pointer).orElse(Value.NULL);
  }

  static void assertProblem(HttpResponse<String> answer, int status, String code) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(at(answer, "/code")).as(answer.body()).isEqualTo(Value.of(code));
  }

  static void assertRefused(ThrowingCallable call, int status, String code) {
    var refusal = catchThrowableOfType(RestClientResponseException.class, call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.getStatusCode().value())
        .as(refusal.getResponseBodyAsString())
        .isEqualTo(status);
    assertThat(refusal.getResponseBodyAsString()).contains("\"code\":\"%s\"".formatted(code));
  }
}
