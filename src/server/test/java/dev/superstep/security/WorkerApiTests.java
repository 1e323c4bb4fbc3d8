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
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Workers over plain HTTP (E52).
@KeyedApiTest
class WorkerApiTests {
  private static final String NO_TOKEN = "00000000-0000-4000-8000-000000000000";

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;

  private record Reply(int status, ObjectValue body) {
    String code() {
      return body.findText("code").orElse("");
    }
  }

  @Test
  void executesATaskAsAWorkerWhoMayDoNothingElse() {
    graph("pays", "charge-pays");
    var worker = key("pays-worker", "\"roles\":[\"worker\"]");
    assertThat(post(worker, "/v1/runs", "{\"graph\":\"pays\",\"input\":{}}").code())
        .isEqualTo("insufficient_scope");
    post("alpha", "/v1/runs", "{\"graph\":\"pays\",\"id\":\"pays-1\",\"input\":{\"order\":7}}");

    var task = claim(worker, "charge-pays");
    assertThat(task.findText("run_id")).contains("pays-1");
    assertThat(task.get("input")).isEqualTo(ObjectValue.of("order", 7));
    var id = task.findText("id").orElseThrow();
    var token = task.findText("token").orElseThrow();
    var beat =
        post(worker, "/v1/tasks/" + id + "/heartbeat", body(token, "\"progress\":{\"at\":1}"));
    assertThat(beat.body().get("wanted")).isEqualTo(Value.TRUE);
    var outcome = body(token, "\"result\":{\"receipt\":\"r-7\"}");
    assertThat(post(worker, "/v1/tasks/" + id + "/outcome", outcome).status()).isEqualTo(204);
    assertThat(post(worker, "/v1/tasks/" + id + "/outcome", outcome).status())
        .as("once more")
        .isEqualTo(204);

    var run = send("GET", "alpha", "/v1/runs/pays-1?wait=20s", "");
    assertThat(run.body().findText("status")).contains("succeeded");
    assertThat(run.body().objectOrEmpty("output").findText("receipt")).contains("r-7");
    assertThat(post(worker, "/v1/tasks/" + id + "/outcome", body(token, "\"result\":{}")).code())
        .isEqualTo("task_lease_lost");
  }

