package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.http.ApiTest;
import dev.superstep.langgraph.AssistantIds;
import dev.superstep.langgraph.FaceClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// A call without a thread that waits for its run looks neither its assistant nor the graph up, and
/// yet finds what was changed since, here or on another replica: nothing tells those that remember.
@ApiTest
class RememberedAssistantApiTests {
  private static int graphs;

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  private FaceClient face = new FaceClient(0);
  private String name = "";

  @BeforeEach
  void startsAGraphOften() {
    face = new FaceClient(port);
    name = "lg-remembered-" + ++graphs;
    face.graph(graph(name, 1));
    saysOften(name, "1 plain");
  }

  /// Says its version and the tone it was given.
  private static String graph(String name, int version) {
    return """
    name: %s
    context: { variables: { tone: plain } }
    nodes:
      - { id: say, type: expression, config: { update: { said: "%d {{ context.tone }}" } } }
      - { id: more, type: expression, config: { update: { said: "{{ state.said }}" } } }
    edges:
      - { from: __start__, to: say }
      - { from: say, to: more }
    """
        .formatted(name, version);
  }

  private FaceClient.Reply call(String assistant) {
    return face.post("/runs/wait", body(assistant, ""));
  }

  private static String body(String assistant, String more) {
    return "{\"assistant_id\": \"%s\", \"input\": {}%s}".formatted(assistant, more);
  }

  private void saysOften(String assistant, String said) {
    for (int i = 0; i < 3; i++) {
      assertThat(call(assistant).ok().at("/said")).isEqualTo(said);
    }
  }

  private String made(String id, String tone) {
    return face.post(
            "/assistants",
            "{\"graph_id\": \"%s\", \"assistant_id\": \"%s\", \"context\": {\"tone\": \"%s\"}}"
                .formatted(name, id, tone))
        .ok()
        .at("/assistant_id");
  }

  @Test
  void usesWhatTheGraphItselfWasGivenSince() {
    face.patch("/assistants/" + name, "{\"context\": {\"tone\": \"kind\"}}").ok();
    saysOften(name, "1 kind");
    saysOften(AssistantIds.ofGraph(name), "1 kind");

    assertThat(face.delete("/assistants/" + AssistantIds.ofGraph(name)).status()).isEqualTo(204);
    saysOften(AssistantIds.ofGraph(name), "1 plain");
    saysOften(name, "1 plain");
  }

  @Test
  void usesTheVersionThatWasChosenSince() {
    var id = made(UUID.randomUUID().toString(), "kind");
    saysOften(id, "1 kind");

    face.patch("/assistants/" + id, "{\"context\": {\"tone\": \"stern\"}}").ok();
    saysOften(id, "1 stern");

    face.post("/assistants/" + id + "/latest", "{\"version\": 1}").ok();
    saysOften(id, "1 kind");
  }

  @Test
  void usesAnAssistantThatWasMadeAgainSince() {
    var id = made(UUID.randomUUID().toString(), "kind");
    saysOften(id, "1 kind");

    assertThat(face.delete("/assistants/" + id).status()).isEqualTo(204);
    call(id).is(404, "assistant_not_found");
    var _ = made(id, "kind");
    saysOften(id, "1 kind");

    assertThat(face.delete("/assistants/" + id).status()).isEqualTo(204);
    var _ = made(id, "warm");
    saysOften(id, "1 warm");
  }

  @Test
  void startsTheGraphThatTheAssistantWasGivenSince() {
    var id = made(UUID.randomUUID().toString(), "kind");
    saysOften(id, "1 kind");
    face.graph(graph(name + "-other", 7));

    face.patch("/assistants/" + id, "{\"graph_id\": \"%s-other\"}".formatted(name)).ok();
    saysOften(id, "7 kind");
  }

  @Test
  void startsAVersionThatWasPostedSince() {
    var id = made(UUID.randomUUID().toString(), "kind");
    saysOften(id, "1 kind");

    face.graph(graph(name, 2));
    saysOften(id, "2 kind");
    saysOften(name, "2 plain");
  }

  /// Ids of assistants come before names of graphs.
  @Test
  void usesAnAssistantThatWasMadeSinceWithTheNameOfAGraph() {
    var both = "a" + UUID.randomUUID().toString().substring(1);
    face.graph(graph(both, 5));
    saysOften(both, "5 plain");

    var _ = made(both, "kind");
    saysOften(both, "1 kind");
  }

