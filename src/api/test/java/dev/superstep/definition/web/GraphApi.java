package dev.superstep.definition.web;

import static org.assertj.core.api.Assertions.assertThat;

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

/// Sends raw requests to the service under test.
record GraphApi(HttpClient client, int port) {
  static final String YAML = "application/yaml";
  static final String JSON = "application/json";

  GraphApi(int port) {
    this(HttpClient.newHttpClient(), port);
  }

  Answer post(String path, String type, String body, String... headers) {
    var request = request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request);
  }

  Answer post(String path, String type, byte[] body) {
    var publisher = BodyPublishers.ofByteArray(body);
    return send(request(path).header("Content-Type", type).POST(publisher));
  }

  Answer postGraph(String yaml, String... headers) {
    return post("/v1/graphs", YAML, yaml, headers);
  }

  Answer get(String path, String... headers) {
    var request = request(path).GET();
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request);
  }

  Answer delete(String path) {
    return send(request(path).DELETE());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
  }

  private Answer send(HttpRequest.Builder request) {
    try {
      return new Answer(client.send(request.build(), BodyHandlers.ofString()));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  record Answer(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String body() {
      return response.body();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    Value at(String pointer) {
      return Pointer.find(Json.read(body()), pointer)
          .orElseThrow(() -> new AssertionError("nothing at " + pointer + " in " + body()));
    }

    String text(String pointer) {
      return at(pointer) instanceof Value.Text(var text) ? text : Json.write(at(pointer));
    }

    Answer hasStatus(int expected) {
      assertThat(status()).as(body()).isEqualTo(expected);
      return this;
    }
  }
}
