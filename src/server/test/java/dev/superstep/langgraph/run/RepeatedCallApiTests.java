package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.http.SseClient;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.langgraph.FaceClient.Reply;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Calls that clients send again because they have not seen the answer.
@ApiTest
class RepeatedCallApiTests {
  private static final String ECHO =
      "\"assistant_id\": \"lg-echo\", \"input\": {\"messages\": \"%s\"}";

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  private FaceClient face = new FaceClient(0);
  private String thread = "";
  private String key = "";

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    thread = UUID.randomUUID().toString();
    key = UUID.randomUUID().toString();
    List.of(ChatGraphs.ECHO, ChatGraphs.ASKS, ChatGraphs.LONG).forEach(face::graph);
  }

  private Reply post(String path, String body) {
    return face.send(
        "POST", "/langgraph" + path.replace("{t}", thread), body, "Idempotency-Key", key);
  }

  /// Of the graph that these calls run: other tests share the service, and have runs that go on.
  private long runs() {
    return jdbc.sql("select count(*) from run where graph = 'lg-echo'").query(Long.class).single();
  }

  private static String run(Reply reply) {
    return reply.header("Content-Location").replaceAll(".*/", "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/threads/{t}/runs",
        "/threads/{t}/runs/wait",
        "/threads/{t}/runs/stream",
        "/runs",
        "/runs/wait",
        "/runs/stream"
      })
  void beginsOneRunForOneKey(String path) {
    var body = "{" + ECHO.formatted("hi") + ", \"if_not_exists\": \"create\"}";
    long before = runs();
    var first = post(path, body).ok();
    var again = post(path, body).ok();

    assertThat(runs()).isEqualTo(before + 1);
    assertThat(run(again)).isEqualTo(run(first)).isNotEmpty();
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(first.header("Idempotency-Replayed")).isEmpty();
    if (!path.endsWith("runs")) {
      assertThat(again.text().strip()).isEqualTo(first.text().strip()).contains("You said hi");
    }
    post(path, body.replace("hi", "other")).is(422, "idempotency_key_reused");
    assertThat(runs()).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @CsvSource({"/threads/{t}/runs", "/threads/{t}/runs/wait", "/threads/{t}/runs/stream", "/runs"})
  void beginsOneRunForAnIdThatTheClientHasChosen(String path) {
    var body =
        "{%s, \"if_not_exists\": \"create\", \"run_id\": \"%s\", \"after_seconds\": 0}"
            .formatted(ECHO.formatted("hi"), key);
    var at = path.replace("{t}", thread);
    var first = face.post(at, body).ok();
    var again = face.post(at, body).ok();

    assertThat(run(first)).isEqualTo(key);
    assertThat(run(again)).isEqualTo(key);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    face.post(at, body.replace("hi", "other")).is(409, "run_exists");
    assertThat(face.send("GET", "/v1/runs/" + key, null).ok().at("/id")).isEqualTo(key);
    face.post(at, body.replace(key, "no id")).is(422, "invalid_value");
  }

  @Test
  void takesNoIdThatAnotherRunHas() {
    var known = face.run("{\"graph\": \"lg-echo\", \"input\": {\"messages\": []}}");
    var id = FaceClient.find(known, "/id");
    var body =
        "{%s, \"if_not_exists\": \"create\", \"run_id\": \"%s\"}"
            .formatted(ECHO.formatted("hi"), id);
    var refused = face.post("/threads/%s/runs".formatted(thread), body).is(409, "run_exists");
    assertThat(refused.at("/errors/0/pointer")).isEqualTo("/run_id");
  }

  @Test
  void joinsTheRunThatTheBrokenCallHasBegun() {
    var path = "/langgraph/threads/%s/runs/stream".formatted(thread);
    var body = "{\"assistant_id\": \"lg-long\", \"input\": {}, \"if_not_exists\": \"create\"}";
    String id;
    try (var broken = SseClient.post(port, path, body, "Idempotency-Key", key)) {
      id = Objects.requireNonNull(broken.next()).text("/run_id");
    }
    try (var again = SseClient.post(port, path, body, "Idempotency-Key", key)) {
      assertThat(again.status()).isEqualTo(200);
      assertThat(Objects.requireNonNull(again.next()).text("/run_id")).isEqualTo(id);
    }
    assertThat(face.get("/threads/%s/runs".formatted(thread)).ok().list().size()).isEqualTo(1);
    var cancel = "/langgraph/threads/%s/runs/%s/cancel".formatted(thread, id);
    assertThat(face.send("POST", cancel, "{}").status()).isEqualTo(202);
  }

  @Test
  void answersAQuestionOnce() {
    var begin = "{\"assistant_id\": \"lg-asks\", \"input\": {}, \"if_not_exists\": \"create\"}";
    face.post("/threads/%s/runs/wait".formatted(thread), begin).ok();
    var answer = "{\"assistant_id\": \"lg-asks\", \"command\": {\"resume\": {\"word\": \"yes\"}}}";
    var path = "/threads/{t}/runs/wait";
    var first = post(path, answer).ok();
    var again = post(path, answer).ok();

    assertThat(first.at("/log")).isEqualTo("[\"before\",\"yes\"]");
    assertThat(again.at("/log")).isEqualTo(first.at("/log"));
    assertThat(run(again)).isEqualTo(run(first));
    assertThat(face.get("/threads/%s/runs".formatted(thread)).ok().list().size()).isEqualTo(2);
  }

  /// The first call has changed what the second one would be refused for.
  @Test
  void knowsTheCallBeforeItLooksAtTheThread() {
    var begin =
        "{%s, \"if_not_exists\": \"create\", \"interrupt_before\": [\"echo\"]}"
            .formatted(ECHO.formatted("hi"));
    face.post("/threads/%s/runs/wait".formatted(thread), begin).ok();
    var goTo = "{\"assistant_id\": \"lg-echo\", \"command\": {\"goto\": \"echo\"}}";
    var first = post("/threads/{t}/runs/wait", goTo).ok();
    assertThat(run(post("/threads/{t}/runs/wait", goTo).ok())).isEqualTo(run(first)).isNotEmpty();

    var edit = "{\"values\": {\"messages\": \"an edit\"}, \"as_node\": \"echo\"}";
    post("/threads/{t}/state", edit).ok();
    var busy = "{\"assistant_id\": \"lg-long\", \"input\": {}}";
    var runs = "/threads/%s/runs".formatted(thread);
    var id = face.post(runs, busy).ok().at("/run_id");
    assertThat(post("/threads/{t}/state", edit).ok().header("Idempotency-Replayed"))
        .isEqualTo("true");
    assertThat(face.post(runs + "/" + id + "/cancel?wait=true", "{}").status()).isIn(202, 204);
  }

  @Test
  void carriesOutACommandOnce() {
    var path = "/threads/{t}/commands";
    var start =
        "{\"id\": 1, \"method\": \"run.start\","
            + " \"params\": {\"assistant_id\": \"lg-asks\", \"input\": {}}}";
    var first = post(path, start).ok();
    assertThat(post(path, start).ok().at("/result/run_id"))
        .isEqualTo(first.at("/result/run_id"))
        .isNotEmpty();
    face.get("/threads/%s/runs/%s/join".formatted(thread, first.at("/result/run_id"))).ok();
    var question = face.get("/threads/%s/state".formatted(thread)).at("/tasks/0/interrupts/0/id");
    var respond =
        """
        {"id": 2, "method": "input.respond", "params":
         {"interrupt_id": "%s", "response": {"word": "yes"}, "run_id": "%s"}}\
        """
            .formatted(question, UUID.randomUUID());
    key = UUID.randomUUID().toString();
    var answered = post(path, respond).ok();
    assertThat(answered.at("/type")).as(answered.text()).isEqualTo("success");
    assertThat(post(path, respond).ok().at("/result/run_id"))
        .isEqualTo(answered.at("/result/run_id"));
    assertThat(face.post(path.replace("{t}", thread), respond).ok().at("/result/run_id"))
        .isEqualTo(answered.at("/result/run_id"));
    assertThat(face.get("/threads/%s/runs".formatted(thread)).ok().list().size()).isEqualTo(2);
  }

  @Test
  void beginsABatchOnce() {
    var body = "[{%s}, {%s}]".formatted(ECHO.formatted("one"), ECHO.formatted("two"));
    long before = runs();
    var first = post("/runs/batch", body).ok();
    var again = post("/runs/batch", body).ok();

    assertThat(runs()).isEqualTo(before + 2);
    for (var at : List.of("/0/run_id", "/1/run_id")) {
      assertThat(again.at(at)).isEqualTo(first.at(at)).isNotEmpty();
    }
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    post("/runs/batch", body.replace("two", "three")).is(422, "idempotency_key_reused");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"metadata\": {\"graph_id\": \"lg-echo\"}}",
        "{\"metadata\": {\"graph_id\": \"lg-echo\"}, \"supersteps\": [{\"updates\": [{\"values\":"
            + " {\"messages\": \"hi\"}, \"as_node\": \"__start__\"}]}]}"
      })
  void makesAThreadOnceAndItsCopyAndItsEdit(String body) {
    var made = post("/threads", body).ok();
    thread = made.at("/thread_id");
    assertThat(post("/threads", body).ok().at("/thread_id")).isEqualTo(thread);
    post("/threads", "{}").is(422, "idempotency_key_reused");

    var edit = "{\"values\": {\"messages\": \"an edit\"}, \"as_node\": \"echo\"}";
    var states = states();
    var edited = post("/threads/{t}/state", edit).ok();
    int after = states();
    assertThat(after).isGreaterThan(states);
    var repeated = post("/threads/{t}/state", edit).ok();
    assertThat(repeated.at("/checkpoint")).isEqualTo(edited.at("/checkpoint"));
    assertThat(repeated.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(states()).isEqualTo(after);

    var copy = post("/threads/{t}/copy", "{}").ok().at("/thread_id");
    assertThat(copy).isNotEqualTo(thread);
    assertThat(post("/threads/{t}/copy", "{}").ok().at("/thread_id")).isEqualTo(copy);
  }

  private int states() {
    return face.get("/threads/%s/history".formatted(thread)).ok().list().size();
  }

  @Test
  void beginsOneRunHoweverManyCallsComeAtOnce() throws Exception {
    var body = "{" + ECHO.formatted("hi") + ", \"if_not_exists\": \"create\"}";
    var chosen = body.replace("}, \"if", "}, \"run_id\": \"" + thread + "\", \"if");
    int many = 8;
    long before = runs();
    var together = new CountDownLatch(many);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var replies =
          IntStream.range(0, many)
              .mapToObj(i ->
                  callers.submit(() -> {
                    together.countDown();
                    together.await();
                    return i % 2 == 0 ? post("/runs/wait", body) : face.post("/runs/wait", chosen);
                  }))
              .toList();
      for (var reply : replies) {
        var answer = reply.get();
        assertThat(answer.status() == 200 || answer.at("/code").equals("idempotency_in_progress"))
            .as(answer.text())
            .isTrue();
      }
    }
    assertThat(runs()).isEqualTo(before + 2);
    assertThat(post("/runs/wait", body).ok().json()).isNotEqualTo(Value.NULL);
  }
}
