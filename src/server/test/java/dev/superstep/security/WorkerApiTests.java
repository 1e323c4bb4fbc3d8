package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Workers over plain HTTP (E52).
@KeyedApiTest
class WorkerApiTests extends WorkerCalls {
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

  private ObjectValue queue(String key, String type) {
    return items(send("GET", key, "/v1/tasks/queues", "")).stream()
        .map(ObjectValue.class::cast)
        .filter(it -> it.text("type").equals(type))
        .findFirst()
        .orElse(ObjectValue.empty());
  }

  /// Slices of wide supersteps are in the same table, and replicas are their workers.
  @Test
  void reachesNoSlice() {
    graph("sliced", "charge-sliced");
    run("sliced");
    var token = UUID.randomUUID();
    jdbc.sql(
            """
            insert into task (id, run, graph, superstep, node, number, wakes_below, type, attempt,
                              idempotency_key, payload, heartbeat_ms, state, claims, token, worker,
                              lease_until)
            select '*/sliced', id, graph, superstep + 1, '__start__', 1, 0, '*', 1, '1', '{}', 9000,
                   'claimed', 1, :token, 'replica', clock_timestamp() + interval '1 hour'
              from run where graph = 'sliced'
            """)
        .param("token", token)
        .update();
    var row = "select task::text from task where id = '*/sliced'";
    var before = jdbc.sql(row).query(String.class).single();

    var calls =
        Map.of("heartbeat", "\"progress\":1", "outcome", "\"result\":1", "steps", "\"from\":0");
    for (var id : List.of("*/sliced", "*%2Fsliced", "%2A%2Fsliced", "sliced")) {
      calls.forEach((call, member) -> {
        var reply = post("alpha", "/v1/tasks/" + id + "/" + call, body(token.toString(), member));
        assertThat(reply.status()).as(id + "/" + call).isIn(400, 404);
      });
      var reply =
          post("alpha", "/v1/tasks/" + id + "/release", "{\"token\":\"%s\"}".formatted(token));
      assertThat(reply.status()).as(id + "/release").isIn(400, 404);
    }
    assertThat(post("alpha", "/v1/tasks/claim?type=*", "").code()).isEqualTo("invalid_parameter");
    assertThat(queue("alpha", "*").has("type")).isFalse();
    assertThat(jdbc.sql(row).query(String.class).single()).isEqualTo(before);
    jdbc.sql("delete from task where id = '*/sliced'").update();
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
    waits("yours-works-1");
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
    List.of("mine", "yours")
        .forEach(it -> post("alpha", "/v1/runs/%s-works-1/cancel".formatted(it), "{}"));
  }

  /// E52: scope `work`, bound to types.
  @Test
  void claimsWhatItsKeyIsBoundTo() {
    graph("bound-pays", "bound.pay");
    graph("bound-mails", "mail");
    var payer = key("payer", "\"roles\":[\"worker\"],\"task_types\":[\"bound.*\"]");
    var mailer =
        key("mailer", "\"roles\":[\"worker\"],\"task_types\":[\"mail\"],\"graphs\":[\"bound-*\"]");
    assertThat(post(payer, "/v1/tasks/claim?type=bound.pay&type=mail", "").body())
        .satisfies(it -> assertThat(it.text("code")).isEqualTo("insufficient_scope"))
        .satisfies(it -> assertThat(it.text("scope")).isEqualTo("work:mail"));
    run("bound-pays");
    run("bound-mails");
    waits("bound-pays-0");
    waits("bound-mails-0");
    assertThat(types(payer)).containsExactly("bound.pay");
    assertThat(types(mailer)).containsExactly("mail");

    var pays = claim(payer, "bound.pay");
    var mails = claim(mailer, "mail");
    assertThat(types(payer)).containsExactly("bound.pay");
    for (var call :
        List.of(
            Map.entry("heartbeat", "\"progress\":1"),
            Map.entry("steps", "\"from\":0"),
            Map.entry("outcome", "\"result\":{}"))) {
      var path = "/v1/tasks/%s/%s".formatted(mails.text("id"), call.getKey());
      var sent = body(mails.text("token"), call.getValue());
      assertThat(post(payer, path, sent).code()).as(call.getKey()).isEqualTo("task_not_found");
      assertThat(post(mailer, path, sent).status()).as(call.getKey()).isBetween(200, 299);
    }
    assertThat(
            post(
                    payer,
                    "/v1/tasks/%s/release".formatted(mails.text("id")),
                    "{\"token\":\"%s\"}".formatted(mails.text("token")))
                .code())
        .isEqualTo("task_not_found");
    assertThat(
            post(
                    payer,
                    "/v1/tasks/" + pays.text("id") + "/outcome",
                    body(pays.text("token"), "\"result\":{\"receipt\":\"r\"}"))
                .status())
        .isEqualTo(204);
  }

  private List<String> types(String key) {
    return items(send("GET", key, "/v1/tasks/queues", "")).stream()
        .map(it -> ((ObjectValue) it).text("type"))
        .toList();
  }

  /// A release before reads the graphs of a key, and not its types: it must find another digest.
  @Test
  void makesNoKeyThatAReleaseBeforeTakesForOneOfMoreTypes() throws Exception {
    var limited = key("limited", "\"roles\":[\"worker\"],\"graphs\":[\"g\"]");
    var typed = key("typed", "\"roles\":[\"worker\"],\"graphs\":[\"g\"],\"task_types\":[\"t\"]");
    assertThat(digest("limited")).isEqualTo(sha256("limited " + limited));
    assertThat(digest("typed"))
        .isNotEqualTo(sha256("limited " + typed))
        .isNotEqualTo(sha256(typed));
  }

  private byte[] digest(String name) {
    return jdbc.sql("select digest from api_key where name = :name")
        .param("name", name)
        .query(byte[].class)
        .single();
  }

  private static byte[] sha256(String text) throws NoSuchAlgorithmException {
    return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
  }
}
