package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The service over HTTP.
record Service(int port) {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /// Posts a definition that must be good.
  void graph(String yaml) {
    post(yaml);
  }

  /// The same, with the answer.
  Value post(String yaml) {
    var answer = send("POST", "/v1/graphs", "application/yaml", yaml);
    assertThat(at(answer, "/version")).as(answer.toString()).isNotEqualTo(Value.NULL);
    return answer;
  }

  /// Posts a bundle that must be good.
  void bundle(byte[] zip) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/graphs"))
            .header("Content-Type", "application/zip")
            .POST(BodyPublishers.ofByteArray(zip));
    var answer = Json.read(send(request, Map.of()));
    assertThat(at(answer, "/version")).as(answer.toString()).isNotEqualTo(Value.NULL);
  }

  /// The report on a definition's own tests.
  Value test(String yaml) {
    return send("POST", "/v1/graphs/test", "application/yaml", yaml);
  }

  /// What is wrong with a definition, as `code pointer`.
  List<String> problems(String yaml) {
    return said(yaml, "/errors").stream()
        .map(it -> text(it, "/code") + " " + text(it, "/pointer"))
        .toList();
  }

  /// The same with the messages.
  List<String> messages(String yaml) {
    return said(yaml, "/errors").stream().map(Service::message).toList();
  }

  /// What a definition is warned of, as `code pointer message`.
  List<String> warnings(String yaml) {
    return said(yaml, "/warnings").stream().map(Service::message).toList();
  }

  /// All that is said of a definition, in full; warnings with `warning: true`.
  List<Value> everything(String text) {
    var all = new ArrayList<>(said(text, "/errors"));
    said(text, "/warnings").forEach(it -> all.add(((ObjectValue) it).plus("warning", Value.TRUE)));
    return all;
  }

  private List<Value> said(String text, String key) {
    var type = text.startsWith("{") ? "application/json" : "application/yaml";
    return at(send("POST", "/v1/graphs/validate", type, text), key) instanceof ListValue problems
        ? problems.stream().toList()
        : List.of();
  }

  private static String message(Value problem) {
    return "%s %s %s"
        .formatted(text(problem, "/code"), text(problem, "/pointer"), text(problem, "/message"));
  }

  /// Starts a run and waits for it to be at rest.
  Value run(String graph, ObjectValue input) {
    var body = ObjectValue.of("graph", Value.of(graph)).plus("input", input);
    return post("/v1/runs?wait=30s", body);
  }

  /// With one user message.
  Value say(String graph, String words) {
    return run(graph, ObjectValue.of("messages", ListValue.of(user(words))));
  }

  static ObjectValue user(String words) {
    return ObjectValue.of("role", Value.of("user")).plus("content", Value.of(words));
  }

  /// Answers the open question of a run and waits.
  Value answer(Value run, String answer) {
    return answer(run, Json.read(answer));
  }

  Value answer(Value run, Value answer) {
    var interrupt = text(run, "/interrupts/0/id");
    return post(
        "/v1/interrupts/%s/answer?wait=30s".formatted(interrupt), ObjectValue.of("value", answer));
  }

  Value post(String path, Value body) {
    return send("POST", path, "application/json", Canonical.text(body));
  }

  Value post(String path, Value body, Map<String, String> headers) {
    return Json.read(
        send(request("POST", path, "application/json", Canonical.text(body)), headers));
  }

  /// For what answers nothing.
  void tell(String path, Value body) {
    assertThat(send(request("POST", path, "application/json", Canonical.text(body)), Map.of()))
        .isEmpty();
  }

  /// An event from outside.
  void event(String event) {
    assertThat(send(request("POST", "/v1/events", "application/cloudevents+json", event), Map.of()))
        .isEmpty();
  }

  /// Whatever is there, as it comes.
  String read(String path) {
    return send(request("GET", path, "application/json", ""), Map.of());
  }

  Value get(String path) {
    return send("GET", path, "application/json", "");
  }

  /// Answers nothing.
  void delete(String path) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).DELETE().build();
    try {
      assertThat(CLIENT.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(204);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Tries to delete what must not be.
  Value refusal(String path) {
    return send("DELETE", path, "application/json", "");
  }

  Value state(Value run) {
    return at(get("/v1/runs/%s/state".formatted(text(run, "/id"))), "/state");
  }

  private Value send(String method, String path, String type, String body) {
    return Json.read(send(request(method, path, type, body), Map.of()));
  }

  private HttpRequest.Builder request(String method, String path, String type, String body) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .header("Content-Type", type)
        .method(method, BodyPublishers.ofString(body));
  }

  private static String send(HttpRequest.Builder request, Map<String, String> headers) {
    headers.forEach(request::header);
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString()).body();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static Value at(Value answer, String pointer) {
    return Pointer.find(answer, pointer).orElse(Value.NULL);
  }

  static String text(Value answer, String pointer) {
    return at(answer, pointer) instanceof Value.Text(var text)
        ? text
        : at(answer, pointer).toString();
  }
}
