package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Durable steps of workers over plain HTTP (E53).
@KeyedApiTest
class WorkerStepsApiTests extends WorkerCalls {
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

  /// E53: a call that may be made once only is not made again, so that no attempt is worth while.
  @Test
  void keepsTheFailureOfAStepThatIsMadeOnceForGood() {
    graph("once-failed", "charge-failed");
    run("once-failed");
    var task = claim("alpha", "charge-failed");
    var error =
        "{\"ordinal\":%d,\"name\":\"charge\",\"error\":{\"code\":\"declined\",\"message\":\"m\",\"retryable\":true}}";
    step(task, "{\"ordinal\":0,\"name\":\"charge\"}");

    for (var it : List.of("once", "once more")) {
      assertThat(failure(step(task, error.formatted(0)))).as(it).doesNotContain("true");
    }

    assertThat(failure(step(task, error.formatted(1)))).contains("\"retryable\":true");
  }

  private static String failure(Reply reply) {
    return item(reply).objectOrEmpty("error").toString();
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
          {"token":"TOKEN","step":{"ordinal":0,"name":"a","sleep":"soon"}}        | invalid_value
          {"token":"TOKEN","step":{"ordinal":0,"name":"a","sleep":"367d"}}        | invalid_value
          {"token":"TOKEN","step":{"ordinal":0,"name":"a","sleep":"366d"}}        | task_not_found
          {"token":"TOKEN","step":{"ordinal":0,"name":"a","sleep":"1s","ask":{}}} | invalid_request
          {"token":"TOKEN","step":{"ordinal":0,"name":"a b","ask":{}}}            | invalid_value
          {"token":"TOKEN","step":{"ordinal":0,"name":"a","ask":{}}}              | task_not_found
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
    post("alpha", "/v1/runs/large-steps-1/cancel", "{}");
  }

  /// E53: as a row, which no worker has. The next one finds the step, and has a lease of its own.
  @Test
  void sleepsWithoutAWorkerAndGoesOnBehindTheStep() {
    graph("sleeps", "charge-sleeps");
    run("sleeps");
    var first = claim("alpha", "charge-sleeps");
    beat(first);
    step(first, "{\"ordinal\":0,\"name\":\"pay\",\"result\":1}");
    var slept = item(step(first, "{\"ordinal\":1,\"name\":\"cool-off\",\"sleep\":\"3d\"}"));
    assertThat(slept.text("status")).isEqualTo("waiting");
    assertThat(slept.text("kind")).isEqualTo("sleep");
    assertThat(state(first)).isEqualTo("sleeping");
    assertThat(items(post("alpha", "/v1/tasks/claim?type=charge-sleeps", ""))).isEmpty();
    assertThat(beat(first)).isEqualTo("task_lease_lost");
    assertThat(end(first, "\"result\":{}").code()).isEqualTo("task_lease_lost");

    wake(first);
    var next = claim("alpha", "charge-sleeps");
    assertThat(next.get("repeated")).isEqualTo(Value.TRUE);
    assertThat(next.get("attempt")).isEqualTo(first.get("attempt"));
    assertThat(next.get("idempotency_key")).isEqualTo(first.get("idempotency_key"));
    var recorded = items(steps(next, "\"from\":0"));
    assertThat(recorded.stream().map(it -> ((ObjectValue) it).text("status")))
        .as("whoever had the task set its clock forward, not the step's")
        .containsExactly("succeeded", "waiting");
    var again = "{\"ordinal\":1,\"name\":\"cool-off\",\"sleep\":\"1s\"}";
    assertThat(item(step(next, again)).get("result")).isEqualTo(slept.get("result"));
    assertThat(state(first)).as("until the time that is recorded").isEqualTo("sleeping");
    post("alpha", "/v1/runs/sleeps-0/cancel", "{}");
  }