  @Test
  void refusesWhoIsNoWorker() {
    var runner = key("no-worker", "\"roles\":[\"runner\",\"operator\"]");
    assertThat(post(runner, "/v1/tasks/claim?type=x", "").code()).isEqualTo("insufficient_scope");
    assertThat(post(runner, "/v1/tasks/t/outcome", body(NO_TOKEN, "\"result\":1")).code())
        .isEqualTo("insufficient_scope");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          claim                         |                                     | invalid_parameter
          claim?type=a/b                |                                     | invalid_parameter
          claim?type=a&max=101          |                                     | invalid_parameter
          claim?type=a&wait=61s         |                                     | invalid_parameter
          t/heartbeat                   | {}                                  | missing_field
          t/heartbeat                   | {"token":"x"}                       | invalid_value
          t/heartbeat                   | {"token":"TOKEN"}                   | task_not_found
          t/outcome                     | {"token":"TOKEN"}                   | invalid_request
          t/outcome                     | {"token":"TOKEN","result":1,"error":{"code":"x","message":"y"}} | invalid_request
          t/outcome                     | {"token":"TOKEN","error":{"code":"X Y","message":"y"}} | invalid_value
          t/outcome                     | {"token":"TOKEN","error":{"code":"x","message":"y","retry_after":"25h"}} | invalid_value
          t/outcome                     | {"token":"TOKEN","error":{"code":"x","message":"y","retry_after":"999999999999d"}} | invalid_value
          t/outcome                     | {"token":"TOKEN","error":{"code":"x","message":"y","retry_after":"24h"}} | task_not_found
          t/outcome                     | {"token":"TOKEN","result":1}        | task_not_found
          t/release                     | {}                                  | missing_field
          t/release                     | {"token":"TOKEN"}                   | task_not_found
          """)
  void refusesWhatIsWrong(String path, String body, String code) {
    var sent = body == null ? "" : body.replace("TOKEN", NO_TOKEN);
    assertThat(post("alpha", "/v1/tasks/" + path, sent).code()).isEqualTo(code);
  }

  @Test
  void refusesWhatIsTooLong() {
    var progress = body(NO_TOKEN, "\"progress\":\"%s\"".formatted("x".repeat(16_384)));
    assertThat(post("alpha", "/v1/tasks/t/heartbeat", progress).code()).isEqualTo("invalid_value");
    var fits = body(NO_TOKEN, "\"progress\":\"%s\"".formatted("x".repeat(16_000)));
    assertThat(post("alpha", "/v1/tasks/t/heartbeat", fits).code()).isEqualTo("task_not_found");
    var result = body(NO_TOKEN, "\"result\":\"%s\"".formatted("x".repeat(4_200_000)));
    assertThat(post("alpha", "/v1/tasks/t/outcome", result).code()).isEqualTo("invalid_value");
  }

  @Test
  void failsATaskWhoseWorkerGivesSomethingElse() {
    graph("mistaken", "charge-mistaken");
    post(
        "alpha",
        "/v1/runs",
        "{\"graph\":\"mistaken\",\"id\":\"mistaken-1\",\"input\":{\"order\":1}}");
    var task = claim("alpha", "charge-mistaken");
    post(
        "alpha",
        "/v1/tasks/" + task.findText("id").orElseThrow() + "/outcome",
        body(task.findText("token").orElseThrow(), "\"result\":{\"receipt\":7}"));

    var run = send("GET", "alpha", "/v1/runs/mistaken-1?wait=20s", "").body();
    assertThat(run.objectOrEmpty("error").findText("code")).contains("bad_node_result");
    assertThat(run.objectOrEmpty("error").findText("message"))
        .hasValueSatisfying(it -> assertThat(it).contains("output_schema").contains("/receipt"));
  }

  @Test
  void saysWhatWaitsAndWhoWorks() {
    graph("seen", "charge-seen");
    run("seen");
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> queue("alpha", "charge-seen").getOr("queued", Value.NULL), Value.of(1)::equals);
    var waits = queue("alpha", "charge-seen");
    assertThat(waits.getOr("claimed", Value.NULL)).isEqualTo(Value.of(0));
    assertThat(Instant.parse(waits.text("waiting_since"))).isBefore(Instant.now());
    assertThat(waits.getOr("workers", Value.NULL)).isEqualTo(ListValue.empty());
    post("alpha", "/v1/tasks/claim?type=charge-seen&worker=w-1", "");

    var queue = queue("alpha", "charge-seen");
    assertThat(queue.getOr("queued", Value.NULL)).isEqualTo(Value.of(0));
    assertThat(queue.getOr("claimed", Value.NULL)).isEqualTo(Value.of(1));
    assertThat(queue.has("waiting_since")).isFalse();
    var worker = (ObjectValue) ((ListValue) queue.getOr("workers", Value.NULL)).get(0);
    assertThat(worker.text("name")).isEqualTo("w-1");
    assertThat(worker.getOr("tasks", Value.NULL)).isEqualTo(Value.of(1));
    assertThat(Instant.parse(worker.text("last_claim"))).isBefore(Instant.now());

    var all = key("sees", "\"roles\":[\"viewer\"]");
    assertThat(queue(all, "charge-seen").has("type")).isTrue();
    var limited = key("sees-others", "\"roles\":[\"viewer\"],\"graphs\":[\"unseen\"]");
    assertThat(queue(limited, "charge-seen").has("type")).as("of another graph").isFalse();
    post("alpha", "/v1/runs/seen-0/cancel", "{}");
  }

  /// By a key of its own, since a key has few runs at a time.
  private void run(String graph) {
    var runner = key(graph + "-runner", "\"roles\":[\"runner\"]");
    var body = "{\"graph\":\"%1$s\",\"id\":\"%1$s-0\",\"input\":{\"order\":1}}".formatted(graph);
    var reply = post(runner, "/v1/runs", body);
    assertThat(reply.status()).as(reply.body().toString()).isBetween(200, 299);
  }

  private ObjectValue queue(String key, String type) {
    return items(send("GET", key, "/v1/tasks/queues", "")).stream()
        .map(ObjectValue.class::cast)
        .filter(it -> it.text("type").equals(type))
        .findFirst()
        .orElse(ObjectValue.empty());
  }

  /// Leases of milliseconds are lost by any pause.
  @Test
  void letsNoLeaseBeShorterThanASecond() {
    var graph =
        """
        {"name": "hasty", "channels": {"order": {}},
         "nodes": [{"id": "pay", "type": "worker", "config": {
           "task_type": "charge-hasty", "heartbeat": "1ms"}}],
         "edges": [{"from": "__start__", "to": "pay"}]}
        """;
    assertThat(post("alpha", "/v1/graphs", graph).status()).isEqualTo(201);
    run("hasty");
    var task = claim("alpha", "charge-hasty");
    assertThat(task.getOr("heartbeat_ms", Value.NULL)).isEqualTo(Value.of(1000));
    post("alpha", "/v1/runs/hasty-0/cancel", "{}");
  }

  /// That does not count as a claim.
  @Test
  void tellsTheNextWorkerOfStepsOfOneThatHasGivenBack() {
    graph("given", "charge-given");
    run("given");
    var first = claim("alpha", "charge-given");
    assertThat(first.getOr("repeated", Value.NULL)).isEqualTo(Value.of(false));
    step(first, "{\"ordinal\":0,\"name\":\"pay\",\"result\":1}");
    step(first, "{\"ordinal\":0,\"name\":\"pay\"}"); // a begin that is late
    var token = "{\"token\":\"%s\"}".formatted(first.text("token"));
    post("alpha", "/v1/tasks/" + first.text("id") + "/release", token);

    var next = claim("alpha", "charge-given");
    assertThat(next.getOr("repeated", Value.NULL)).isEqualTo(Value.of(true));
    assertThat(item(steps(next, "\"from\":0")).getOr("result", Value.NULL)).isEqualTo(Value.of(1));
    post("alpha", "/v1/runs/given-0/cancel", "{}");
  }

  @Test
  void claimsWithinTheReachOfItsKey() {
    graph("mine-works", "charge-reach");
    graph("yours-works", "charge-reach");
    post(
        "alpha",
        "/v1/runs",
        "{\"graph\":\"yours-works\",\"id\":\"yours-works-1\",\"input\":{\"order\":1}}");
    post(
        "alpha",
        "/v1/runs",
        "{\"graph\":\"mine-works\",\"id\":\"mine-works-1\",\"input\":{\"order\":1}}");
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() ->
            send("GET", "alpha", "/v1/runs/yours-works-1", "")
                .body()
                .findText("status")
                .filter("waiting"::equals)
                .isPresent());
    var mine = key("mine-worker", "\"graphs\":[\"mine-*\"],\"roles\":[\"worker\"]");

    assertThat(claim(mine, "charge-reach").findText("run_id")).contains("mine-works-1");
    assertThat(items(post(mine, "/v1/tasks/claim?type=charge-reach&max=9", ""))).isEmpty();
    var yours = claim("alpha", "charge-reach");
    var id = yours.findText("id").orElseThrow();
    assertThat(
            post(
                    mine,
                    "/v1/tasks/" + id + "/outcome",
                    body(yours.findText("token").orElseThrow(), "\"result\":{}"))
                .code())
        .isEqualTo("task_not_found");
  }

  /// E53: the next worker finds what the one before has recorded, and the one before changes
  /// nothing any more.
  @Test
  void givesTheNextWorkerTheStepsOfTheOneBefore() {
    graph("stepped", "charge-stepped");
    post(
        "alpha",
        "/v1/runs",
        "{\"graph\":\"stepped\",\"id\":\"stepped-1\",\"input\":{\"order\":1}}");
    var first = claim("alpha", "charge-stepped");
    assertThat(first.get("repeated")).isEqualTo(Value.FALSE);
    var receipt = "{\"ordinal\":0,\"name\":\"charge\",\"result\":{\"receipt\":\"r-1\"}}";
    assertThat(step(first, receipt).status()).isEqualTo(200);
    assertThat(item(step(first, receipt)).findText("status")).as("once more").contains("succeeded");
    assertThat(item(step(first, "{\"ordinal\":1,\"name\":\"mail\"}")).findText("status"))
        .contains("begun");
    lose(first);

    var second = claim("alpha", "charge-stepped");
    assertThat(second.get("repeated")).isEqualTo(Value.TRUE);
    assertThat(second.get("idempotency_key")).isEqualTo(first.get("idempotency_key"));
    assertThat(step(first, "{\"ordinal\":2,\"name\":\"late\",\"result\":1}").code())
        .isEqualTo("task_lease_lost");
    var recorded = items(steps(second, "\"from\":0"));
    assertThat(recorded.stream().map(it -> ((ObjectValue) it).textOrEmpty("name")))
        .containsExactly("charge", "mail");
    assertThat(((ObjectValue) recorded.get(0)).get("result"))
        .isEqualTo(ObjectValue.of("receipt", "r-1"));
    assertThat(((ObjectValue) recorded.get(1)).findText("status")).contains("lost");
    var other =
        step(second, "{\"ordinal\":0,\"name\":\"charge\",\"result\":{\"receipt\":\"r-2\"}}");
    assertThat(item(other).get("result"))
        .as("the first one stays")
        .isEqualTo(ObjectValue.of("receipt", "r-1"));
    var mismatch = step(second, "{\"ordinal\":0,\"name\":\"refund\",\"result\":1}");
    assertThat(mismatch.code()).isEqualTo("step_mismatch");
    assertThat(mismatch.body().textOrEmpty("detail")).contains("'charge'", "'refund'");
    var failed =
        step(
            second,
            "{\"ordinal\":2,\"name\":\"ship\",\"error\":{\"code\":\"full\",\"message\":\"no"
                + " room\"}}");
    assertThat(item(failed).objectOrEmpty("error").findText("code")).contains("full");
    assertThat(
            post(
                    "alpha",
                    "/v1/tasks/" + second.textOrEmpty("id") + "/outcome",
                    body(second.textOrEmpty("token"), "\"result\":{\"receipt\":\"r-1\"}"))
                .status())
        .isEqualTo(204);
    assertThat(step(second, receipt).code()).as("it has ended").isEqualTo("task_lease_lost");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {}                                                                      | missing_field
          {"token":"TOKEN"}                                                       | task_not_found
          {"token":"TOKEN","from":-1}                                             | invalid_value
          {"token":"TOKEN","from":1000}                                           | invalid_value
          {"token":"TOKEN","step":{}}                                             | invalid_request
          {"token":"TOKEN","step":{"ordinal":1000,"name":"a"}}                    | invalid_value
          {"token":"TOKEN","step":{"ordinal":0,"name":"a b"}}                     | invalid_value
          {"token":"TOKEN","step":{"ordinal":0,"name":"a","result":1,"error":{"code":"x","message":"y"}}} | invalid_request
          {"token":"TOKEN","step":{"ordinal":0,"name":"a","error":{"code":"X Y","message":"y"}}} | invalid_value
          {"token":"TOKEN","step":{"ordinal":999,"name":"a","result":null}}       | task_not_found
          """)
  void refusesWhatIsNoStep(String body, String code) {
    assertThat(post("alpha", "/v1/tasks/t/steps", body.replace("TOKEN", NO_TOKEN)).code())
        .isEqualTo(code);
  }

