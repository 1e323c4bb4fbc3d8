package dev.superstep.run.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The calls that tests of what starts runs make.
abstract class TriggerCalls {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @LocalServerPort private int port;
  @Autowired JdbcClient jdbc;
  @Autowired ScheduledStarts starts;

  /// Of the last key that was made.
  String keyId = "";

  /// With which calls are made; empty: without.
  String key = "";

  HttpResponse<String> send(String method, String path, String body, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return HTTP.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpResponse<String> call(String method, String path, String type, String body) {
    return key.isEmpty()
        ? send(method, path, body, "Content-Type", type)
        : send(method, path, body, "Content-Type", type, "Authorization", "Bearer " + key);
  }

  HttpResponse<String> json(String method, String path, String body) {
    return call(method, path, "application/json", body);
  }

  HttpResponse<String> post(String yaml) {
    return call("POST", "/v1/graphs", "application/yaml", yaml);
  }

  static ObjectValue done(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return (ObjectValue) Json.read(answer.body());
  }

  ObjectValue get(String path) {
    return done(json("GET", path, ""));
  }

  /// Goes on with a key of a tenant, made by the operator's.
  void key(String tenant, String roles) {
    key = "alpha";
    var body =
        "{\"name\": \"k-%s\", \"tenant\": \"%s\", \"roles\": [%s]}"
            .formatted(UUID.randomUUID(), tenant, roles);
    var made = done(json("POST", "/v1/keys", body));
    keyId = made.textOrEmpty("id");
    key = made.textOrEmpty("secret");
  }
}
