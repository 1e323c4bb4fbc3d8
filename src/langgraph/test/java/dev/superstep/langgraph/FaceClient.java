package dev.superstep.langgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Objects;

/// Calls the face as its clients do: JSON texts to paths below `/langgraph`.
public final class FaceClient {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private final String base;

  public FaceClient(int port) {
    this.base = "http://127.0.0.1:%d".formatted(port);
  }

  /// An answer.
  public record Reply(HttpResponse<String> response) {
    public int status() {
      return response.statusCode();
    }

    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    public String text() {
      return response.body();
    }

    public Value json() {
      return Json.read(response.body());
    }

    public ObjectValue object() {
      return (ObjectValue) json();
    }

    public ListValue list() {
      return (ListValue) json();
    }

    /// The JSON at this pointer, as text; a text without quotes.
    public String at(String pointer) {
      return find(json(), pointer);
    }

    public Reply ok() {
      assertThat(status()).as(text()).isEqualTo(200);
      return this;
    }

    public Reply is(int status, String code) {
      assertThat(status()).as(text()).isEqualTo(status);
      assertThat(at("/code")).as(text()).isEqualTo(code);
      assertThat(header("Content-Type")).isEqualTo("application/json");
      return this;
    }
  }

  public static String find(Value json, String pointer) {
    var found = Pointer.find(json, pointer);
    return found
        .map(it -> it instanceof Value.Text text ? text.value() : Json.write(it))
        .orElse("");
  }

  public Reply get(String path) {
    return send("GET", "/langgraph" + path, null);
  }

  public Reply post(String path, String body) {
    return send("POST", "/langgraph" + path, body);
  }

  public Reply patch(String path, String body, String... headers) {
    return send("PATCH", "/langgraph" + path, body, headers);
  }

  public Reply delete(String path) {
    return send("DELETE", "/langgraph" + path, null);
  }

  /// Posts a graph and its name.
  public void graph(String yaml) {
    var reply = send("POST", "/v1/graphs", yaml, "Content-Type", "application/yaml");
    assertThat(reply.status()).as(reply.text()).isIn(200, 201);
  }

  /// Runs a graph by the other face.
  public ObjectValue run(String body) {
    var reply = send("POST", "/v1/runs?wait=30s", body);
    assertThat(reply.status()).as(reply.text()).isIn(200, 201, 202);
    return reply.object();
  }

  public Reply send(
      String method,
      String path,
      @org.jspecify.annotations.Nullable String body,
      String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create(base + path))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.setHeader("Content-Type", "application/json");
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    try {
      return new Reply(HTTP.send(request.build(), BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(Objects.requireNonNull(e));
    }
  }
}
