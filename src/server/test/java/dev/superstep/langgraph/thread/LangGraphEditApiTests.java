package dev.superstep.langgraph.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.langgraph.FaceGraphs;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Edits of the states of threads, by clients of the LangGraph Agent Server.
@ApiTest
class LangGraphEditApiTests {
  @LocalServerPort private int port;
  private FaceClient face = new FaceClient(0);
  private String thread = "";

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    face.graph(FaceGraphs.chat("lg-edit-chat"));
    face.graph(FaceGraphs.question("lg-edit-question"));
    thread = face.post("/threads", "{}").ok().at("/thread_id");
  }

  private FaceClient.Reply wait(String graph, String more) {
    return face.post(
        "/threads/" + thread + "/runs/wait", "{\"assistant_id\": \"%s\"%s}".formatted(graph, more));
  }

  private FaceClient.Reply edit(String body) {
    return face.post("/threads/" + thread + "/state", body.replace('\'', '"'));
  }

  private FaceClient.Reply state() {
    return face.get("/threads/" + thread + "/state").ok();
  }

  private static String say(String text) {
    return ", \"input\": {\"messages\": [{\"type\": \"human\", \"content\": \"%s\"}]}"
        .formatted(text);
  }

  @Test
  void editsTheStateOfAnEndedRun() {
    wait("lg-edit-chat", say("hi")).ok();
    var before = state();

    var edited = edit("{'values': {'messages': [{'type': 'ai', 'content': 'more'}]}}").ok();

    var after = state();
    assertThat(edited.at("/checkpoint")).isEqualTo(after.at("/checkpoint"));
    assertThat(after.at("/values/messages/2/content")).isEqualTo("more");
    assertThat(after.at("/values/messages/2/type")).isEqualTo("ai");
    assertThat(after.at("/next")).isEqualTo("[]");
    assertThat(after.at("/parent_checkpoint")).isEqualTo(before.at("/checkpoint"));
    assertThat(face.get("/threads/" + thread).at("/status")).isEqualTo("idle");
    var said = wait("lg-edit-chat", say("again")).ok();
    assertThat(said.at("/messages/4/content")).isEqualTo("answer to again");
  }

  @Test
  void editsAQuestionedRunWhereItStands() {
    wait("lg-edit-question", ", \"input\": {}").ok();
    var question = state().at("/tasks/0/interrupts/0/id");

    edit("{'values': {'plan': 'other'}}").ok();

    assertThat(state().at("/values/plan")).isEqualTo("other");
    assertThat(state().at("/metadata/source")).isEqualTo("update");
    assertThat(state().at("/tasks/0/interrupts/0/id")).isEqualTo(question);
    var answered = wait("lg-edit-question", ", \"command\": {\"resume\": \"yes\"}").ok();
    assertThat(answered.at("/said")).isEqualTo("yes");
    assertThat(answered.at("/plan")).isEqualTo("other");
  }

  @Test
  void countsAnEditAsTheResultOfANode() {
    wait("lg-edit-question", ", \"input\": {}").ok();

    edit("{'values': {'said': 'by hand'}, 'as_node': 'ask'}").ok();
    assertThat(state().at("/next")).isEqualTo("[]");
    assertThat(state().at("/values/said")).isEqualTo("by hand");
    assertThat(state().at("/metadata/source")).isEqualTo("update");
    assertThat(face.get("/threads/" + thread).at("/status")).isEqualTo("idle");

    edit("{'values': {'plan': 'again'}, 'as_node': 'plan'}").ok();
    assertThat(state().at("/next")).isEqualTo("[\"ask\"]");
    assertThat(state().at("/tasks/0/interrupts")).isEqualTo("[]");
    assertThat(face.get("/threads/" + thread).at("/status")).isEqualTo("interrupted");

    var on = wait("lg-edit-question", ", \"input\": null").ok();
    assertThat(on.at("/__interrupt__/0/value/question")).isEqualTo("Well?");
    assertThat(on.at("/plan")).isEqualTo("again");
    assertThat(edit("{'values': {}, 'as_node': 'nobody'}").status()).isEqualTo(422);
  }

  @Test
  void beginsABranchAtAnOlderCheckpoint() {
    wait("lg-edit-chat", say("hi")).ok();
    var history = face.post("/threads/" + thread + "/history", "{}").ok();
    var asked = history.at("/1/checkpoint/checkpoint_id");

    edit("{'checkpoint_id': '%s', 'values': {'messages': [{'type': 'human', 'content': 'ho'}]}}"
            .formatted(asked))
        .ok();

    assertThat(state().at("/next")).isEqualTo("[\"answer\"]");
    assertThat(state().at("/parent_checkpoint/checkpoint_id")).isEqualTo(asked);
    assertThat(state().at("/metadata/source")).isEqualTo("update");
    assertThat(wait("lg-edit-chat", "").ok().at("/messages/2/content")).isEqualTo("answer to ho");
    edit("{'checkpoint_id': '%s', 'values': {}}".formatted(UUID.randomUUID()))
        .is(404, "checkpoint_not_found");
  }

  @Test
  void copiesAState() {
    wait("lg-edit-chat", say("hi")).ok();
    var before = state();

    edit("{'values': null, 'as_node': '__copy__'}").ok();

    assertThat(state().at("/values")).isEqualTo(before.at("/values"));
    assertThat(state().at("/parent_checkpoint")).isEqualTo(before.at("/checkpoint"));
    assertThat(state().at("/metadata/source")).isEqualTo("fork");
  }

  @Test
  void takesInputWithoutRunning() {
    edit("{'values': {'messages': 'hi'}}").is(422, "invalid_value");
    face.patch("/threads/" + thread, "{\"metadata\": {\"graph_id\": \"lg-edit-chat\"}}").ok();

    edit("{'values': {'messages': 'hi'}, 'as_node': '__start__'}").ok();

    assertThat(state().at("/next")).isEqualTo("[\"answer\"]");
    assertThat(state().at("/values/messages/0/content")).isEqualTo("hi");
    assertThat(state().at("/metadata/source")).isEqualTo("update");
    assertThat(wait("lg-edit-chat", "").ok().at("/messages/1/content")).isEqualTo("answer to hi");

    edit("{'values': {'messages': 'ho'}, 'as_node': '__start__'}").ok();
    assertThat(wait("lg-edit-chat", "").ok().at("/messages/3/content")).isEqualTo("answer to ho");
  }

  @Test
  void saysWhereAValueIsNoMessage() {
    wait("lg-edit-chat", say("hi")).ok();
    var refused = edit("{'values': {'messages': [{'type': 'narrator', 'content': 'x'}]}}");
    assertThat(refused.is(422, "invalid_value").at("/errors/0/pointer"))
        .isEqualTo("/values/messages/0/type");
  }

  @Test
  void makesAThreadWithAHistory() {
    var made =
        face.post(
            "/threads",
            """
            {"metadata": {"graph_id": "lg-edit-chat"}, "supersteps": [
              {"updates": [{"values": {"messages": "hi"}, "as_node": "__input__"}]},
              {"updates": [{"values": {"messages": [{"type": "ai", "content": "hello"}]},
                            "as_node": "answer"}]}]}
            """);
    thread = made.ok().at("/thread_id");

    assertThat(made.at("/values/messages/1/content")).isEqualTo("hello");
    assertThat(made.at("/status")).isEqualTo("idle");
    assertThat(state().at("/next")).isEqualTo("[]");
    var refused = face.post("/threads", "{\"supersteps\": [{\"updates\": [{}]}]}");
    refused.is(422, "missing_field");
    var id = UUID.randomUUID();
    var broken =
        face.post(
            "/threads",
            """
            {"thread_id": "%s", "metadata": {"graph_id": "lg-edit-chat"},
             "supersteps": [{"updates": [{"values": {}, "as_node": "nobody"}]}]}
            """
                .formatted(id));
    assertThat(broken.status()).isEqualTo(422);
    face.get("/threads/" + id).is(404, "thread_not_found");
  }

  @Test
  void prunesThreads() {
    var other = face.post("/threads", "{}").at("/thread_id");
    var body = "{\"thread_ids\": [\"%s\", \"%s\", \"%s\"]%s}";

    var refused =
        face.post(
            "/threads/prune",
            body.formatted(thread, other, UUID.randomUUID(), ", \"strategy\": \"keep_latest\""));
    refused.is(422, "not_supported");
    var pruned = face.post("/threads/prune", body.formatted(thread, other, UUID.randomUUID(), ""));
    assertThat(pruned.ok().text()).isEqualTo("{\"pruned_count\":2}");
    face.get("/threads/" + other).is(404, "thread_not_found");
  }

  /// An edit is prepared from what the thread is, and prepared anew where another one was faster.
  @Test
  void keepsAllEditsThatComeAtOnce() throws Exception {
    wait("lg-edit-chat", say("hi")).ok();
    int many = 4;
    var together = new CountDownLatch(many);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var edits = new ArrayList<Future<FaceClient.Reply>>();
      for (int i = 0; i < many; i++) {
        edits.add(
            callers.submit(() -> {
              together.countDown();
              together.await();
              return edit("{'values': {'turns': 1}}");
            }));
      }
      for (var edit : edits) {
        edit.get().ok();
      }
    }

    assertThat(state().at("/values/turns")).isEqualTo(Integer.toString(1 + many));
    assertThat(face.post("/threads/" + thread + "/history", "{}").ok().list().size())
        .isEqualTo(3 + many);
  }

  /// What is driven would not see it.
  @Test
  void refusesAThreadWhoseRunIsDriven() {
    face.graph(
        """
        name: lg-edit-rests
        channels: { n: { reducer: sum, default: 0 } }
        nodes:
          - { id: rest, type: wait, config: { for: 3s } }
          - { id: count, type: expression, config: { update: { n: 1 } } }
        edges:
          - { from: __start__, to: rest }
          - { from: rest, to: count }
        """);
    var runs = "/threads/" + thread + "/runs";
    var run = face.post(runs, "{\"assistant_id\": \"lg-edit-rests\", \"input\": {}}").ok();

    edit("{'values': {'n': 10}}").is(409, "thread_busy");

    face.get(runs + "/" + run.at("/run_id") + "/join").ok();
    assertThat(state().at("/values/n")).isEqualTo("1");
    edit("{'values': {'n': 10}}").ok();
    assertThat(state().at("/values/n")).isEqualTo("11");
  }
}
