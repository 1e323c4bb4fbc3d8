package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import dev.superstep.langgraph.FaceClient;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Graphs within graphs, and what debuggers want of a run.
@ApiTest
class SubgraphStreamApiTests {
  private static final String OUTER =
      """
      name: lg-outer
      channels: { log: { reducer: append } }
      nodes:
        - { id: first, type: expression, config: { update: { log: ["first"] } } }
        - { id: sub, type: subgraph, config: { graph: lg-asks, input: {}, result: { update: { log: "{{ response.log }}" } } } }
      edges:
        - { from: __start__, to: first }
        - { from: first, to: sub }
      """;

  @LocalServerPort private int port;
  private FaceClient face = new FaceClient(0);
  private String thread = "";

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    thread = UUID.randomUUID().toString();
    face.graph(ChatGraphs.ASKS);
    face.graph(ChatGraphs.ECHO);
    face.graph(OUTER);
  }

  private List<Message> stream(String members) {
    var body =
        """
        {"assistant_id": "lg-outer", "if_not_exists": "create", %s}\
        """
            .formatted(members);
    var path = "/langgraph/threads/%s/runs/stream".formatted(thread);
    try (var stream = SseClient.post(port, path, body)) {
      assertThat(stream.status()).isEqualTo(200);
      return stream.rest();
    }
  }

  private static List<String> names(List<Message> messages) {
    return messages.stream()
        .map(it -> it.type().replaceAll("[0-9a-f-]{36}", "id"))
        .filter(it -> !it.equals("metadata"))
        .toList();
  }

  @Test
  void streamsARunInsideWhenItBeginsAndWhenItsQuestionIsAnswered() {
    var modes = "\"stream_mode\": \"updates\", \"stream_subgraphs\": true";
    var asked = stream("\"input\": {}, " + modes);
    assertThat(names(asked))
        .containsExactly("updates", "updates|sub:id", "updates|sub:id", "updates");
    assertThat(asked.get(2).text("/before/log/0")).isEqualTo("before");
    assertThat(asked.getLast().text("/__interrupt__/0/value/question")).isEqualTo("Well?");

    var answered = stream("\"command\": {\"resume\": {\"word\": \"yes\"}}, " + modes);
    assertThat(names(answered)).containsExactly("updates|sub:id", "updates|sub:id", "updates");
    assertThat(answered.get(1).type()).isEqualTo(asked.get(2).type());
    assertThat(answered.get(2).text("/after/log/0")).isEqualTo("yes");
    assertThat(answered.getLast().text("/sub/log/1")).isEqualTo("yes");
  }

  @Test
  void leavesRunsInsideOutUnlessAsked() {
    var asked = stream("\"input\": {}, \"stream_mode\": \"updates\"");
    assertThat(names(asked)).containsExactly("updates", "updates");
  }

  @Test
  void streamsTasksAndCheckpoints() {
    var body =
        """
        {"assistant_id": "lg-echo", "input": {"messages": "hi"}, "if_not_exists": "create",
         "stream_mode": ["tasks", "checkpoints", "debug"]}\
        """;
    var path = "/langgraph/threads/%s/runs/stream".formatted(thread);
    try (var stream = SseClient.post(port, path, body)) {
      var all = stream.rest();
      var points = all.stream().filter(it -> it.type().equals("checkpoints")).toList();
      assertThat(points.stream().map(it -> it.number("/metadata/step")).toList())
          .containsExactly(-1L, 0L, 1L);
      assertThat(points.getFirst().text("/next/0")).isEqualTo("__start__");
      assertThat(points.get(1).text("/next/0")).isEqualTo("echo");
      var history = face.get("/threads/%s/history".formatted(thread)).ok();
      assertThat(points.getLast().text("/config/configurable/checkpoint_id"))
          .isEqualTo(history.at("/0/checkpoint/checkpoint_id"));

      var tasks = all.stream().filter(it -> it.type().equals("tasks")).toList();
      assertThat(tasks).hasSize(2);
      assertThat(tasks.getFirst().text("/input/messages/0/content")).isEqualTo("hi");
      assertThat(tasks.getLast().text("/result/messages/0/content")).isEqualTo("You said hi");
      assertThat(tasks.getLast().text("/id")).isEqualTo(tasks.getFirst().text("/id"));
      var debug = all.stream().filter(it -> it.type().equals("debug")).toList();
      assertThat(debug.stream().map(it -> it.text("/type")).toList())
          .containsExactlyInAnyOrder(
              "checkpoint", "checkpoint", "task", "task_result", "checkpoint");
    }
  }

  @Test
  void streamsCallsOfToolsAndHowTheRunFares() {
    face.graph(ChatGraphs.CALLS);
    var all = modes("lg-calls", "[\"tools\", \"lifecycle\"]");

    assertThat(all.stream().map(it -> it.text("/event")).toList())
        .containsExactly(
            "started",
            "on_tool_start",
            "on_tool_start",
            "on_tool_end",
            "on_tool_error",
            "completed");
    assertThat(all.get(2).text("/toolCallId")).isEqualTo("c2");
    assertThat(all.get(2).text("/input/at")).isEqualTo("sun");
    assertThat(all.get(3).text("/output")).isEqualTo("blue");
    assertThat(all.get(4).text("/error")).isEqualTo("too bright");
    assertThat(all.getLast().type()).isEqualTo("lifecycle");
  }

  private List<Message> modes(String graph, String modes) {
    var body =
        """
        {"assistant_id": "%s", "input": {}, "if_not_exists": "create", "stream_mode": %s}\
        """
            .formatted(graph, modes);
    var path = "/langgraph/threads/%s/runs/stream".formatted(thread);
    try (var stream = SseClient.post(port, path, body)) {
      assertThat(stream.status()).isEqualTo(200);
      return stream.rest().stream().filter(it -> !it.type().equals("metadata")).toList();
    }
  }

  @Test
  void refusesCallbacksOfLangChain() {
    var refused =
        face.post(
            "/threads/%s/runs/stream".formatted(thread),
            """
            {"assistant_id": "lg-echo", "input": {"messages": "hi"}, "if_not_exists": "create",
             "stream_mode": ["values", "events"]}\
            """);
    assertThat(refused.is(422, "invalid_value").text()).contains("/stream_mode", "callbacks");
  }
}
