package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Answers from outside over HTTP (E51), by those who have a token and no key.
@KeyedApiTest
class CallbackApiTests extends WorkerCalls {
  private static final String NOBODY = "signature-of-a-service";

  @Test
  void endsATaskByItsTokenWithoutAKey() {
    var input = submitted("called-back", "{\"deadline\": \"1h\", \"heartbeat\": \"10m\"}");
    var token = input.textOrEmpty("token");
    assertThat(input.textOrEmpty("url")).isEqualTo("http://localhost:8080/v1/callbacks/" + token);
    assertThat(input.textOrEmpty("until")).endsWith("Z");

    var beat = post(NOBODY, "/v1/callbacks/" + token + "/heartbeat", "");
    assertThat(beat.status()).as(beat.body().toString()).isEqualTo(200);
    assertThat(beat.body().textOrEmpty("open_until")).isLessThan(input.textOrEmpty("until"));
    assertThat(post(NOBODY, "/v1/callbacks/" + token, "{\"receipt\": \"r-1\"}").status())
        .isEqualTo(204);

    var output = ended("called-back").objectOrEmpty("output");
    assertThat(output.get("receipt")).isEqualTo(Value.of("r-1"));
    assertThat(output.objectOrEmpty("answered"))
        .isEqualTo(
            ObjectValue.of("url", input.textOrEmpty("url"))
                .plus("token", token)
                .plus("deadline", input.textOrEmpty("until")));
    var recorded = send("GET", "alpha", "/v1/audit?action=callback.answer", "");
    assertThat(recorded.body().objects("items"))
        .as(recorded.body().toString())
        .filteredOn(it -> it.objectOrEmpty("object").textOrEmpty("id").startsWith("called-back-0#"))
        .hasSize(1);
    var second = post(NOBODY, "/v1/callbacks/" + token, "{\"receipt\": \"r-2\"}");
    assertThat(second.status()).isEqualTo(409);
    assertThat(second.code()).isEqualTo("callback_answered");
    assertThat(post("alpha", "/v1/callbacks/" + token + "/heartbeat", "").code())
        .isEqualTo("callback_answered");
  }

  @Test
  void failsATaskAndChecksWhatComes() {
    var token = submitted("called-off", "{\"deadline\": \"1h\"}").textOrEmpty("token");
    var path = "/v1/callbacks/" + token + "/failure";
    assertThat(post(NOBODY, path, "{\"code\": \"NO FUNDS\"}").status()).isEqualTo(422);
    assertThat(post(NOBODY, path, "{\"code\": \"no_funds\", \"message\": \"none\"}").status())
        .isEqualTo(204);
    var run = ended("called-off");
    assertThat(run.objectOrEmpty("error").textOrEmpty("code")).isEqualTo("no_funds");
  }

  /// What does not fit counts, and fails the task.
  @Test
  void failsATaskWhoseAnswerDoesNotFit() {
    var token = submitted("called-wrong", "{\"deadline\": \"1h\"}").textOrEmpty("token");
    assertThat(post(NOBODY, "/v1/callbacks/" + token, "{\"receipt\": 1}").status()).isEqualTo(204);
    assertThat(ended("called-wrong").objectOrEmpty("error").textOrEmpty("code"))
        .isEqualTo("bad_node_result");
  }

  /// Before a body is read.
  @Test
  void saysTheSameOfWhateverIsNoToken() {
    var token = submitted("called-none", "{\"deadline\": \"1h\"}").textOrEmpty("token");
    for (var wrong :
        List.of(
            "x",
            "acme." + token,
            token.substring(0, 33) + "0".repeat(32),
            "0".repeat(32) + "." + "0".repeat(32))) {
      for (var body : List.of("{}", "{")) {
        var answer = post(NOBODY, "/v1/callbacks/" + wrong, body);
        assertThat(answer.status()).as(wrong).isEqualTo(404);
        assertThat(answer.body().textOrEmpty("detail"))
            .as(wrong)
            .isEqualTo("there is no callback with this token");
      }
    }
    assertThat(send("GET", NOBODY, "/v1/callbacks/" + token, "").status()).isEqualTo(401);
    assertThat(post(NOBODY, "/v1/callbacks/" + token, "null").status()).isEqualTo(204);
  }

  @Test
  void refusesAnAnswerThatIsTooLarge() {
    var token = submitted("called-large", "{\"deadline\": \"1h\"}").textOrEmpty("token");
    var large = "\"" + "x".repeat(4_200_000) + "\"";
    var answer = post(NOBODY, "/v1/callbacks/" + token, large);
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(413);
  }

  /// The input of the worker that has submitted it.
  private ObjectValue submitted(String name, String callback) {
    var created =
        post(
            "alpha",
            "/v1/graphs",
            """
            {"name": "%s",
             "channels": {"order": {}, "receipt": {}, "answered": {}},
             "nodes": [{"id": "pay", "type": "worker", "config": {
               "task_type": "%s", "callback": %s,
               "input": {"url": "{{ callback.url }}", "token": "{{ callback.token }}",
                         "until": "{{ callback.deadline }}"},
               "output_schema": {"type": "object", "properties": {"receipt": {"type": "string"}}},
               "result": {"update": {
                 "receipt": "{{ response.receipt }}", "answered": "{{ callback }}"}}}}],
             "edges": [{"from": "__start__", "to": "pay"}]}
            """
                .formatted(name, "submit-" + name, callback));
    assertThat(created.status()).as(created.body().toString()).isIn(200, 201);
    run(name);
    var task = claim("alpha", "submit-" + name);
    assertThat(
            post(
                    "alpha",
                    "/v1/tasks/" + task.textOrEmpty("id") + "/outcome",
                    body(task.textOrEmpty("token"), "\"result\":\"submitted\""))
                .status())
        .isEqualTo(204);
    return task.objectOrEmpty("input");
  }

  private ObjectValue ended(String graph) {
    return await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> send("GET", "alpha", "/v1/runs/" + graph + "-0", "").body(),
            it -> List.of("succeeded", "failed").contains(it.textOrEmpty("status")));
  }
}