  @Test
  void doesNotStartAGraphThatWasDeletedSince() {
    assertThat(face.send("DELETE", "/v1/graphs/" + name, null).status()).isEqualTo(204);

    call(name).is(404, "assistant_not_found");
  }

  /// Of the call and its run there are both or neither, whenever the server is killed.
  @Test
  void insertsARunWithItsCallAndAllThatItHasCommitted() {
    var answer =
        face.post("/runs/wait", body(name, ", \"metadata\": {\"a\": \"\\\"1\"}, \"x\": 1")).ok();

    var run = answer.header("Content-Location").replace("/runs/", "");
    assertThat(
            jdbc.sql(
                    """
                    select count(distinct writer) from (
                      select xmin::text as writer from run where id = :run
                      union all select xmin::text from langgraph_run where id = :run
                      union all select xmin::text from checkpoint where run = :run) as written
                    """)
                .param("run", run)
                .query(Integer.class)
                .single())
        .isOne();
    var shown = face.get("/threads/%1$s/runs/%1$s".formatted(run)).ok();
    assertThat(shown.at("/metadata")).isEqualTo("{\"a\":\"\\\"1\"}");
    assertThat(shown.at("/assistant_id")).isEqualTo(AssistantIds.ofGraph(name));
    assertThat(shown.at("/multitask_strategy")).isEqualTo("reject");
    assertThat(shown.at("/status")).isEqualTo("success");
    assertThat(columns(run)).isEqualTo(columns(inBackground()));
  }

  @Test
  void insertsARunOfAThreadWithItsCall() {
    var thread = UUID.randomUUID().toString();
    var body = body(name, ", \"if_not_exists\": \"create\", \"metadata\": {\"a\": \"\\\"1\"}");
    var runs = "/threads/" + thread + "/runs";
    var _ = face.post(runs + "/wait", body).ok();
    var at = body.replace("\"input\"", "\"after_seconds\": 60, \"input\"");
    var later = face.post(runs, at).ok();

    assertThat(later.at("/status")).isEqualTo("pending");
    assertThat(later.at("/thread_id")).isEqualTo(thread);
    assertThat(later.at("/metadata")).isEqualTo("{\"a\":\"\\\"1\"}");
    var all = face.get(runs).ok();
    assertThat(all.list().size()).isEqualTo(2);
    assertThat(all.at("/1/status")).isEqualTo("success");
    assertThat(all.at("/1/thread_id")).isEqualTo(thread);
    assertThat(all.at("/1/metadata")).isEqualTo("{\"a\":\"\\\"1\"}");
  }

  private String inBackground() {
    var body = body(name, ", \"metadata\": {\"a\": \"\\\"1\"}, \"x\": 1");
    return face.post("/runs", body).ok().at("/run_id");
  }

  /// But for those that name the run and tell the time.
  private String columns(String run) {
    return jdbc.sql(
            """
            select (to_jsonb(langgraph_run) - array['id', 'run', 'created_at'])::text
              from langgraph_run where id = ? and run = id
            """)
        .param(run)
        .query(String.class)
        .single();
  }

  @Test
  void insertsARunInTheBackgroundWithItsCall() {
    assertThat(
            jdbc.sql(
                    """
                    select count(distinct writer) from (
                      select xmin::text as writer from run_input where run = :run
                      union all select xmin::text from langgraph_run where id = :run) as written
                    """)
                .param("run", inBackground())
                .query(Integer.class)
                .single())
        .isOne();
  }

  @Test
  void cancelsARunWhoseClientLeavesIfAsked() throws Exception {
    face.graph(ChatGraphs.LONG);
    var before = face.post("/runs", body("lg-long", "")).ok().at("/run_id");
    assertThat(face.post("/runs/cancel", "{\"run_ids\": [\"%s\"]}".formatted(before)).status())
        .isEqualTo(204);
    String run;
    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/langgraph/runs/wait"))
              .header("Content-Type", "application/json")
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      body("lg-long", ", \"on_disconnect\": \"cancel\"")))
              .build();
      var answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      run = answer.headers().firstValue("Content-Location").orElseThrow().replace("/runs/", "");
      assertThat(status(run)).as("whose id is known is on disk").isIn("running", "waiting");
      assertThat(answer.body().read()).isEqualTo('\n');
      client.shutdownNow();
    }
    await().untilAsserted(() -> assertThat(status(run)).isEqualTo("cancelled"));
  }

  private String status(String run) {
    return jdbc.sql("select status from run where id = ?").param(run).query(String.class).single();
  }
}