  /// However often: neither as a lost worker nor as an attempt.
  @Test
  void sleepsAsOftenAsTheCodeSays() {
    graph("naps", "charge-naps");
    run("naps");
    for (int i = 0; i < 2; i++) {
      var task = claim("alpha", "charge-naps");
      beat(task);
      var nap = "{\"ordinal\":%d,\"name\":\"nap\",\"sleep\":\"2d\"}".formatted(i);
      assertThat(item(step(task, nap)).text("status")).isEqualTo("waiting");
      wake(task);
    }
    var task = claim("alpha", "charge-naps");
    assertThat(task.get("attempt")).isEqualTo(Value.of(1));
    var counted = "select claims || ' ' || lost from task where id = ?";
    assertThat(jdbc.sql(counted).param(task.text("id")).query(String.class).single())
        .isEqualTo("1 0");
    assertThat(end(task, "\"result\":{\"receipt\":\"r\"}").status()).isEqualTo(204);
    var run = send("GET", "alpha", "/v1/runs/naps-0?wait=20s", "").body();
    assertThat(run.text("status")).isEqualTo("succeeded");
  }

  @Test
  void goesOnAtOnceBehindASleepThatIsOver() {
    graph("short", "charge-short");
    run("short");
    var task = claim("alpha", "charge-short");
    var over = item(step(task, "{\"ordinal\":0,\"name\":\"nap\",\"sleep\":\"0s\"}"));
    assertThat(over.text("status")).isEqualTo("succeeded");
    assertThat(Instant.parse(over.text("result"))).isBefore(Instant.now().plusSeconds(5));
    assertThat(state(task)).isEqualTo("claimed");
    post("alpha", "/v1/runs/short-0/cancel", "{}");
  }

  /// E53, E40: the answer to a step goes on: same key, same steps; a person sees a question as of
  /// any other node.
  @Test
  void asksInMidCodeAndGoesOnWithTheAnswer() {
    graph("asks", "charge-asks");
    run("asks");
    var first = claim("alpha", "charge-asks");
    step(first, "{\"ordinal\":0,\"name\":\"pay\",\"result\":1}");
    var question =
        "{\"ordinal\":1,\"name\":\"approve\",\"ask\":{\"reason\":\"large\",\"payload\":{\"amount\":900}}}";
    for (var it : List.of("asked", "once more")) {
      var asked = item(step(first, question));
      assertThat(asked.text("status")).as(it).isEqualTo("waiting");
      assertThat(asked.text("kind")).as(it).isEqualTo("ask");
    }
    assertThat(end(first, "\"result\":{}").code()).isEqualTo("task_lease_lost");
    assertThat(answer("asks-0", "\"yes\"").objectOrEmpty("payload").get("amount"))
        .isEqualTo(Value.of(900));

    var second = claim("alpha", "charge-asks");
    assertThat(second.get("repeated")).isEqualTo(Value.TRUE);
    assertThat(second.get("resume")).as("which is of the step").isIn(null, Value.NULL);
    assertThat(second.get("idempotency_key")).isEqualTo(first.get("idempotency_key"));
    lose(second);
    var third = claim("alpha", "charge-asks");
    var recorded = items(steps(third, "\"from\":0"));
    assertThat(recorded.stream().map(it -> ((ObjectValue) it).text("name")))
        .containsExactly("pay", "approve");
    assertThat(((ObjectValue) recorded.get(1)).text("kind")).isEqualTo("ask");
    assertThat(((ObjectValue) recorded.get(1)).get("result")).isEqualTo(Value.of("yes"));

    step(
        third,
        "{\"ordinal\":2,\"name\":\"sure\",\"ask\":{\"reason\":\"sure\",\"payload\":\"Really?\"}}");
    answer("asks-0", "true");
    var fourth = claim("alpha", "charge-asks");
    assertThat(fourth.get("idempotency_key")).isEqualTo(first.get("idempotency_key"));
    assertThat(
            items(steps(fourth, "\"from\":0")).stream().map(it -> ((ObjectValue) it).get("result")))
        .containsExactly(Value.of(1), Value.of("yes"), Value.TRUE);
    assertThat(end(fourth, "\"result\":{\"receipt\":\"r-9\"}").status()).isEqualTo(204);
    var run = send("GET", "alpha", "/v1/runs/asks-0?wait=20s", "").body();
    assertThat(run.text("status")).isEqualTo("succeeded");
  }

