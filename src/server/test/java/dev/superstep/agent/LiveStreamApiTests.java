package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Streams of runs (api.md: `POST /runs/stream`, `GET /runs/{id}/stream`, *Event*).
@AgentTest
class LiveStreamApiTests {
  @LocalServerPort int port;
  @Autowired Script script;
  @Autowired Teller teller;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
    service.graph(chat("stream-chat", ""));
    service.graph(
        """
        name: stream-fan
        channels:
          answers: { reducer: append }
        nodes:
          - id: plan
            type: expression
            config: { dispatch: "{{ ['a', 'b'].map(t, {'node': 'ask', 'id': t, 'input': {'topic': t}}) }}" }
            targets: [ask]
          - id: ask
            type: llm
            config: { prompt: "{{ '#' + state.tag + '-' + input.topic }}", output_to: answers }
          - id: sum
            type: llm
            config: { prompt: "{{ '#' + state.tag + '-sum' }}" }
        edges:
          - { from: __start__, to: plan }
          - { from: ask, to: sum }
        """);
  }

  private static String chat(String name, String config) {
    return """
    name: %s
    channels:
      messages: { reducer: messages }
    nodes:
      - id: llm
        type: llm
        config: { %s }
        retry: { max_attempts: 2, initial_interval: 10ms }
    edges:
      - { from: __start__, to: llm }
    """
        .formatted(name, config);
  }

  private static String said(String graph, String words) {
    return "{\"graph\": \"%s\", \"input\": {\"messages\": [{\"role\": \"user\", \"content\": \"%s\"}]}}"
        .formatted(graph, words);
  }

  private SseClient post(String query, String body, String... headers) {
    return SseClient.post(port, "/v1/runs/stream" + query, body, headers);
  }

  private static List<Message> deltas(List<Message> messages) {
    return messages.stream().filter(it -> it.type().equals("message.delta")).toList();
  }

  private static int first(List<Message> messages, String type) {
    return messages.stream().map(Message::type).toList().indexOf(type);
  }

  private static int last(List<Message> messages, String type) {
    return messages.stream().map(Message::type).toList().lastIndexOf(type);
  }

  /// S1-10: deltas are live only; the message that is stored is what they make up.
  @Test
  void streamsTheWordsOfAModelWhileItWritesThem() {
    script.says("live", Reply.text("piece by piece it comes"));

    try (var stream = post("", said("stream-chat", "#live"))) {
      var all = stream.rest();

      assertThat(stream.status()).isEqualTo(200);
      assertThat(stream.header("Content-Type")).startsWith("text/event-stream");
      assertThat(SseClient.text(all)).isEqualTo("piece by piece it comes");
      assertThat(deltas(all))
          .allSatisfy(it -> {
            assertThat(it.id()).isEmpty();
            assertThat(it.number("/data/attempt")).isEqualTo(1);
            assertThat(it.text("/node")).isEqualTo("llm");
          });
      assertThat(deltas(all).getFirst().number("/data/offset")).isZero();
      assertThat(first(all, "task.started")).isLessThan(first(all, "message.delta"));
      assertThat(last(all, "message.delta")).isLessThan(first(all, "task.succeeded"));
      assertThat(first(all, "task.succeeded")).isLessThan(last(all, "superstep.committed"));
      assertThat(all.getLast().type()).isEqualTo("run.succeeded");
      var state = service.get(stream.header("Location") + "/state");
      assertThat(Service.text(state, "/state/messages/1/content"))
          .isEqualTo("piece by piece it comes");
    }
  }

  /// The function waits until its event has been heard: it is told while the function runs.
  @Test
  void tellsEventsOfAJavaFunctionWhileItRuns() {
    service.graph(
        """
        name: stream-teller
        nodes:
          - id: tell
            type: function
            config: { function: teller }
            retry: { max_attempts: 2, initial_interval: 10ms, retry_on: [flaky] }
        edges: [{ from: __start__, to: tell }]
        """);
    try (var stream = post("", "{\"graph\": \"stream-teller\", \"input\": {}}")) {
      var live = stream.until(it -> it.text("/data/name").equals("found"));
      assertThat(live.id()).isEmpty();
      assertThat(live.type()).isEqualTo("custom");
      assertThat(live.text("/node")).isEqualTo("tell");
      assertThat(live.number("/data/attempt")).isEqualTo(2);
      assertThat(live.data().toString())
          .contains("\"data\":{\"pages\":3},\"index\":0,\"name\":\"found\"}");
      teller.heard.release();

      var rest = stream.rest();
      var stored = rest.stream().filter(it -> it.type().equals("custom")).toList();
      assertThat(stored)
          .extracting(it -> it.text("/data/name"))
          .containsExactly("found", "finished");
      assertThat(stored).noneMatch(it -> it.id().isEmpty());
      assertThat(stored).extracting(it -> it.number("/data/index")).containsExactly(0L, 1L);
      assertThat(first(rest, "custom")).isLessThan(first(rest, "superstep.committed"));
    }
  }

  @Test
  void storesNoLiveEvents() {
    script.says("stored", Reply.text("gone with the wind"));

    try (var stream = post("", said("stream-chat", "#stored"))) {
      assertThat(deltas(stream.rest())).isNotEmpty();
      var events = service.get(stream.header("Location") + "/events").toString();
      assertThat(events).contains("run.succeeded").doesNotContain("message.delta", "task.started");
    }
  }

  /// E31: what a failed attempt has said is void.
  @Test
  void saysWhichAttemptWroteWhat() {
    script.says("again", new Reply.Broken("half of it"), Reply.text("all of it"));

    try (var stream = post("", said("stream-chat", "#again"))) {
      var all = stream.rest();

      var attempts = deltas(all).stream().map(it -> it.number("/data/attempt")).distinct().toList();
      // what the broken connection had brought may be lost with it
      assertThat(attempts).isSubsetOf(1L, 2L).endsWith(2L);
      var second = deltas(all).stream().filter(it -> it.number("/data/attempt") == 2).toList();
      assertThat(second.getFirst().number("/data/offset")).isZero();
      assertThat(SseClient.text(second)).isEqualTo("all of it");
      var retrying = all.get(first(all, "task.retrying"));
      assertThat(retrying.number("/data/attempt")).isEqualTo(1);
    }
  }

  @Test
  void beginsAnewWhenAnAnswerIsRepaired() {
    service.graph(
        chat(
            "stream-repair",
            "output_schema: { type: object, required: [n], properties: { n: { type: integer } }"
                + " }"));
    script.says("repair", Reply.text("{\"n\": \"one\"}"), Reply.text("{\"n\": 1}"));

    try (var stream = post("", said("stream-repair", "#repair"))) {
      var deltas = deltas(stream.rest());

      var begins = deltas.stream().filter(it -> it.number("/data/offset") == 0).toList();
      assertThat(begins).hasSize(2);
      assertThat(SseClient.text(deltas.subList(deltas.indexOf(begins.getLast()), deltas.size())))
          .isEqualTo("{\"n\": 1}");
    }
  }

  @Test
  void asksTheProviderToStreamOnlyIfSomebodyWatches() {
    script.says("watched", Reply.text("watched"), Reply.text("unwatched"));

    try (var stream = post("", said("stream-chat", "#watched"))) {
      stream.rest();
    }
    service.say("stream-chat", "#watched");
    assertThat(script.asked("watched").getFirst().isStreamed()).isTrue();
    assertThat(script.asked("watched").getLast().isStreamed()).isFalse();
  }

  @Test
  void streamsNothingFromANodeThatIsToldNotTo() {
    service.graph(chat("stream-never", "stream: false"));
    script.says("never", Reply.text("all at once"));

    try (var stream = post("", said("stream-never", "#never"))) {
      assertThat(deltas(stream.rest())).isEmpty();
    }
    assertThat(script.asked("never").getFirst().isStreamed()).isFalse();
  }

  /// Dispatched nodes speak side by side, each for itself.
  @Test
  void tellsDispatchedNodesApart() {
    fan("fan1");

    try (var stream = post("", fanOf("fan1"))) {
      var deltas = deltas(stream.rest());

      for (var each : List.of("a", "b")) {
        var mine = deltas.stream().filter(it -> it.text("/dispatch_id").equals(each)).toList();
        assertThat(SseClient.text(mine)).isEqualTo("this is " + each);
      }
      var state = service.get(stream.header("Location") + "/state").toString();
      assertThat(state).contains("\"answers\":[\"this is a\",\"this is b\"]");
    }
  }

  private void fan(String tag) {
    script.says(tag + "-a", Reply.text("this is a"));
    script.says(tag + "-b", Reply.text("this is b"));
    script.says(tag + "-sum", Reply.text("both"));
  }

  private static String fanOf(String tag) {
    return "{\"graph\": \"stream-fan\", \"input\": {\"tag\": \"%s\"}}".formatted(tag);
  }

  @Test
  void showsOnlyWhatIsAskedFor() {
    fan("fan2");

    try (var stream = post("?type=message.delta&node=sum", fanOf("fan2"))) {
      var all = stream.rest();

      assertThat(SseClient.text(all)).isEqualTo("both");
      assertThat(all).allSatisfy(it -> assertThat(it.type()).isEqualTo("message.delta"));
      // what was left out counts as seen
      var again =
          SseClient.get(
              port, stream.header("Location") + "/stream", "Last-Event-ID", stream.lastId());
      assertThat(again.status()).isEqualTo(204);
    }
  }

  @Test
  void showsEventsOfTheRunWithThoseOfANode() {
    fan("fan3");

    try (var stream = post("?node=sum", fanOf("fan3"))) {
      var all = stream.rest();

      assertThat(first(all, "run.created")).isNotNegative();
      assertThat(all.getLast().type()).isEqualTo("run.succeeded");
      assertThat(all).allSatisfy(it -> assertThat(it.text("/node")).isIn("", "sum"));
      assertThat(SseClient.text(all)).isEqualTo("both");
    }
  }

  @Test
  void refusesFiltersThatCanMeanNothing() {
    try (var type = post("?type=mesage.delta", fanOf("none"));
        var node = post("?node=a%20b", fanOf("none"));
        var leaving = post("?on_disconnect=stop", fanOf("none"));
        var graph = post("", fanOf("none").replace("stream-fan", "stream-none"))) {
      assertThat(type.status()).isEqualTo(422);
      assertThat(node.status()).isEqualTo(422);
      assertThat(leaving.status()).isEqualTo(422);
      assertThat(graph.status()).isEqualTo(404);
      assertThat(graph.header("Content-Type")).isEqualTo("application/problem+json");
    }
  }

  /// Last-Event-ID: stored events go on without a gap, wherever live ones were.
  @Test
  void goesOnBehindTheLastStoredEvent() {
    fan("fan4");
    String run;
    String last;
    try (var stream = post("", fanOf("fan4"))) {
      run = stream.header("Location");
      stream.until(it -> it.type().equals("message.delta"));
      last = stream.lastId();
    }

    try (var rest = SseClient.get(port, run + "/stream", "Last-Event-ID", last)) {
      var ids = rest.rest().stream().map(Message::id).filter(it -> !it.isEmpty()).toList();

      assertThat(ids).first().isEqualTo(String.valueOf(Long.parseLong(last) + 1));
      assertThat(Long.parseLong(ids.getLast()) - Long.parseLong(last)).isEqualTo(ids.size());
    }
  }

  /// A call that is repeated with its key starts nothing; its stream begins where the run did.
  @Test
  void followsTheSameRunWhenTheCallIsRepeated() {
    script.says("once", Reply.text("once"));

    try (var stream = post("", said("stream-chat", "#once"), "Idempotency-Key", "stream-1")) {
      stream.rest();
      try (var again = post("", said("stream-chat", "#once"), "Idempotency-Key", "stream-1")) {
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.header("Location")).isEqualTo(stream.header("Location"));
        assertThat(again.rest()).extracting(Message::type).endsWith("run.succeeded");
      }
    }
    assertThat(script.asked("once")).hasSize(1);
  }

  @Test
  void letsARunGoOnWhoseClientLeaves() {
    script.says("leave", new Reply.Late(Duration.ofSeconds(3), Reply.text("unheard")));

    var run = leave("", "#leave");

    var over = service.get(run + "?wait=20s");
    assertThat(Service.text(over, "/status")).isEqualTo("succeeded");
  }

  @Test
  void cancelsARunWhoseClientLeavesIfThatWasAskedFor() {
    script.says("cancel", new Reply.Late(Duration.ofSeconds(60), Reply.text("unheard")));

    var run = leave("?on_disconnect=cancel", "#cancel");

    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () -> assertThat(Service.text(service.get(run), "/status")).isEqualTo("cancelled"));
  }

  /// Starts a run, waits for its first task, and goes away.
  private String leave(String query, String words) {
    try (var stream = post(query, said("stream-chat", words))) {
      stream.until(it -> it.type().equals("task.started"));
      assertThat(Service.at(service.get(stream.header("Location")), "/status"))
          .isEqualTo(Value.of("running"));
      return stream.header("Location");
    }
  }
}
