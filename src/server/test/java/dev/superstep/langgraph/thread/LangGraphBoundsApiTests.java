package dev.superstep.langgraph.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.langgraph.FaceGraphs;
import java.util.Collections;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What one call to the LangGraph Agent Server may cost.
@ApiTest
class LangGraphBoundsApiTests {
  private static final String LARGE = "x".repeat(4_000_000);
  @LocalServerPort private int port;
  private FaceClient face = new FaceClient(0);

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    face.graph(FaceGraphs.division("lg-bounds-division"));
  }

  private String made(String mark) {
    return face.post("/threads", "{\"metadata\": {\"mark\": \"%s\"}}".formatted(mark))
        .ok()
        .at("/thread_id");
  }

  /// Three commits, each with the same large state.
  private void large(String thread) {
    var _ =
        face.run(
            """
            {"graph": "lg-bounds-division", "thread_id": "%s", "input": {"divisor": 2, "text": "%s"}}
            """
                .formatted(thread, LARGE));
  }

  @Test
  void refusesHistoriesThatAreTooLarge() {
    var thread = made("history");
    large(thread);
    large(thread);
    var path = "/threads/" + thread + "/history";

    face.post(path, "{\"limit\": 10}").is(422, "limit_exceeded");
    face.get(path + "?limit=10").is(422, "limit_exceeded");

    assertThat(face.post(path, "{\"limit\": 2}").ok().list().size()).isEqualTo(2);
  }

  @Test
  void refusesListsOfThreadsThatAreTooLarge() {
    var mark = UUID.randomUUID().toString();
    for (int i = 0; i < 5; i++) {
      large(made(mark));
    }
    var search = "{\"metadata\": {\"mark\": \"%s\"}, %s}";

    face.post("/threads/search", search.formatted(mark, "\"limit\": 10")).is(422, "limit_exceeded");

    var two = face.post("/threads/search", search.formatted(mark, "\"limit\": 2")).ok();
    assertThat(two.list().size()).isEqualTo(2);
    var ids = search.formatted(mark, "\"limit\": 10, \"select\": [\"thread_id\"]");
    assertThat(face.post("/threads/search", ids).ok().list().size()).isEqualTo(5);
  }

  @Test
  void looksIntoSoManyCheckpointsAtMost() {
    face.graph(loop(1_020));
    var thread = face.post("/threads", "{}").ok().at("/thread_id");
    var run =
        face.run(
            """
            {"graph": "lg-bounds-loop", "thread_id": "%s", "input": {}}
            """
                .formatted(thread));
    assertThat(FaceClient.find(run, "/status")).isEqualTo("succeeded");
    var path = "/threads/" + thread + "/history";

    var refused = face.post(path, "{\"metadata\": {\"nothing\": 1}, \"limit\": 1}");
    refused.is(422, "limit_exceeded");
    assertThat(refused.at("/errors/0/pointer")).isEqualTo("/metadata");

    var found = face.post(path, "{\"metadata\": {\"step\": 900}, \"limit\": 1}").ok();
    assertThat(found.at("/0/metadata/step")).isEqualTo("900");
    var older =
        face.post(
                path,
                "{\"metadata\": {\"step\": 3}, \"before\": \"%s\"}"
                    .formatted(found.at("/0/checkpoint/checkpoint_id")))
            .ok();
    assertThat(older.at("/0/metadata/step")).isEqualTo("3");
    assertThat(older.list().size()).isEqualTo(1);
  }

  /// A million comparisons at each of some twenty checkpoints, none of which has what is wanted.
  @Test
  void refusesToCompareTooMuchOfAHistory() {
    face.graph(loop(20));
    var path = "/threads/" + face.post("/threads", "{}").ok().at("/thread_id");
    var numbers = IntStream.rangeClosed(1, 1_000).boxed().toList();
    face.post(
            path + "/runs/wait",
            "{\"assistant_id\": \"lg-bounds-loop\", \"input\": {}, \"metadata\": {\"l\": %s}}"
                .formatted(numbers))
        .ok();
    var search = "{\"metadata\": {\"l\": %s, \"nothing\": 1}, \"limit\": 1}";

    var refused = face.post(path + "/history", search.formatted(Collections.nCopies(1_000, 1_000)));

    refused.is(422, "limit_exceeded");
    assertThat(refused.at("/detail")).contains("steps that one request may cost");
    var cheap = face.post(path + "/history", search.formatted("[1000]")).ok();
    assertThat(cheap.list().size()).isZero();
  }

  @Test
  void keepsNoAnswersInListsOfRuns() {
    face.graph(FaceGraphs.question("lg-bounds-question"));
    var runs = "/threads/" + made("runs") + "/runs";
    var asked = "{\"assistant_id\": \"lg-bounds-question\", \"input\": {\"secret\": 1}}";
    face.post(runs + "/wait", asked).ok();
    var answer =
        """
        {"assistant_id": "lg-bounds-question", "command": {"resume": "yes"},
         "stream_mode": ["updates"], "config": {"tags": ["a"]}, "context": {"large": "%s"}}
        """
            .formatted("x".repeat(20_000));
    face.post(runs + "/wait", answer).ok();

    var listed = face.get(runs + "?limit=100").ok();

    assertThat(listed.list().size()).isEqualTo(2);
    assertThat(listed.at("/0/kwargs"))
        .isEqualTo("{\"config\":{\"tags\":[\"a\"]},\"stream_mode\":[\"updates\"]}");
    assertThat(listed.at("/1/kwargs")).isEqualTo("{}");
    assertThat(face.get(runs + "?limit=101").status()).isEqualTo(422);
  }

  private static String loop(int times) {
    return """
    name: lg-bounds-loop
    limits: { max_supersteps: 2000 }
    channels:
      n: { reducer: sum, default: 0 }
    nodes:
      - { id: count, type: expression, config: { update: { n: 1 } } }
    edges:
      - { from: __start__, to: count }
      - { from: count, route: "state.n < %d ? 'count' : '__end__'", targets: [count, __end__] }
    """
        .formatted(times);
  }
}
