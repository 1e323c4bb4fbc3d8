package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What tests of workers call.
abstract class WorkerCalls {
  static final String NO_TOKEN = "00000000-0000-4000-8000-000000000000";

  @LocalServerPort private int port;
  @Autowired JdbcClient jdbc;

  record Reply(int status, ObjectValue body) {
    String code() {
      return body.findText("code").orElse("");
    }
  }

  /// By a key of its own, since a key has few runs at a time.
  void run(String graph) {
    var runner = key(graph + "-runner", "\"roles\":[\"runner\"]");
    var body = "{\"graph\":\"%1$s\",\"id\":\"%1$s-0\",\"input\":{\"order\":1}}".formatted(graph);
    var reply = post(runner, "/v1/runs", body);
    assertThat(reply.status()).as(reply.body().toString()).isBetween(200, 299);
  }

  void waits(String run) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() ->
            send("GET", "alpha", "/v1/runs/" + run, "")
                .body()
                .findText("status")
                .filter("waiting"::equals)
                .isPresent());
  }

  Reply step(ObjectValue task, String step) {
    return steps(task, "\"step\":" + step);
  }

  Reply steps(ObjectValue task, String member) {
    return post(
        "alpha",
        "/v1/tasks/" + task.textOrEmpty("id") + "/steps",
        body(task.textOrEmpty("token"), member));
  }

  static ObjectValue item(Reply reply) {
    assertThat(items(reply).size()).isEqualTo(1);
    return (ObjectValue) items(reply).get(0);
  }

  /// As if its worker had not been heard of in time.
  void lose(ObjectValue task) {
    int lost =
        jdbc.sql(
                """
                update task set lease_until = clock_timestamp() - interval '1 second'
                 where id = :id
                """)
            .param("id", task.textOrEmpty("id"))
            .update();
    assertThat(lost).isEqualTo(1);
  }

  ObjectValue claim(String key, String type) {
    var items = items(post(key, "/v1/tasks/claim?wait=20s&worker=w-1&type=" + type, ""));
    assertThat(items.size()).isEqualTo(1);
    return (ObjectValue) items.get(0);
  }

  static ListValue items(Reply reply) {
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    return (ListValue) reply.body().getOr("items", Value.NULL);
  }

  static String body(String token, String member) {
    return "{\"token\":\"" + token + "\"," + member + "}";
  }

  void graph(String name, String type) {
    var created =
        post(
            "alpha",
            "/v1/graphs",
            """
            {"name": "%s",
             "channels": {"order": {}, "receipt": {}},
             "nodes": [{"id": "pay", "type": "worker", "config": {
               "task_type": "%s", "input": {"order": "{{ state.order }}"},
               "output_schema": {"type": "object", "properties": {"receipt": {"type": "string"}}},
               "result": {"update": {"receipt": "{{ response.receipt }}"}}}}],
             "edges": [{"from": "__start__", "to": "pay"}]}
            """
                .formatted(name, type));
    assertThat(created.status()).as(created.body().toString()).isIn(200, 201);
  }

  String key(String name, String members) {
    return post("alpha", "/v1/keys", "{\"name\":\"" + name + "\"," + members + "}")
        .body()
        .findText("secret")
        .orElseThrow();
  }

  Reply post(String key, String path, String body) {
    return send("POST", key, path, body);
  }

  Reply send(String method, String key, String path, String body) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    try (var client = HttpClient.newHttpClient()) {
      var response = client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
      var text = response.body();
      return new Reply(
          response.statusCode(),
          text.isEmpty()
              ? ObjectValue.empty()
              : (ObjectValue) Json.read(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
