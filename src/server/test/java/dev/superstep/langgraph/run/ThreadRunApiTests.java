package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import dev.superstep.json.Json;
import dev.superstep.langgraph.FaceClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.client.RestClient;

/// Runs of threads as the clients of the LangGraph Agent Server call them.
@ApiTest
class ThreadRunApiTests {
  @LocalServerPort private int port;
  private FaceClient face = new FaceClient(0);
  private String thread = "";
  @Autowired private RunCalls calls;
  @Autowired private RunEnder ender;
  @Autowired private JdbcClient jdbc;

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    thread = UUID.randomUUID().toString();
    List.of(
            ChatGraphs.ECHO,
            ChatGraphs.ASKS,
            ChatGraphs.TWO,
            ChatGraphs.FAILS,
            ChatGraphs.LONG,
            ChatGraphs.RESTS)
        .forEach(face::graph);
  }

  private static String create(String graph, String members) {
    return """
    {"assistant_id": "%s", "if_not_exists": "create"%s}\
    """
        .formatted(graph, members.isEmpty() ? "" : ", " + members);
  }

  private FaceClient.Reply await(String graph, String members) {
    return face.post("/threads/%s/runs/wait".formatted(thread), create(graph, members)).ok();
  }

  private SseClient stream(String graph, String members) {
    return SseClient.post(
        port, "/langgraph/threads/%s/runs/stream".formatted(thread), create(graph, members));
  }

  private static List<String> types(List<Message> messages) {
    return messages.stream().map(Message::type).toList();
  }

  private String status(String run) {
    return face.get("/threads/%s/runs/%s".formatted(thread, run)).ok().at("/status");
  }

  @Test
  void beginsAThreadWithWhateverStrategy() {
    for (var strategy : List.of("reject", "enqueue", "interrupt", "rollback")) {
      var path = "/threads/%s/runs/wait".formatted(UUID.randomUUID());
      var body =
          """
          {"assistant_id": "lg-echo", "input": {"messages": "hi"}, "if_not_exists": "create",
           "multitask_strategy": "%s"}\
          """
              .formatted(strategy);
      assertThat(face.post(path, body).ok().at("/messages/1/content")).isEqualTo("You said hi");
    }
  }

  /// Both are deprecated.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"durability\": \"sync\"",
        "\"durability\": \"async\"",
        "\"durability\": \"exit\"",
        "\"checkpoint_during\": false"
      })
  void writesEachSuperstepWhateverTheDurability(String member) {
    face.graph(
        """
        name: lg-three
        channels: { n: { reducer: sum } }
        nodes:
          - { id: count, type: expression, config: { update: { n: 1 } } }
        edges:
          - { from: __start__, to: count }
          - { from: count, to: count, condition: "state.n < 3" }
        """);
    await("lg-three", "\"input\": {}, " + member);

    assertThat(
            jdbc.sql(
                    """
                    select run.durability, count(*) as checkpoints
                      from run join checkpoint on checkpoint.run = run.id
                     where run.thread_id = ? group by run.durability
                    """)
                .param(thread)
                .query()
                .singleRow())
        .containsEntry("durability", "sync")
        .containsEntry("checkpoints", 4L);
  }

  @Test
  void refusesAnotherDurability() {
    var body = create("lg-echo", "\"input\": {}, \"durability\": \"fast\"");
    var refused = face.post("/threads/%s/runs/wait".formatted(thread), body);

    refused.is(422, "invalid_value");
    assertThat(refused.at("/errors/0/pointer")).isEqualTo("/durability");
  }

  @Test
  void streamsStatesChangesAndMessages() {
    var modes =
        """
        "input": {"messages": [{"type": "human", "content": "hi"}]},
        "stream_mode": ["values", "updates", "messages-tuple"]\
        """;
    try (var stream = stream("lg-echo", modes)) {
      assertThat(stream.status()).isEqualTo(200);
      var all = stream.rest();

      assertThat(types(all)).containsExactly("metadata", "values", "messages", "updates", "values");
      var run = all.getFirst().text("/run_id");
      assertThat(stream.header("Content-Location"))
          .isEqualTo("/threads/%s/runs/%s".formatted(thread, run));
      assertThat(stream.header("Location"))
          .isEqualTo("/threads/%s/runs/%s/stream".formatted(thread, run));
      assertThat(all.get(1).text("/messages/0/type")).isEqualTo("human");
      assertThat(all.get(2).text("/0/content")).isEqualTo("You said hi");
      assertThat(all.get(2).text("/1/langgraph_node")).isEqualTo("echo");
      assertThat(all.get(3).text("/echo/messages/0/type")).isEqualTo("ai");
      assertThat(all.get(4).text("/messages/1/content")).isEqualTo("You said hi");
      assertThat(status(run)).isEqualTo("success");
    }
  }

  @Test
  void givesIdsThatAscendAndGoesOnBehindEachOfThem() {
    var modes =
        """
        "input": {"messages": "hi"}, "stream_mode": ["values", "updates", "messages-tuple"]\
        """;
    List<Message> all;
    try (var stream = stream("lg-echo", modes)) {
      all = stream.rest();
    }
    var ids = all.stream().map(it -> Long.parseLong(it.id())).toList();
    assertThat(ids).isSorted().doesNotHaveDuplicates();
    var path =
        "/langgraph/threads/%s/runs/%s/stream".formatted(thread, all.getFirst().text("/run_id"));
    for (int seen = 0; seen < all.size(); seen++) {
      try (var again = SseClient.get(port, path, "Last-Event-ID", all.get(seen).id())) {
        assertThat(again.rest()).isEqualTo(all.subList(seen + 1, all.size()));
      }
    }
    try (var again = SseClient.get(port, path, "Last-Event-ID", "-1")) {
      assertThat(again.rest()).isEqualTo(all);
    }
    try (var now = SseClient.get(port, path)) {
      assertThat(now.rest()).isEmpty();
    }
    face.send("GET", path, null, "Last-Event-ID", "x").is(422, "invalid_header");
  }

  @Test
  void answersAQuestionAsARunOfItsOwn() {
    List<Message> first;
    try (var stream =
        stream("lg-asks", "\"input\": {}, \"stream_mode\": [\"values\", \"updates\"]")) {
      first = stream.rest();
    }
    assertThat(types(first))
        .containsExactly("metadata", "values", "updates", "values", "updates", "values");
    assertThat(first.getLast().text("/__interrupt__/0/value/question")).isEqualTo("Well?");
    var asked = first.getFirst().text("/run_id");
    assertThat(status(asked)).isEqualTo("success");

    var answer =
        "\"command\": {\"resume\": {\"word\": \"yes\"}}, \"input\": {}, \"stream_mode\":"
            + " \"values\"";
    List<Message> second;
    try (var stream = stream("lg-asks", answer)) {
      second = stream.rest();
    }
    assertThat(types(second)).containsExactly("metadata", "values", "values", "values");
    assertThat(Json.write(second.getLast().data())).contains("\"log\":[\"before\",\"yes\"]");
    var answered = second.getFirst().text("/run_id");
    assertThat(answered).isNotEqualTo(asked);
    var runs = face.get("/threads/%s/runs".formatted(thread)).ok();
    assertThat(runs.list().size()).isEqualTo(2);
    assertThat(runs.at("/0/run_id")).isEqualTo(answered);
    assertThat(runs.at("/1/run_id")).isEqualTo(asked);
    assertThat(runs.text()).doesNotContain("\"error\"");

    var path = "/langgraph/threads/%s/runs/%s/stream".formatted(thread, asked);
    try (var again =
        SseClient.get(
            port, path + "?stream_mode=values&stream_mode=updates", "Last-Event-ID", "-1")) {
      assertThat(again.rest()).isEqualTo(first);
    }
  }

  @Test
  void answersSeveralQuestionsByTheirIds() {
    var asked = await("lg-two", "\"input\": {}");
    var left = asked.at("/__interrupt__/0/id");
    var right = asked.at("/__interrupt__/1/id");
    var body = create("lg-two", "\"command\": {\"resume\": \"both\"}");
    var refused = face.post("/threads/%s/runs/wait".formatted(thread), body);
    assertThat(refused.is(422, "invalid_value").at("/detail")).contains(left).contains(right);

    var one = await("lg-two", "\"command\": {\"resume\": {\"%s\": \"L\"}}".formatted(left));
    assertThat(one.at("/__interrupt__/0/id")).isEqualTo(right);
    assertThat(one.at("/__interrupt__/1/id")).isEmpty();
    var done = await("lg-two", "\"command\": {\"resume\": {\"%s\": \"R\"}}".formatted(right));
    assertThat(done.text()).contains("\"left\":\"L\"").contains("\"right\":\"R\"");
  }

  @Test
  void dropsAnOpenQuestionForNewInput() {
    var asked = await("lg-asks", "\"input\": {}");
    var question = asked.at("/__interrupt__/0/id");
    var again = await("lg-asks", "\"input\": {\"log\": [\"again\"]}");
    assertThat(again.text()).contains("\"log\":[\"before\",\"again\",\"before\"]");
    assertThat(again.at("/__interrupt__/0/id")).isNotEmpty().isNotEqualTo(question);
    var interrupt = face.send("GET", "/v1/interrupts/" + question, null).ok();
    assertThat(interrupt.at("/status")).isEqualTo("cancelled");
    var runs = face.get("/threads/%s/runs".formatted(thread)).ok();
    assertThat(runs.at("/1/status")).isEqualTo("success");
  }

  @Test
  void closesAQuestionWithGoToTheEnd() {
    var _ = await("lg-asks", "\"input\": {}");
    var closed = await("lg-asks", "\"command\": {\"goto\": \"__end__\"}");
    assertThat(closed.text()).contains("\"log\":[\"before\"]").doesNotContain("__interrupt__");
    var thread = face.send("GET", "/v1/threads/" + this.thread, null).ok();
    assertThat(thread.at("/status")).isEqualTo("idle");
    var late = await("lg-asks", "\"command\": {\"resume\": 1}");
    assertThat(late.text()).contains("\"log\":[\"before\"]").doesNotContain("__interrupt__");
  }

  @Test
  void tellsOfFailures() {
    var failed = await("lg-fails", "\"input\": {}");
    assertThat(failed.at("/__error__/error")).isNotEmpty();
    assertThat(failed.at("/__error__/message")).isNotEmpty();
    var runs = face.get("/threads/%s/runs".formatted(thread)).ok();
    assertThat(runs.at("/0/status")).isEqualTo("error");
    try (var stream = stream("lg-fails", "\"input\": {}")) {
      var last = stream.rest().getLast();
      assertThat(last.type()).isEqualTo("error");
      assertThat(last.text("/message")).isEqualTo(failed.at("/__error__/message"));
    }
  }

  @Test
  void refusesWhatItCannotDo() {
    var path = "/threads/%s/runs".formatted(thread);
    face.post(path, "{\"assistant_id\": \"lg-echo\", \"input\": {}}").is(404, "thread_not_found");
    face.post(path, create("lg-nobody", "\"input\": {}")).is(404, "assistant_not_found");
    face.post(path, create("lg-echo", "")).is(422, "invalid_value");
    face.post(path, create("lg-echo", "\"input\": 3")).is(422, "wrong_type");
    face.post(path, create("lg-echo", "\"input\": {}, \"webhook\": \"http://a\""))
        .is(422, "invalid_value");
    face.post(path, create("lg-echo", "\"input\": {}, \"stream_mode\": \"x\""))
        .is(422, "invalid_value");
    face.get(path + "/" + UUID.randomUUID()).is(404, "run_not_found");
  }

  @Test
  void cancelsAndRollsBack() {
    var begun = face.post("/threads/%s/runs".formatted(thread), create("lg-long", "\"input\": {}"));
    var run = begun.ok().at("/run_id");
    assertThat(begun.header("Content-Location"))
        .isEqualTo("/threads/%s/runs/%s".formatted(thread, run));
    var path = "/threads/%s/runs/%s".formatted(thread, run);
    var busy = face.post("/threads/%s/runs".formatted(thread), create("lg-long", "\"input\": {}"));
    busy.is(409, "thread_busy");
    assertThat(face.post(path + "/cancel?wait=1", "{}").status()).isEqualTo(204);
    assertThat(status(run)).isEqualTo("interrupted");
    assertThat(face.post(path + "/cancel", "{}").status()).isEqualTo(202);

    var other =
        face.post("/threads/%s/runs".formatted(thread), create("lg-long", "\"input\": {}")).ok();
    var gone = "/threads/%s/runs/%s".formatted(thread, other.at("/run_id"));
    assertThat(face.post(gone + "/cancel?wait=1&action=rollback", "{}").status()).isEqualTo(204);
    face.get(gone).is(404, "run_not_found");
    assertThat(face.delete(path).status()).isEqualTo(204);
    face.get(path).is(404, "run_not_found");
  }

  @Test
  void keepsARunThatEndedBeforeItCouldBeRolledBack() {
    var _ = await("lg-echo", "\"input\": {\"messages\": \"one\"}");
    var run = face.get("/threads/%s/runs".formatted(thread)).ok().at("/0/run_id");
    // It was under way when a call that rolls back looked at its thread.
    ender.erase(calls.find(run).call());
    assertThat(status(run)).isEqualTo("success");
    var rolling = "\"input\": {\"messages\": \"two\"}, \"multitask_strategy\": \"rollback\"";
    assertThat(await("lg-echo", rolling).at("/messages/0/content")).isEqualTo("one");
  }

  @Test
  void erasesARunThatAnotherReplaces() {
    var runs = "/threads/%s/runs".formatted(thread);
    var run = face.post(runs, create("lg-long", "\"input\": {}")).ok().at("/run_id");
    var found = calls.find(run).call();
    var _ =
        await("lg-echo", "\"input\": {\"messages\": \"hi\"}, \"multitask_strategy\": \"rollback\"");
    ender.erase(found);
    face.get(runs + "/" + run).is(404, "run_not_found");
  }

  @Test
  void cancelsARunWhoseClientLeavesIfAsked() {
    String run;
    try (var stream = stream("lg-rests", "\"input\": {}, \"on_disconnect\": \"cancel\"")) {
      run = Objects.requireNonNull(stream.next()).text("/run_id");
    }
    awaitRest(run);
    assertThat(status(run)).isEqualTo("interrupted");
  }

  private void awaitRest(String run) {
    var rest = face.send("GET", "/v1/runs/%s?wait=30s".formatted(run), null).ok();
    assertThat(rest.at("/status")).isEqualTo("cancelled");
  }

  @Test
  void cancelsARunForWhichNobodyWaitsAnyMoreIfAsked() throws Exception {
    var body = create("lg-long", "\"input\": {}, \"on_disconnect\": \"cancel\"");
    var uri =
        URI.create("http://127.0.0.1:%d/langgraph/threads/%s/runs/wait".formatted(port, thread));
    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(uri)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      var answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      assertThat(answer.statusCode()).isEqualTo(200);
      // The first sign of life has come, so the run is there.
      assertThat(answer.body().read()).isEqualTo('\n');
      client.shutdownNow();
    }
    var run = face.get("/threads/%s/runs".formatted(thread)).ok().at("/0/run_id");
    awaitRest(run);
  }

  @Test
  void beginsFromAnOlderState() {
    var _ = await("lg-echo", "\"input\": {\"messages\": \"one\"}");
    var _ = await("lg-echo", "\"input\": {\"messages\": \"two\"}");
    var history = face.get("/threads/%s/history?limit=20".formatted(thread)).ok();
    // Newest first: the end of the second run, its input, the state before that.
    var before = history.at("/2/checkpoint/checkpoint_id");
    var edited =
        await(
            "lg-echo",
            "\"input\": {\"messages\": \"three\"}, \"checkpoint\": {\"checkpoint_id\": \"%s\"}"
                .formatted(before));
    assertThat(edited.at("/messages/2/content")).isEqualTo("three");
    assertThat(edited.at("/messages/4/content")).isEmpty();
    // No number of a checkpoint says where the last run of the thread began.
    assertThat(
            RestClient.create("http://127.0.0.1:" + port)
                .get()
                .uri("/v1/threads/{thread}/runs", thread)
                .retrieve()
                .body(String.class))
        .contains("\"from\":{")
        .doesNotContain("\"checkpoint\":-1");

    var asked = history.at("/1/checkpoint/checkpoint_id");
    var again = await("lg-echo", "\"checkpoint_id\": \"%s\"".formatted(asked));
    assertThat(again.at("/messages/2/content")).isEqualTo("two");
    assertThat(again.at("/messages/3/content")).isEqualTo("You said two");
    var body = create("lg-echo", "\"input\": {}, \"checkpoint_id\": \"%s\"");
    face.post("/threads/%s/runs".formatted(thread), body.formatted(UUID.randomUUID()))
        .is(404, "checkpoint_not_found");
  }

  @Test
  void stopsAtBreakpointsAndGoesOn() {
    var stopped = await("lg-asks", "\"input\": {}, \"interrupt_before\": [\"ask\"]");
    assertThat(stopped.at("/__interrupt__")).isEqualTo("[]");
    var asked = await("lg-asks", "\"input\": null");
    assertThat(asked.at("/__interrupt__/0/value/question")).isEqualTo("Well?");
    var still = await("lg-asks", "");
    assertThat(still.at("/__interrupt__/0/id")).isEqualTo(asked.at("/__interrupt__/0/id"));
    var runs = face.get("/threads/%s/runs?select=status".formatted(thread)).ok();
    assertThat(runs.text())
        .isEqualTo("[{\"status\":\"success\"},{\"status\":\"success\"},{\"status\":\"success\"}]");
  }

  /// Studio's debug mode stops before every node; a step of the first API is seen as the same.
  @Test
  void showsAPausedRunAsAnInterruptedThread() {
    face.graph(
        """
        name: lg-steps
        nodes: [{ id: a, type: router }, { id: b, type: router }, { id: c, type: router }]
        edges: [{ from: __start__, to: a }, { from: a, to: b }, { from: b, to: c }]
        """);
    await("lg-steps", "\"input\": {}, \"interrupt_before\": \"*\"");
    assertThat(face.get("/threads/%s/state".formatted(thread)).ok().at("/next/0")).isEqualTo("a");
    await("lg-steps", "\"input\": null, \"interrupt_before\": \"*\"");
    assertThat(face.get("/threads/%s/state".formatted(thread)).ok().at("/next/0")).isEqualTo("b");

    var run =
        jdbc.sql("select id from run where thread_id = ?")
            .param(thread)
            .query(String.class)
            .single();
    RestClient.create("http://127.0.0.1:" + port)
        .post()
        .uri("/v1/runs/{run}/step?wait=30s", run)
        .retrieve()
        .toBodilessEntity();

    assertThat(face.get("/threads/%s/state".formatted(thread)).ok().at("/next/0")).isEqualTo("c");
    assertThat(face.get("/threads/" + thread).ok().at("/status")).isEqualTo("interrupted");
    await("lg-steps", "\"input\": null, \"interrupt_before\": []");
    assertThat(face.get("/threads/" + thread).ok().at("/status")).isEqualTo("idle");
  }

  @Test
  void takesMessagesOutByAnInput() {
    var first =
        await(
            "lg-echo",
            "\"input\": {\"messages\": [{\"type\": \"human\", \"id\": \"m1\", \"content\":"
                + " \"one\"}]}");
    assertThat(first.at("/messages/0/id")).isEqualTo("m1");
    var second =
        await(
            "lg-echo",
            "\"input\": {\"messages\": [{\"type\": \"remove\", \"id\": \"m1\"}, {\"type\":"
                + " \"human\", \"content\": \"two\"}]}");
    assertThat(second.at("/messages/0/content")).isEqualTo("You said one");
    assertThat(second.at("/messages/2/content")).isEqualTo("You said two");
  }
}