  /// A worker goes on only if it has the task still, however short the sleep.
  @Test
  void saysThatAStepWaitsIfAndOnlyIfTheTaskIsGivenBack() {
    graph("blinks", "charge-blinks");
    run("blinks");
    var task = claim("alpha", "charge-blinks");
    for (int i = 0; i < 4; i++) {
      var nap = "{\"ordinal\":%d,\"name\":\"nap\",\"sleep\":\"%dms\"}".formatted(i, 2 * i);
      boolean waits = item(step(task, nap)).text("status").equals("waiting");
      assertThat(beat(task).equals("task_lease_lost")).isEqualTo(waits);
      task = waits ? claim("alpha", "charge-blinks") : task;
    }
    post("alpha", "/v1/runs/blinks-0/cancel", "{}");
  }

  /// A run that has failed wakes nobody before it is resumed; and workers that were lost before a
  /// sleep are not held against the task.
  @Test
  void restsWhenItWakesInARunThatHasFailed() {
    graph("fails", "charge-fails");
    run("fails");
    var task = claim("alpha", "charge-fails");
    jdbc.sql("update task set lost = 3 where id = ?").param(task.text("id")).update();
    step(task, "{\"ordinal\":0,\"name\":\"nap\",\"sleep\":\"2d\"}");
    jdbc.sql("update run set status = 'failed' where id = 'fails-0'").update();
    wake(task);
    await().atMost(Duration.ofSeconds(20)).until(() -> state(task).equals("resting"));
    assertThat(
            jdbc.sql("select lost from task where id = ?")
                .param(task.text("id"))
                .query(Integer.class)
                .single())
        .isZero();
    jdbc.sql("update run set status = 'waiting' where id = 'fails-0'").update();
    post("alpha", "/v1/runs/fails-0/cancel", "{}");
  }

  @Test
  void refusesAQuestionWhereAnotherStepIsRecorded() {
    graph("doubts", "charge-doubts");
    run("doubts");
    var task = claim("alpha", "charge-doubts");
    step(task, "{\"ordinal\":0,\"name\":\"pay\",\"result\":1}");
    var question = "{\"ordinal\":0,\"name\":\"ask\",\"ask\":{\"reason\":\"x\"}}";
    assertThat(step(task, question).code()).isEqualTo("step_mismatch");
    assertThat(state(task)).isEqualTo("claimed");
    post("alpha", "/v1/runs/doubts-0/cancel", "{}");
  }

  @Test
  void failsATaskWhoseStepAsksNoQuestion() {
    graph("mumbles", "charge-mumbles");
    run("mumbles");
    var task = claim("alpha", "charge-mumbles");
    step(task, "{\"ordinal\":0,\"name\":\"a\",\"ask\":{\"pay\":1}}");
    var run = send("GET", "alpha", "/v1/runs/mumbles-0?wait=20s", "").body();
    assertThat(run.objectOrEmpty("error").text("code")).isEqualTo("bad_node_result");
  }

  /// @return its question
  private ObjectValue answer(String run, String value) {
    var waiting = send("GET", "alpha", "/v1/runs/" + run + "?wait=20s", "").body();
    assertThat(waiting.text("status")).as(waiting.toString()).isEqualTo("interrupted");
    var open = items(send("GET", "alpha", "/v1/runs/" + run + "/interrupts", "")).stream();
    var question =
        open.map(ObjectValue.class::cast)
            .filter(it -> it.text("status").equals("open"))
            .findFirst()
            .orElseThrow();
    var answered =
        post(
            "alpha",
            "/v1/interrupts/" + question.text("id") + "/answer",
            "{\"value\":" + value + "}");
    assertThat(answered.status()).as(answered.toString()).isBetween(200, 299);
    return question;
  }

  private String beat(ObjectValue task) {
    var beat = body(task.text("token"), "\"progress\":1");
    return post("alpha", "/v1/tasks/" + task.text("id") + "/heartbeat", beat).code();
  }

  private Reply end(ObjectValue task, String outcome) {
    var path = "/v1/tasks/" + task.text("id") + "/outcome";
    return post("alpha", path, body(task.text("token"), outcome));
  }

  private String state(ObjectValue task) {
    return jdbc.sql("select state from task where id = :id")
        .param("id", task.text("id"))
        .query(String.class)
        .single();
  }

  /// As if its time had come.
  private void wake(ObjectValue task) {
    int due =
        jdbc.sql(
                """
                update task set start_until = clock_timestamp() - interval '1 second'
                 where id = :id and state = 'sleeping'
                """)
            .param("id", task.text("id"))
            .update();
    assertThat(due).isEqualTo(1);
  }
}
