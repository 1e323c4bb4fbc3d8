package dev.superstep.langgraph.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.http.ApiTest;
import dev.superstep.langgraph.AssistantIds;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.langgraph.FaceGraphs;
import dev.superstep.run.IfBusy;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.run.StartRun;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// States of threads and their history as clients of the LangGraph Agent Server see them.
@ApiTest
class LangGraphStateApiTests {
  @LocalServerPort private int port;
  @Autowired private RunService runs;
  @Autowired private RunQueries queries;
  @Autowired private ThreadStates states;
  private FaceClient face = new FaceClient(0);
  private String thread = "";

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    face.graph(FaceGraphs.chat("lg-state-chat"));
    face.graph(FaceGraphs.question("lg-state-question"));
    face.graph(FaceGraphs.division("lg-state-division"));
    thread = face.post("/threads", "{}").ok().at("/thread_id");
  }

  private String run(String graph, String input) {
    var run =
        face.run(
            """
            {"graph": "%s", "thread_id": "%s", "input": %s, "metadata": {"who": "ann"}}
            """
                .formatted(graph, thread, input));
    return FaceClient.find(run, "/id");
  }

  private String say(String text) {
    return run(
        "lg-state-chat",
        "{\"messages\": [{\"role\": \"user\", \"content\": \"%s\"}]}".formatted(text));
  }

  private FaceClient.Reply history(String body) {
    return face.post("/threads/" + thread + "/history", body).ok();
  }

  private static List<String> all(FaceClient.Reply reply, String pointer) {
    var found = new ArrayList<String>();
    reply.list().forEach(it -> found.add(FaceClient.find(it, pointer)));
    return found;
  }

  @Test
  void showsAThreadWithoutRuns() {
    assertThat(face.get("/threads/" + thread + "/state").ok().text())
        .isEqualTo(
            "{\"checkpoint\":null,\"created_at\":null,\"interrupts\":[],\"metadata\":null,"
                + "\"next\":[],\"parent_checkpoint\":null,\"tasks\":[],\"values\":{}}");
    assertThat(history("{}").text()).isEqualTo("[]");
    var unknown = "/threads/" + UUID.randomUUID();
    face.get(unknown + "/state").is(404, "thread_not_found");
    face.post(unknown + "/history", "{}").is(404, "thread_not_found");
  }

  @Test
  void showsTheNewestState() {
    var run = say("hi");

    var state = face.get("/threads/" + thread + "/state").ok();

    assertThat(state.at("/values/messages/0/content")).isEqualTo("hi");
    assertThat(state.at("/values/messages/1/type")).isEqualTo("ai");
    assertThat(state.at("/next")).isEqualTo("[]");
    assertThat(state.at("/tasks")).isEqualTo("[]");
    assertThat(state.at("/metadata/run_id")).isEqualTo(run);
    assertThat(state.at("/metadata/graph_id")).isEqualTo("lg-state-chat");
    assertThat(state.at("/metadata/assistant_id")).isEqualTo(AssistantIds.ofGraph("lg-state-chat"));
    assertThat(state.at("/metadata/who")).isEqualTo("ann");
    assertThat(state.at("/metadata/parents")).isEqualTo("{}");
    assertThat(state.at("/checkpoint/thread_id")).isEqualTo(thread);
    assertThat(state.at("/checkpoint/checkpoint_ns")).isEmpty();
    assertThat(state.at("/checkpoint/checkpoint_map")).isEqualTo("null");
    assertThat(state.at("/created_at")).endsWith("Z");
  }

  @Test
  void showsOneChainOverAllRuns() {
    say("one");
    say("two");

    var history = history("{}");

    assertThat(all(history, "/metadata/step")).containsExactly("4", "3", "2", "1", "0", "-1");
    assertThat(all(history, "/metadata/source"))
        .containsExactly("loop", "loop", "input", "loop", "loop", "input");
    assertThat(all(history, "/next"))
        .containsExactly(
            "[]", "[\"answer\"]", "[\"__start__\"]", "[]", "[\"answer\"]", "[\"__start__\"]");
    var ids = all(history, "/checkpoint/checkpoint_id");
    assertThat(ids)
        .isSortedAccordingTo(java.util.Comparator.reverseOrder())
        .doesNotHaveDuplicates();
    assertThat(all(history, "/parent_checkpoint/checkpoint_id"))
        .containsExactly(ids.get(1), ids.get(2), ids.get(3), ids.get(4), ids.get(5), "");
    assertThat(history.at("/5/parent_checkpoint")).isEqualTo("null");
    assertThat(messages(history)).containsExactly(4, 3, 2, 2, 1, 0);
    assertThat(history.at("/1/tasks/0/name")).isEqualTo("answer");
    assertThat(history.at("/2/tasks/0/name")).isEqualTo("__start__");
  }

  private static List<Integer> messages(FaceClient.Reply history) {
    var sizes = new ArrayList<Integer>();
    history
        .list()
        .forEach(it -> {
          var values = (ObjectValue) ((ObjectValue) it).getOr("values", Value.NULL);
          sizes.add(((ListValue) values.getOr("messages", ListValue.empty())).size());
        });
    return sizes;
  }

  @Test
  void pagesHistory() {
    say("one");
    say("two");
    var whole = history("{\"limit\": 100}").list();

    for (int from = 0; from < whole.size(); from++) {
      var id = FaceClient.find(whole.get(from), "/checkpoint/checkpoint_id");
      var rest =
          history(
              """
              {"before": {"configurable": {"checkpoint_id": "%s"}}, "limit": 2}
              """
                  .formatted(id));
      assertThat(rest.list())
          .as("before %d", from)
          .isEqualTo(ListValue.of(items(whole, from + 1, from + 3)));
    }
    var first = FaceClient.find(whole.get(0), "/checkpoint/checkpoint_id");
    assertThat(history("{\"before\": \"%s\", \"limit\": 1}".formatted(first)).list().get(0))
        .isEqualTo(whole.get(1));
    assertThat(face.get("/threads/" + thread + "/history?limit=1&before=" + first).list().get(0))
        .isEqualTo(whole.get(1));
    assertThat(history("{\"metadata\": {\"source\": \"input\"}, \"limit\": 1}").list().get(0))
        .isEqualTo(whole.get(2));
    assertThat(history("{\"metadata\": {\"source\": \"input\"}}").list()).hasSize(2);
  }

  private static List<Value> items(ListValue list, int from, int to) {
    var items = new ArrayList<Value>();
    for (int i = from; i < Math.min(to, list.size()); i++) {
      items.add(list.get(i));
    }
    return items;
  }

  @Test
  void showsEveryStateByItsCheckpoint() {
    say("one");
    var base = "/threads/" + thread + "/state/";

    for (var state : history("{}").list()) {
      var id = FaceClient.find(state, "/checkpoint/checkpoint_id");
      assertThat(face.get(base + id).ok().json()).isEqualTo(state);
      var body = "{\"checkpoint\": {\"checkpoint_id\": \"%s\"}}".formatted(id);
      assertThat(face.post(base + "checkpoint", body).ok().json()).isEqualTo(state);
    }
    face.get(base + UUID.randomUUID()).is(404, "checkpoint_not_found");
    face.get(base + "latest").is(404, "checkpoint_not_found");
  }

  @Test
  void showsAQuestionAtItsTask() {
    run("lg-state-question", "{}");

    var state = face.get("/threads/" + thread + "/state").ok();

    assertThat(state.at("/next")).isEqualTo("[\"ask\"]");
    assertThat(state.at("/values")).isEqualTo("{\"plan\":\"go\"}");
    assertThat(state.at("/tasks/0/name")).isEqualTo("ask");
    assertThat(state.at("/tasks/0/error")).isEqualTo("null");
    assertThat(state.at("/tasks/0/interrupts/0/value")).isEqualTo("{\"question\":\"Well?\"}");
    assertThat(state.at("/tasks/0/interrupts/0/id")).matches("[0-9a-f]{32}");
    assertThat(state.at("/interrupts")).isEqualTo(state.at("/tasks/0/interrupts"));
    var history = history("{}");
    assertThat(all(history, "/interrupts/0/id"))
        .as("only the newest state asks")
        .containsExactly(state.at("/tasks/0/interrupts/0/id"), "", "");
    assertThat(history.list().get(0)).isEqualTo(state.json());
  }

  @Test
  void showsTheErrorOfAFailedTask() {
    run("lg-state-division", "{\"divisor\": 0}");

    var state = face.get("/threads/" + thread + "/state").ok();

    assertThat(state.at("/next")).isEqualTo("[\"divide\"]");
    var error = (ObjectValue) dev.superstep.json.Json.read(state.at("/tasks/0/error"));
    assertThat(error.get("name")).isNotNull();
    assertThat(error.get("message")).isNotNull();
  }

  /// What a front end does when a person edits the first message.
  @Test
  void beginsAnewBeforeAnInput() {
    say("wrong");
    var first = states.find(thread, history("{}").at("/1/parent_checkpoint/checkpoint_id"));
    assertThat(first.at().isBeforeInput()).isTrue();

    var run = sayFrom("right", first.at());

    var history = history("{}");
    assertThat(messages(history)).containsExactly(2, 1, 0, 2, 1, 0);
    assertThat(history.at("/0/values/messages/0/content")).isEqualTo("right");
    assertThat(history.at("/0/metadata/run_id")).isEqualTo(run);
    assertThat(history.at("/2/parent_checkpoint/checkpoint_id")).isEqualTo(first.id().text());
    assertThat(all(history, "/metadata/step")).containsExactly("2", "1", "0", "1", "0", "-1");

    sayFrom("third", states.find(thread, history.at("/2/checkpoint/checkpoint_id")).at());
    assertThat(messages(history("{}"))).startsWith(2, 1, 0);
    assertThat(history("{\"limit\": 1}").at("/0/values/messages/0/content")).isEqualTo("third");
  }

  @Test
  void branchesFromAnOlderCheckpoint() {
    say("one");
    say("two");
    var after = states.find(thread, history("{}").at("/3/checkpoint/checkpoint_id"));

    sayFrom("other", after.at());

    var history = history("{}");
    assertThat(history.at("/0/values/messages/2/content")).isEqualTo("other");
    assertThat(history.at("/2/parent_checkpoint/checkpoint_id")).isEqualTo(after.id().text());
    assertThat(all(history, "/metadata/step"))
        .containsExactly("4", "3", "2", "4", "3", "2", "1", "0", "-1");
  }

  private String sayFrom(String text, CheckpointRef from) {
    var message = ObjectValue.of("role", Value.of("user")).plus("content", Value.of(text));
    var started =
        runs.start(
            new StartRun(
                "lg-state-chat",
                Optional.empty(),
                ObjectValue.of("messages", ListValue.of(message)),
                Optional.empty(),
                Optional.empty(),
                Optional.of(thread),
                Map.of(),
                StartRun.Options.DEFAULT.ifBusy(IfBusy.REJECT).from(Optional.of(from))));
    face.send("GET", "/v1/runs/%s?wait=30s".formatted(started.run()), null);
    assertThat(queries.summary(started.run()).status())
        .isEqualTo(dev.superstep.engine.run.RunStatus.SUCCEEDED);
    return started.run();
  }
}
