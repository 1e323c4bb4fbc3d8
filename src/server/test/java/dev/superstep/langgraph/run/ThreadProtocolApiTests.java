package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.http.ApiTest;
import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.langgraph.FaceClient.Reply;
import dev.superstep.langgraph.FaceGraphs;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Commands, and streams that stay open over the runs of a thread.
@ApiTest
class ThreadProtocolApiTests {
  private static final String ALL =
      """
      "values", "updates", "messages", "lifecycle", "input", "tasks", "checkpoints", "custom"\
      """;

  @LocalServerPort private int port;
  @Autowired private MeterRegistry meters;
  private FaceClient face = new FaceClient(0);
  private String thread = "";

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    thread = UUID.randomUUID().toString();
    face.graph(FaceGraphs.chat("v2-chat"));
    face.graph(FaceGraphs.question("v2-question"));
    face.graph(FaceGraphs.division("v2-division"));
    face.graph(
        """
        name: v2-two
        nodes:
          - { id: left, type: human, config: { payload: "left?", answer_to: l } }
          - { id: right, type: human, config: { payload: "right?", answer_to: r } }
        edges:
          - { from: __start__, to: left }
          - { from: __start__, to: right }
        """);
    face.graph(
        """
        name: v2-outer
        nodes:
          - { id: sub, type: subgraph, config: { graph: v2-question, input: {}, result: { update: { said: "{{ response.said }}" } } } }
        edges:
          - { from: __start__, to: sub }
        """);
  }

  private Reply command(String method, String params) {
    return face.post(
            "/threads/%s/commands".formatted(thread),
            "{\"id\": 7, \"method\": \"%s\", \"params\": {%s}}".formatted(method, params))
        .ok();
  }

  private Reply start(String graph, String input) {
    var reply =
        command("run.start", "\"assistant_id\": \"%s\", \"input\": %s".formatted(graph, input));
    assertThat(reply.at("/type")).as(reply.text()).isEqualTo("success");
    return reply;
  }

  private static String says(String text) {
    return "{\"messages\": [{\"type\": \"human\", \"content\": \"%s\"}]}".formatted(text);
  }

  private SseClient stream(String channels, String members) {
    var stream =
        SseClient.post(
            port,
            "/langgraph/threads/%s/stream/events".formatted(thread),
            "{\"channels\": [%s]%s}".formatted(channels, members));
    assertThat(stream.status()).isEqualTo(200);
    return stream;
  }

  /// All up to the next end of a run, that included.
  private static List<Message> untilEnd(SseClient stream) {
    var all = new ArrayList<Message>();
    all.add(
        stream.until(it -> {
          all.add(it);
          return isEnd(it);
        }));
    all.removeLast();
    return all;
  }

  private static boolean isEnd(Message message) {
    return message.type().equals("lifecycle")
        && message.text("/params/namespace/0").isEmpty()
        && List.of("completed", "failed", "interrupted").contains(event(message));
  }

  private static String event(Message message) {
    return message.text("/params/data/event");
  }

  private static List<String> of(List<Message> all, String method, String pointer) {
    return all.stream()
        .filter(it -> it.type().equals(method))
        .map(it -> FaceClient.find(it.data(), pointer))
        .toList();
  }

  private static List<String> ids(List<Message> all) {
    return all.stream().map(it -> it.text("/event_id")).toList();
  }

  /// Each question to the database takes a connection.
  private double queries() {
    return meters.find("hikaricp.connections.acquire").tag("pool", "web").timers().stream()
        .mapToLong(Timer::count)
        .sum();
  }

  @Test
  @Timeout(60)
  void asksTheDatabaseOnceForAllStreamsThatWait() {
    var streams = new ArrayList<SseClient>();
    try {
      for (int i = 0; i < 60; i++) {
        thread = face.post("/threads", "{}").ok().at("/thread_id");
        streams.add(stream("\"lifecycle\"", ""));
      }
      start("v2-chat", says("hello"));
      var _ = untilEnd(streams.getLast());
      double before = queries();
      await()
          .during(Duration.ofSeconds(3))
          .atMost(Duration.ofSeconds(10))
          .failFast(() -> assertThat(queries() - before).isLessThan(60))
          .until(() -> true);

      // What another API begins is seen by the one that asks for all.
      face.run(
          "{\"graph\": \"v2-chat\", \"thread_id\": \"%s\", \"input\": {\"messages\": []}}"
              .formatted(thread));
      assertThat(untilEnd(streams.getLast())).isNotEmpty();
    } finally {
      streams.forEach(SseClient::close);
    }
  }

  @Test
  void writesCallsOfTools() {
    face.graph(
        """
        name: v2-calls
        channels: { messages: { reducer: messages } }
        nodes:
          - id: plan
            type: expression
            config:
              update:
                messages:
                  - { role: assistant, content: "", tool_calls: [{ id: c1, name: look, arguments: { at: sky } }] }
          - id: act
            type: expression
            config: { update: { messages: [{ role: tool, tool_call_id: c1, name: look, content: blue }] } }
        edges:
          - { from: __start__, to: plan }
          - { from: plan, to: act }
        """);
    start("v2-calls", "{}");
    try (var stream = stream("\"tools\", \"lifecycle\"", "")) {
      var all = untilEnd(stream);
      assertThat(of(all, "tools", "/params/data/event"))
          .containsExactly("tool-started", "tool-finished");
      assertThat(of(all, "tools", "/params/data/tool_call_id")).containsExactly("c1", "c1");
      assertThat(of(all, "tools", "/params/data/input/at")).containsExactly("sky", "");
      assertThat(of(all, "tools", "/params/data/output")).containsExactly("", "blue");
    }
  }

  @Test
  void followsTwoRunsInOneStream() {
    start("v2-chat", says("one"));
    try (var stream = stream(ALL, "")) {
      var first = untilEnd(stream);
      start("v2-chat", says("two"));
      var second = untilEnd(stream);

      assertThat(of(first, "lifecycle", "/params/data/event"))
          .containsExactly("running", "completed");
      assertThat(of(second, "lifecycle", "/params/data/event"))
          .containsExactly("running", "completed");
      assertThat(of(first, "updates", "/params/data/node")).containsExactly("answer");
      assertThat(of(first, "updates", "/params/node")).containsExactly("answer");
      assertThat(of(second, "values", "/params/data/messages/3/content"))
          .last()
          .isEqualTo("answer to two");
      assertThat(of(first, "checkpoints", "/params/data/source")).contains("input", "loop");
      assertThat(of(first, "tasks", "/params/data/name")).containsExactly("answer", "answer");
      assertThat(ids(first)).doesNotContainAnyElementsOf(ids(second)).doesNotHaveDuplicates();
      assertThat(first.getLast().number("/seq")).isLessThan(second.getFirst().number("/seq"));
    }
  }

  /// Clients show a task as running until they see its end.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          router
          wait, config: { for: 10ms }
          expression, config: { update: {} }
          compact, config: { keep_last: 5, summarizer: { type: drop } }
          """)
  void endsTasksThatChangeNothing(String work) {
    face.graph(
        """
        name: v2-nothing
        channels: { messages: { reducer: messages } }
        nodes:
          - { id: work, type: %s }
          - { id: last, type: expression, config: { update: { done: true } } }
        edges:
          - { from: __start__, to: work }
          - { from: work, to: last }
        """
            .formatted(work));
    start("v2-nothing", "{}");
    try (var stream = stream(ALL, "")) {
      var live = untilEnd(stream);
      assertThat(of(live, "tasks", "/params/data/name"))
          .containsExactly("work", "work", "last", "last");
      assertThat(of(live, "tasks", "/params/data/result"))
          .containsExactly("", "{}", "", "{\"done\":true}");
      assertThat(of(live, "updates", "/params/data"))
          .containsExactly(
              "{\"node\":\"work\",\"values\":{}}",
              "{\"node\":\"last\",\"values\":{\"done\":true}}");
      assertThat(of(live, "values", "/params/data/done")).last().isEqualTo("true");
      try (var again = stream(ALL, ", \"since\": 0")) {
        assertThat(ids(untilEnd(again))).isEqualTo(ids(live));
      }
    }
  }

  @Test
  void takesMessagesApart() {
    start("v2-chat", says("hi"));
    try (var stream = stream("\"messages\", \"lifecycle\"", "")) {
      var all = untilEnd(stream);

      assertThat(of(all, "messages", "/params/data/event"))
          .containsExactly(
              "message-start",
              "content-block-start",
              "content-block-delta",
              "content-block-finish",
              "message-finish");
      assertThat(of(all, "messages", "/params/data/role")).first().isEqualTo("ai");
      assertThat(of(all, "messages", "/params/data/content/text")).contains("answer to hi");
      assertThat(of(all, "messages", "/params/namespace/0"))
          .allMatch(it -> it.startsWith("answer:"));
    }
  }

  @Test
  void goesOnBehindEachEvent() {
    start("v2-chat", says("one"));
    try (var stream = stream(ALL, "")) {
      var all = untilEnd(stream);
      start("v2-chat", says("two"));
      all.addAll(untilEnd(stream));
      for (int i = 0; i < all.size(); i++) {
        long since = all.get(i).number("/seq");
        var rest =
            all.subList(i + 1, all.size()).stream()
                .filter(it -> it.number("/seq") > since)
                .toList();
        if (!rest.isEmpty()) {
          try (var again = stream(ALL, ", \"since\": " + since)) {
            var got = untilEnd(again);
            if (got.size() < rest.size()) {
              got.addAll(untilEnd(again));
            }
            assertThat(ids(got)).as("since %s", since).isEqualTo(ids(rest));
          }
        }
      }
      try (var begin = stream(ALL, ", \"since\": 0")) {
        var got = untilEnd(begin);
        got.addAll(untilEnd(begin));
        assertThat(ids(got)).isEqualTo(ids(all));
      }
    }
  }

  @Test
  void asksAndTakesTheAnswer() {
    start("v2-question", "{}");
    try (var stream = stream("\"lifecycle\", \"input\", \"values\"", "")) {
      var asked = untilEnd(stream);
      var question = of(asked, "input.requested", "/params/data/interrupt_id").getFirst();
      assertThat(of(asked, "input.requested", "/params/data/payload/question"))
          .containsExactly("Well?");
      assertThat(event(asked.getLast())).isEqualTo("interrupted");

      var reply =
          command(
              "input.respond",
              """
              "namespace": [], "interrupt_id": "%s", "response": "yes", "update": {"more": 1}\
              """
                  .formatted(question));

      assertThat(reply.at("/type")).as(reply.text()).isEqualTo("success");
      assertThat(reply.at("/id")).isEqualTo("7");
      var after = untilEnd(stream);
      assertThat(of(after, "lifecycle", "/params/data/event"))
          .containsExactly("running", "completed");
      var state = command("state.get", "\"namespace\": [], \"keys\": [\"said\", \"more\"]");
      assertThat(state.at("/result/values/said")).isEqualTo("yes");
      assertThat(state.at("/result/values/more")).isEqualTo("1");
      assertThat(state.at("/result/values/plan")).isEmpty();
      assertThat(state.at("/result/checkpoint/id")).isNotEmpty();
    }
  }

  @Test
  void takesSeveralAnswersAtOnce() {
    start("v2-two", "{}");
    try (var stream = stream("\"lifecycle\", \"input\"", "")) {
      var questions = of(untilEnd(stream), "input.requested", "/params/data/interrupt_id");
      assertThat(questions).hasSize(2);

      command(
          "input.respond",
          """
          "responses": [{"interrupt_id": "%s", "response": false}, {"interrupt_id": "%s", "response": 2}]\
          """
              .formatted(questions.get(0), questions.get(1)));

      assertThat(event(untilEnd(stream).getLast())).isEqualTo("completed");
    }
  }

  @Test
  void saysWhyARunFailed() {
    start("v2-division", "{\"divisor\": 0}");
    try (var stream = stream("\"lifecycle\"", "")) {
      var end = untilEnd(stream).getLast();
      assertThat(event(end)).isEqualTo("failed");
      assertThat(end.text("/params/data/error")).isNotEmpty();
    }
  }

  @Test
  void tellsOfGraphsInsideWithinTheWantedDepth() {
    start("v2-outer", "{}");
    try (var stream = stream("\"lifecycle\", \"values\", \"input\"", "")) {
      var all = untilEnd(stream);
      assertThat(of(all, "lifecycle", "/params/namespace/0")).anyMatch(it -> it.startsWith("sub:"));
      assertThat(of(all, "input.requested", "/params/namespace/0")).containsExactly("");
    }
    try (var stream = stream("\"lifecycle\"", ", \"namespaces\": [[]], \"depth\": 0")) {
      assertThat(of(untilEnd(stream), "lifecycle", "/params/namespace/0")).containsOnly("");
    }
    try (var stream = stream("\"values\", \"lifecycle\"", ", \"namespaces\": [[\"sub\"]]")) {
      assertThat(stream.until(it -> it.type().equals("values")).text("/params/namespace/0"))
          .startsWith("sub:");
    }
  }

  private void refused(String method, String params, String error) {
    var reply = command(method, params);
    assertThat(reply.at("/type")).as(reply.text()).isEqualTo("error");
    assertThat(reply.at("/error")).as(reply.text()).isEqualTo(error);
    assertThat(reply.at("/id")).isEqualTo("7");
    assertThat(reply.at("/message")).isNotEmpty();
  }

  @Test
  void refusesCommandsWithAReason() {
    refused("run.fly", "", "unknown_command");
    refused("state.fork", "", "not_supported");
    refused("run.start", "\"input\": {}", "invalid_argument");
    refused("state.get", "", "no_such_run");
    refused("input.respond", "\"interrupt_id\": \"x\", \"response\": 1", "no_such_run");
    start("v2-question", "{}");
    try (var stream = stream("\"lifecycle\"", "")) {
      untilEnd(stream);
    }
    refused("input.respond", "\"interrupt_id\": \"x\", \"response\": 1", "no_such_interrupt");
    refused("input.respond", "\"response\": 1", "invalid_argument");
    refused("input.respond", "\"responses\": []", "invalid_argument");
  }

  @Test
  void refusesStreamsThatItCannotGive() {
    var path = "/threads/%s/stream/events".formatted(thread);
    face.post(path, "{\"channels\": [\"values\"]}").is(404, "thread_not_found");
    face.post(path, "{\"channels\": [\"smells\"]}").is(422, "invalid_value");
    face.post(path, "{}").is(422, "invalid_value");
    face.post(path, "{\"channels\": [\"values\"], \"since\": -1}").is(422, "invalid_value");
    face.get(path).is(405, "method_not_allowed");
  }
}