  @Test
  void boundsWhatStepsKeep() {
    graph("large-steps", "charge-large");
    post(
        "alpha",
        "/v1/runs",
        "{\"graph\":\"large-steps\",\"id\":\"large-steps-1\",\"input\":{\"order\":1}}");
    var task = claim("alpha", "charge-large");
    var large = "{\"ordinal\":%d,\"name\":\"a\",\"result\":\"%s\"}";
    assertThat(step(task, large.formatted(0, "x".repeat(4_200_000))).code())
        .isEqualTo("invalid_value");
    for (int i = 0; i < 16; i++) {
      assertThat(step(task, large.formatted(i, "x".repeat(4_150_000))).status()).isEqualTo(200);
    }
    assertThat(step(task, large.formatted(16, "x".repeat(4_150_000))).code())
        .isEqualTo("limit_exceeded");
    var page = steps(task, "\"from\":0");
    assertThat(page.body().get("more")).isEqualTo(Value.TRUE);
    assertThat(items(page).size()).isEqualTo(1);
  }

  private Reply step(ObjectValue task, String step) {
    return steps(task, "\"step\":" + step);
  }

  private Reply steps(ObjectValue task, String member) {
    return post(
        "alpha",
        "/v1/tasks/" + task.textOrEmpty("id") + "/steps",
        body(task.textOrEmpty("token"), member));
  }

  private static ObjectValue item(Reply reply) {
    assertThat(items(reply).size()).isEqualTo(1);
    return (ObjectValue) items(reply).get(0);
  }

  /// As if its worker had not been heard of in time.
  private void lose(ObjectValue task) {
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

  private ObjectValue claim(String key, String type) {
    var items = items(post(key, "/v1/tasks/claim?wait=20s&worker=w-1&type=" + type, ""));
    assertThat(items.size()).isEqualTo(1);
    return (ObjectValue) items.get(0);
  }

  private static ListValue items(Reply reply) {
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    return (ListValue) reply.body().getOr("items", Value.NULL);
  }

  private static String body(String token, String member) {
    return "{\"token\":\"" + token + "\"," + member + "}";
  }

  private void graph(String name, String type) {
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

  private String key(String name, String members) {
    return post("alpha", "/v1/keys", "{\"name\":\"" + name + "\"," + members + "}")
        .body()
        .findText("secret")
        .orElseThrow();
  }

  private Reply post(String key, String path, String body) {
    return send("POST", key, path, body);
  }

  private Reply send(String method, String key, String path, String body) {
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
