package dev.superstep.langgraph.thread;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.langgraph.FaceClient.Reply;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What clients see of tasks that have ended beside one that asks or has failed: as LangGraph shows
/// it, while nothing of it is committed.
@ApiTest
class FinishedSiblingsApiTests {
  private static final String BESIDE =
      """
      name: lg-beside
      channels: { log: { reducer: append } }
      nodes:
        - { id: left, type: expression, config: { update: { log: [left] } } }
        - { id: quiet, type: router }
        - { id: right, type: %s }
        - { id: last, type: expression, config: { update: { log: [last] } } }
      edges:
        - { from: __start__, to: [left, quiet, right] }
        - { from: [left, quiet, right], to: last, join: all }
      """;

  private static final int MANY = 3 * 10 * 7;

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  private FaceClient face = new FaceClient(0);
  private String thread = "";

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    thread = UUID.randomUUID().toString();
  }

  private void asks() {
    face.graph(
        BESIDE.formatted(
            "human, config: { payload: well, result: { update: { log: [\"{{ response }}\"] } } }"));
  }

  private Reply state(String more) {
    return face.get("/threads/%s/state%s".formatted(thread, more)).ok();
  }

  private static String body(String members) {
    return """
    {"assistant_id": "lg-beside", "if_not_exists": "create", "stream_mode": ["values", "updates", "tasks"], %s}\
    """
        .formatted(members);
  }

  private List<Message> stream(String members) {
    var path = "/langgraph/threads/%s/runs/stream".formatted(thread);
    try (var stream = SseClient.post(port, path, body(members))) {
      assertThat(stream.status()).isEqualTo(200);
      return stream.rest();
    }
  }

  private List<Message> replayed(List<Message> of) {
    var path =
        "/langgraph/threads/%s/runs/%s/stream".formatted(thread, of.getFirst().text("/run_id"));
    try (var again = SseClient.get(port, path, "Last-Event-ID", "-1")) {
      return again.rest();
    }
  }

  private static List<String> of(List<Message> all, String type, String pointer) {
    return all.stream()
        .filter(it -> it.type().equals(type))
        .map(it -> FaceClient.find(it.data(), pointer))
        .toList();
  }

  @Test
  void showsThemInTheNewestStateOnly() {
    asks();
    var waited = face.post("/threads/%s/runs/wait".formatted(thread), body("\"input\": {}")).ok();
    assertThat(waited.at("/log")).isEqualTo("[\"left\"]");
    assertThat(waited.at("/__interrupt__/0/value")).isEqualTo("well");

    var newest = state("");
    assertThat(newest.at("/values/log")).isEqualTo("[\"left\"]");
    assertThat(newest.at("/next")).isEqualTo("[\"right\"]");
    assertThat(newest.at("/tasks/0/result")).isEqualTo("{\"log\":[\"left\"]}");
    assertThat(newest.at("/tasks/1/result")).isEqualTo("null");
    assertThat(newest.at("/tasks/2/interrupts/0/value")).isEqualTo("well");

    var committed = state("/" + newest.at("/checkpoint/checkpoint_id"));
    assertThat(committed.at("/values/log")).isEmpty();
    assertThat(committed.at("/next")).isEqualTo("[\"left\",\"quiet\",\"right\"]");
    assertThat(committed.at("/tasks/0/result")).isEqualTo("{\"log\":[\"left\"]}");
    var history = face.get("/threads/%s/history".formatted(thread)).ok();
    assertThat(history.at("/0/values/log")).isEmpty();
    var runs = face.send("GET", "/v1/runs?thread_id=" + thread, null).ok();
    var run = runs.at("/items/0/id");
    var v1 = face.send("GET", "/v1/runs/%s/state".formatted(run), null).ok();
    assertThat(v1.at("/checkpoint")).isNotEmpty();
    assertThat(v1.at("/state/log")).isEmpty();
  }

  @Test
  void streamsTheirEndsAtTheQuestionAndNotAgain() {
    asks();
    var asked = stream("\"input\": {}");
    assertThat(of(asked, "updates", "/left/log")).contains("[\"left\"]");
    assertThat(of(asked, "values", "/log")).containsExactly("", "[\"left\"]");
    assertThat(of(asked, "tasks", "/name"))
        .containsExactly("left", "quiet", "right", "left", "quiet", "right");
    assertThat(of(asked, "tasks", "/interrupts/0/value")).last().isEqualTo("well");

    var answered = stream("\"command\": {\"resume\": \"yes\"}");
    assertThat(of(answered, "values", "/log"))
        .containsExactly("", "[\"left\",\"yes\"]", "[\"left\",\"yes\",\"last\"]");
    assertThat(of(answered, "updates", "/__metadata__/cached"))
        .containsExactly("true", "true", "", "");
    assertThat(of(answered, "tasks", "/name")).containsExactly("right", "right", "last", "last");
    assertThat(replayed(asked)).isEqualTo(asked);
    assertThat(replayed(answered)).isEqualTo(answered);
  }

  @Test
  void showsThemBesideAFailure() {
    face.graph(BESIDE.formatted("expression, config: { update: { n: \"{{ 1 / 0 }}\" } }"));
    var failed = stream("\"input\": {}");
    assertThat(of(failed, "updates", "/left/log")).contains("[\"left\"]");
    var names = of(failed, "tasks", "/name");
    assertThat(names.subList(0, 3)).containsExactly("left", "quiet", "right");
    assertThat(names.subList(3, 6)).containsExactlyInAnyOrder("left", "quiet", "right");
    assertThat(replayed(failed)).isEqualTo(failed);

    var newest = state("");
    assertThat(newest.at("/values/log")).isEqualTo("[\"left\"]");
    assertThat(newest.at("/next")).isEqualTo("[\"right\"]");
    assertThat(newest.at("/tasks/2/error")).contains("message");
  }

  /// Which of two questions comes first in time is not what they are sorted by.
  private int askedFirst(String node) {
    return jdbc.sql(
            """
            update interrupt set created_at = created_at - interval '1 second'
             where run in (select id from run where thread_id = :thread) and node = :node
            """)
        .param("thread", thread)
        .param("node", node)
        .update();
  }

  @Test
  void asksAgainForTheRestOnly() {
    face.graph(
        """
        name: lg-beside
        channels: { log: { reducer: append } }
        nodes:
          - { id: left, type: human, config: { payload: l, result: { update: { log: ["{{ response }}"] } } } }
          - { id: right, type: human, config: { payload: r, result: { update: { log: ["{{ response }}"] } } } }
        edges: [{ from: __start__, to: [left, right] }]
        """);
    var asked = stream("\"input\": {}");
    assertThat(of(asked, "updates", "/__interrupt__/1/value")).containsExactly("r");
    assertThat(askedFirst("right")).isOne();
    var left = of(asked, "updates", "/__interrupt__/0/id").getFirst();
    var again = stream("\"command\": {\"resume\": {\"%s\": \"L\"}}".formatted(left));
    assertThat(of(again, "values", "/log")).containsExactly("", "[\"L\"]");
    assertThat(of(again, "values", "/__interrupt__/0/value")).last().isEqualTo("r");
    assertThat(state("").at("/values/log")).isEqualTo("[\"L\"]");
    var done = stream("\"command\": {\"resume\": \"R\"}");
    assertThat(of(done, "values", "/log")).last().isEqualTo("[\"L\",\"R\"]");
    for (var part : List.of(asked, again, done)) {
      assertThat(replayed(part)).isEqualTo(part);
    }
  }

  /// In the order in which they were dispatched, not in that of their ids, nor of their age.
  @Test
  void asksForDispatchesInTheirOrderWhenTheRunHasGoneOn() {
    face.graph(
        """
        name: lg-beside
        channels: { log: { reducer: append } }
        nodes:
          - id: plan
            type: expression
            config: { dispatch: [{ node: ask, id: z, input: { q: 1 } }, { node: ask, id: y, input: { q: 2 } }, { node: ask, id: x, input: { q: 3 } }] }
            targets: [ask]
          - { id: ask, type: human, config: { payload: "{{ input.q }}", result: { update: { log: ["{{ response }}"] } } } }
        edges: [{ from: __start__, to: plan }]
        """);
    var asked = stream("\"input\": {}");
    for (int i = 0; i < 3; i++) {
      var value = of(asked, "updates", "/__interrupt__/%d/value".formatted(i));
      assertThat(value).last().isEqualTo(Integer.toString(i + 1));
    }
    var ids =
        IntStream.range(0, 3)
            .mapToObj(it -> of(asked, "updates", "/__interrupt__/%d/id".formatted(it)).getLast())
            .toList();
    var answers = "{\"%s\": 1, \"%s\": 2, \"%s\": 3}".formatted(ids.toArray());
    var done = stream("\"command\": {\"resume\": %s}".formatted(answers));
    assertThat(of(done, "values", "/log")).last().isEqualTo("[1,2,3]");
    assertThat(replayed(asked)).isEqualTo(asked);
  }

  /// However many there are, and behind however many they stand.
  @Test
  void asksAllQuestionsOfAStopAgain() {
    face.graph(
        """
        name: lg-beside
        nodes:
          - id: plan
            type: expression
            config: { dispatch: "{{ ['a', 'b', 'c'].map(x, ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'].map(y, ['0', '1', '2', '3', '4', '5', '6'].map(z, {'node': 'ask', 'id': x + y + z}))).flatten(2) }}" }
            targets: [ask]
          - { id: ask, type: human, config: { payload: "{{ dispatch.id }}", result: {} }, next: last }
          - { id: last, type: human, config: { payload: "Sure?", result: {} } }
        edges: [{ from: __start__, to: plan }]
        """);
    var asked = stream("\"input\": {}");
    var ids =
        IntStream.range(0, MANY)
            .mapToObj(it -> of(asked, "updates", "/__interrupt__/%d/id".formatted(it)).getLast())
            .toList();
    assertThat(ids).doesNotContain("").doesNotHaveDuplicates();
    var answers = ids.stream().map("\"%s\": 1"::formatted).collect(joining(", ", "{", "}"));

    var sure = stream("\"command\": {\"resume\": %s}".formatted(answers));

    assertThat(of(sure, "updates", "/__interrupt__/0/value")).last().isEqualTo("Sure?");
    assertThat(replayed(asked)).isEqualTo(asked);
  }
}
