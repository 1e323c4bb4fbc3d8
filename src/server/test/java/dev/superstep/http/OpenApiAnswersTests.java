package dev.superstep.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.json.Schemas;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What the service really answers is what its document says: status, media type, `Location`, body.
@ApiTest
class OpenApiAnswersTests {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String GRAPH =
      "name: answers\nnodes: [{id: a, type: router}]\nedges: [{from: __start__, to: a}]\n";

  @LocalServerPort private int port;
  private ObjectValue document = ObjectValue.empty();

  @BeforeEach
  void reads() {
    var answer = send(request("/v3/api-docs").GET());
    document = (ObjectValue) Json.read(answer.body());
    send("POST", "/v1/graphs", "application/yaml", GRAPH);
  }

  @Test
  void answersToGraphsAsItsDocumentSays() {
    var path = "/v1/graphs";
    var name = "answers-" + port;
    var yaml = GRAPH.replace("answers", name);
    check(path, 201, send("POST", path, "application/yaml", yaml));
    check(path, 200, send("POST", path, "application/yaml", yaml));
    check(path, 422, send("POST", path, "application/yaml", "name: Wrong Name"));
    check(path, 400, send("POST", path, "application/json", "{"));
    check(path, 415, send("POST", path, "text/plain", "x"));
    check(path, 200, send(request(path).GET()));
    check(path, 406, send(request(path).header("Accept", "application/xml").GET()));
    check(path + "/{name}", 200, send(request(path + "/" + name).GET()));
    check(path + "/{name}", 404, send(request(path + "/none").GET()));
    check(path + "/{name}", 400, send(request(path + "/a%2Fb").GET()));
    check(path + "/validate", 200, send("POST", path + "/validate", "application/yaml", GRAPH));
    check(path + "/test", 200, send("POST", path + "/test", "application/yaml", GRAPH));
    check(path + "/test", 422, send("POST", path + "/test", "application/yaml", "name: Wrong"));
  }

  @Test
  void answersToRunsAsItsDocumentSays() {
    var path = "/v1/runs";
    var body = "{\"graph\":\"answers\",\"input\":{}}";
    check(path, 202, send("POST", path, "application/json", body));
    var run = send("POST", path + "?wait=30s", "application/json", body);
    check(path, 200, run);
    check(path, 422, send("POST", path, "application/json", "{}"));
    check(path, 200, send(request(path).GET()));
    check(path, 422, send(request(path + "?cursor=AAAA").GET()));
    check(path + "/{id}", 404, send(request(path + "/none").GET()));
    var one = run.headers().firstValue("Location").orElseThrow();
    check(path + "/{id}", 200, send(request(one).GET()));
    check(path + "/{id}/state", 200, send(request(one + "/state").GET()));
    var fork = path + "/{id}/fork";
    check(fork, 202, send("POST", one + "/fork", "application/json", "{\"checkpoint\":0}"));
    check(
        fork, 200, send("POST", one + "/fork?wait=30s", "application/json", "{\"checkpoint\":0}"));
    var cancel = path + "/{id}/cancel";
    check(cancel, 409, send("POST", one + "/cancel", "application/json", "{}"));
    check(cancel, 400, send("POST", one + "/cancel", "application/json", "{bad"));
    check(cancel, 415, send("POST", one + "/cancel", "text/plain", "x"));
  }

  @Test
  void answersToPreviewsAsItsDocumentSays() {
    var path = "/v1/context/preview";
    var body =
        """
        {"context": {"variables": {"a": 1}, "history": [{"node_id": "n"}]},
         "edge": {"id": "e", "context_filter": {"type": "conditional", "condition": "state.x"}},
         "node": {"type": "llm", "required_context": ["llm.*"]}}
        """;
    check(path, 200, send("POST", path, "application/json", body));
    check(path, 422, send("POST", path, "application/json", "{}"));
    check("/v1/context-transforms", 200, send(request("/v1/context-transforms").GET()));
    check("/v1/context-processors", 200, send(request("/v1/context-processors").GET()));
  }

  private void check(String path, int status, HttpResponse<String> answer) {
    var call = answer.request().method() + " " + path + " " + status;
    assertThat(answer.statusCode()).as(call + ": " + answer.body()).isEqualTo(status);
    var operation =
        member(
            document, List.of("paths", path, answer.request().method().toLowerCase(Locale.ROOT)));
    assertThat(member(operation, List.of("responses")).asMap())
        .as(call)
        .containsKey(Integer.toString(status));
    var declared = resolved(member(operation, List.of("responses", Integer.toString(status))));
    if (answer.headers().firstValue("Location").isPresent()) {
      assertThat(member(declared, List.of("headers")).asMap()).as(call).containsKey("Location");
    }
    var type = answer.headers().firstValue("Content-Type").orElseThrow().replaceAll(";.*", "");
    var schema = member(declared, List.of("content", type, "schema"));
    var whole = schema.plus("components", member(document, List.of("components")));
    assertThat(Schemas.compile(whole).check(Json.read(answer.body())))
        .as(call + ": " + answer.body())
        .isEmpty();
  }

  private ObjectValue resolved(ObjectValue object) {
    return object.get("$ref") instanceof Value.Text(var reference)
        ? (ObjectValue) Pointer.find(document, reference.substring(1)).orElseThrow()
        : object;
  }

  private static ObjectValue member(ObjectValue from, List<String> keys) {
    var found = from;
    for (var key : keys) {
      assertThat(found.asMap()).containsKey(key);
      found = (ObjectValue) found.getOr(key, Value.NULL);
    }
    return found;
  }

  private HttpResponse<String> send(String method, String path, String type, String body) {
    return send(
        request(path).header("Content-Type", type).method(method, BodyPublishers.ofString(body)));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
