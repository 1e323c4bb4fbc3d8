package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.model.stub.Reply;
import dev.superstep.run.start.Reconciler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What pieces of a text say of the message they become, and what clients get who come in the
/// middle of one.
@AgentTest
class TextSoFarApiTests {
  private static final String WORDS = "😀 Zoë, piece by piece it comes";
  private static final String BEGUN = WORDS.substring(0, 14);

  @LocalServerPort int port;
  @Autowired Script script;
  @Autowired JdbcClient jdbc;
  @Autowired Reconciler reconciler;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
    service.graph(chat("text-chat", ""));
    service.graph(
        chat(
            "text-repair",
            "output_schema: { type: object, required: [n], properties: { n: { type: integer } }"
                + " }"));
    service.graph(chat("text-silent", "output_to: answer, prompt: 'tell #aside', messages: ''"));
  }

  private static String chat(String name, String config) {
    return """
    name: %s
    channels:
      messages: { reducer: messages }
      answer: {}
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

  private SseClient post(String graph, String words) {
    return SseClient.post(
        port,
        "/v1/runs/stream",
        "{\"graph\": \"%s\", \"input\": {\"messages\": [{\"role\": \"user\", \"content\": \"%s\"}]}}"
            .formatted(graph, words));
  }

  private static boolean isDelta(Message message) {
    return message.type().equals("message.delta");
  }

  private static List<Message> deltas(List<Message> messages) {
    return messages.stream().filter(TextSoFarApiTests::isDelta).toList();
  }

  /// Until the client has the pieces that come before the gate.
  private static void untilBegun(SseClient stream) {
    long points = BEGUN.codePointCount(0, BEGUN.length());
    stream.until(it ->
        isDelta(it)
            && it.number("/data/offset")
                    + it.text("/data/text").codePointCount(0, it.text("/data/text").length())
                == points);
  }

  @Test
  void givesTheTextSoFarToAClientThatComesInTheMiddleOfIt() {
    var gate = new CountDownLatch(1);
    script.says("middle", new Reply.Held(WORDS, gate));

    try (var first = post("text-chat", "#middle")) {
      untilBegun(first);
      try (var second = SseClient.get(port, first.header("Location") + "/stream")) {
        var soFar = second.until(TextSoFarApiTests::isDelta);
        assertThat(soFar.number("/data/offset")).isZero();
        assertThat(soFar.text("/data/text")).isEqualTo(BEGUN);
        assertThat(soFar.data().toString()).contains("\"so_far\":true");
        gate.countDown();

        var late = SseClient.text(second.rest());
        assertThat(BEGUN + late).isEqualTo(WORDS);
      }
      assertThat(BEGUN + SseClient.text(first.rest())).isEqualTo(WORDS);
    }
  }

  /// LangGraph's clients put the pieces of one id together: whether they have been there all the
  /// time, join later, or come again in the middle of the first text, and whether the model says
  /// the same once more or not, they end with the answer.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          messages-tuple | same
          messages-tuple | other
          messages       | same
          messages       | other
          """)
  void givesLangGraphsClientsTheAnswerIfItsDriverIsLost(String mode, String words) {
    var gate = new CountDownLatch(1);
    var answer = words.equals("same") ? WORDS : "Another answer";
    script.says("lost", new Reply.Held(WORDS, gate), Reply.text(answer));
    var thread = UUID.randomUUID().toString();
    var runs = "/langgraph/threads/" + thread + "/runs";
    try (var first = SseClient.post(port, runs + "/stream", begins(mode))) {
      var begun = first.until(it -> !pieces(List.of(it)).isEmpty());
      var run = new FaceClient(port).get("/threads/" + thread + "/runs").at("/0/run_id");
      var path = runs + "/" + run + "/stream?stream_mode=" + mode;
      jdbc.sql(
              "update run set owner = 'dead', lease_epoch = next_epoch(lease_epoch) where thread_id"
                  + " = ?")
          .param(thread)
          .update();
      try (var later = SseClient.get(port, path);
          var again = SseClient.get(port, path, "Last-Event-ID", begun.id())) {
        Awaitility.await().until(() -> reconciles() && script.asked("lost").size() > 1);
        gate.countDown();

        for (var stream : List.of(first, later, again)) {
          var got = new ArrayList<>(stream == later ? List.of() : List.of(begun));
          got.addAll(stream.rest());
          assertThat(pieces(got).values()).as("%s", got).last().isEqualTo(answer);
          if (words.equals("same") && stream != again) {
            assertThat(pieces(got)).hasSize(1);
          }
        }
      }
    }
  }

  private static String begins(String mode) {
    return """
    {"assistant_id": "text-chat", "if_not_exists": "create", "stream_mode": ["%s"],
     "input": {"messages": [{"role": "user", "content": "#lost"}]}}\
    """
        .formatted(mode);
  }

  private boolean reconciles() {
    reconciler.reconcile();
    return true;
  }

  /// By id, as LangGraph's clients put them together.
  private static Map<String, String> pieces(List<Message> messages) {
    var texts = new LinkedHashMap<String, String>();
    for (var it : messages) {
      var type = it.type();
      if (type.equals("messages") && !it.text("/0/type").equals("human")) {
        texts.merge(it.text("/0/id"), it.text("/0/content"), String::concat);
      } else if (type.startsWith("messages") && !it.text("/0/type").equals("human")) {
        if (!type.endsWith("metadata")) {
          texts.put(it.text("/0/id"), it.text("/0/content"));
        }
      }
    }
    return texts;
  }

  @Test
  void keepsTheTextWhileNobodyListens() {
    var gate = new CountDownLatch(1);
    script.says("alone", new Reply.Held(WORDS, gate));
    String run;
    try (var first = post("text-chat", "#alone")) {
      untilBegun(first);
      run = first.header("Location");
    }

    try (var second = SseClient.get(port, run + "/stream?type=message.delta")) {
      assertThat(second.until(TextSoFarApiTests::isDelta).text("/data/text")).isEqualTo(BEGUN);
      gate.countDown();
      assertThat(BEGUN + SseClient.text(second.rest())).isEqualTo(WORDS);
    }
    try (var after = SseClient.get(port, run + "/stream")) {
      assertThat(deltas(after.rest())).isEmpty();
    }
  }

  /// Its model streams although nobody listens yet.
  @Test
  void keepsTheTextOfARunThatLangGraphsClientsBegin() {
    var gate = new CountDownLatch(1);
    script.says("begun", new Reply.Held(WORDS, gate));
    var body = begins("values").replace("#lost", "#begun");
    var run = new FaceClient(port).post("/runs", body).ok().at("/run_id");
    Awaitility.await().until(() -> !script.asked("begun").isEmpty());

    try (var late = SseClient.get(port, "/v1/runs/" + run + "/stream")) {
      untilBegun(late);
      gate.countDown();

      assertThat(BEGUN + SseClient.text(late.rest())).isEqualTo(WORDS);
    }
  }

  @Test
  void namesTheMessageThatIsStored() {
    script.says("named", Reply.text("by its name"));

    try (var stream = post("text-chat", "#named")) {
      var deltas = deltas(stream.rest());

      assertThat(deltas)
          .extracting(it -> it.text("/data/message_id"))
          .containsOnly(storedId(stream));
      assertThat(deltas).extracting(it -> it.text("/data/text_id")).doesNotContain("");
      assertThat(deltas.stream().map(it -> it.text("/data/text_id")).distinct()).hasSize(1);
    }
  }

  private String storedId(SseClient stream) {
    var state = service.get(stream.header("Location") + "/state");
    var id = Service.text(state, "/state/messages/1/id");
    assertThat(id).startsWith("m-");
    return id;
  }

  /// E5: an attempt that failed leaves no trace in the id that is stored.
  @Test
  void tellsTextsApartThatAnAttemptRepeats() {
    script.says("repeated", new Reply.Broken("half of it"), Reply.text("all of it"));
    script.says("undisturbed", Reply.text("all of it"));

    try (var stream = post("text-chat", "#repeated");
        var undisturbed = post("text-chat", "#undisturbed")) {
      var deltas = deltas(stream.rest());
      undisturbed.rest();

      var id = storedId(stream);
      assertThat(deltas)
          .allSatisfy(it ->
              assertThat(it.text("/data/message_id"))
                  .isEqualTo(it.number("/data/attempt") == 1 ? id : id + "-2-1"));
      assertThat(deltas).last().matches(it -> it.number("/data/attempt") == 2);
      assertThat(storedId(undisturbed)).isEqualTo(id);
    }
  }

  @Test
  void tellsTextsApartThatAnAttemptWritesOneAfterTheOther() {
    script.says("repaired", Reply.text("{\"n\": \"one\"}"), Reply.text("{\"n\": 1}"));

    try (var stream = post("text-repair", "#repaired")) {
      var ids = deltas(stream.rest()).stream().map(it -> it.text("/data/message_id")).distinct();

      var id = storedId(stream);
      assertThat(ids).containsExactly(id, id + "-1-2");
    }
  }

  @Test
  void namesNoMessageWhereNoneIsStored() {
    script.says("aside", Reply.text("into a channel of its own"));

    try (var stream = post("text-silent", "whatever")) {
      var deltas = deltas(stream.rest());

      assertThat(SseClient.text(deltas)).isEqualTo("into a channel of its own");
      assertThat(deltas).allSatisfy(it -> assertThat(it.text("/data/message_id")).isEmpty());
    }
  }
}
