package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.client.model.NewThread;
import dev.superstep.client.model.Run.StatusEnum;
import dev.superstep.client.model.StartRun;
import dev.superstep.client.model.ThreadChange;
import dev.superstep.client.model.ThreadSearch;
import dev.superstep.graph.Pointer;
import dev.superstep.http.ApiTest;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Threads as things of their own: made before their first run, described, found, with a status.
@ApiTest
class ThreadRecordApiTests {
  @LocalServerPort private int port;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.question("record-question"));
    api.graph(Graphs.counter("record-counter", 1));
    api.graph(Graphs.sleeper("record-sleeper"));
  }

  private static String fresh() {
    return "t-" + UUID.randomUUID();
  }

  private static StartRun on(String thread, String graph, Map<String, Object> input) {
    return Api.start(graph, input).threadId(thread);
  }

  private String make(Map<String, Object> metadata) {
    return api.threads.createThread(new NewThread().metadata(metadata), null).getThreadId();
  }

  private static String text(Value value, String pointer) {
    return Pointer.find(value, pointer).orElse(Value.NULL) instanceof Value.Text(var text)
        ? text
        : "";
  }

  private String status(String thread) {
    return text(Json.read(api.get("/v1/threads/" + thread).body()), "/status");
  }

  private List<String> found(String search) {
    return ids(api.post("/v1/threads/search?limit=200", search));
  }

  private static List<String> ids(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Api.at(answer, "/items") instanceof ListValue items
        ? items.stream().map(it -> text(it, "/thread_id")).toList()
        : List.of();
  }

  @Test
  void makesAThreadThatIsThereBeforeItsFirstRun() {
    var thread = fresh();
    var answer =
        api.post(
            "/v1/threads", "{\"thread_id\":\"%s\",\"metadata\":{\"n\":[1]}}".formatted(thread));

    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.headers().firstValue("Location")).contains("/v1/threads/" + thread);
    var made = api.threads.getThread(thread);
    assertThat(made.getStatus().getValue()).isEqualTo("idle");
    assertThat(made.getMetadata()).isEqualTo(Map.of("n", List.of(1)));
    assertThat(made.getLastRun()).isNull();
    assertThat(made.getHead()).isNull();
    assertThat(made.getState()).isEqualTo(Map.of());
    assertThat(api.threads.listThreadRuns(thread, null, null).getItems()).isEmpty();

    var run = api.runs.startRun(on(thread, "record-counter", Map.of("n", 1)), null, "30s");
    var begun = api.threads.getThread(thread);
    assertThat(begun.getLastRun()).isNotNull();
    assertThat(begun.getLastRun().getId()).isEqualTo(run.getId());
    assertThat(begun.getUpdatedAt()).isAfterOrEqualTo(run.getFinishedAt());
    assertThat(begun.getMetadata()).isEqualTo(Map.of("n", List.of(1)));
  }

  @Test
  void makesAThreadOnceHoweverOftenItIsAsked() {
    var thread = fresh();
    var body = new NewThread().threadId(thread).metadata(Map.of("a", "first"));
    api.threads.createThread(body, null);

    Api.assertRefused(() -> api.threads.createThread(body, null), 409, "thread_exists");
    var again =
        api.post(
            "/v1/threads",
            "{\"thread_id\":\"%s\",\"if_exists\":\"do_nothing\",\"metadata\":{\"a\":\"second\"}}"
                .formatted(thread));
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(api.threads.getThread(thread).getMetadata()).isEqualTo(Map.of("a", "first"));

    var key = UUID.randomUUID().toString();
    var made = api.threads.createThread(new NewThread(), key);
    assertThat(api.threads.createThread(new NewThread(), key).getThreadId())
        .isEqualTo(made.getThreadId());
  }

  /// The key still stands for the thread that it has made.
  @Test
  void makesNoThreadAgainThatWasDeletedMeanwhile() {
    var key = UUID.randomUUID().toString();
    var made = api.threads.createThread(new NewThread(), key);
    api.threads.deleteThread(made.getThreadId());

    Api.assertRefused(
        () -> api.threads.createThread(new NewThread(), key), 404, "thread_not_found");
  }

  @Test
  void refusesWhatItCannotStore() {
    Api.assertProblem(api.post("/v1/threads", "{\"thread_id\": \"a b\"}"), 422, "invalid_value");
    Api.assertProblem(api.post("/v1/threads", "{\"if_exists\": \"maybe\"}"), 422, "invalid_value");
    Api.assertProblem(api.post("/v1/threads", "{\"status\": \"idle\"}"), 422, "unknown_field");
    var large = "{\"metadata\": {\"a\": \"%s\"}}".formatted("x".repeat(16 * 1024));
    Api.assertProblem(api.post("/v1/threads", large), 422, "limit_exceeded");
    Api.assertProblem(api.post("/v1/threads/search", large), 422, "limit_exceeded");
    Api.assertProblem(
        api.send("PATCH", "/v1/threads/x", "application/json", "{}"), 422, "missing_field");
    Api.assertRefused(
        () -> api.threads.updateThread("nobody", new ThreadChange().metadata(Map.of())),
        404,
        "thread_not_found");
    Api.assertProblem(
        api.post("/v1/threads/search", "{\"status\": [\"asleep\"]}"), 422, "invalid_value");
  }

  @Test
  void refusesSearchesThatCompareLongLists() {
    var search = "{\"metadata\": {\"a\": {\"b\": [%s]}}, \"status\": [\"%s\"]}";
    var most = "1, ".repeat(63) + 1;
    var tooMany = most + ", 1";

    var refused = api.post("/v1/threads/search", search.formatted(tooMany, "idle"));
    Api.assertProblem(refused, 422, "limit_exceeded");
    assertThat(text(Json.read(refused.body()), "/errors/0/pointer")).isEqualTo("/metadata");
    var both = api.post("/v1/threads/search", search.formatted(tooMany, "asleep"));
    assertThat(text(Json.read(both.body()), "/errors/1/pointer")).isEqualTo("/status/0");

    assertThat(found(search.formatted(most, "idle"))).isEmpty();
  }

  /// Every number that the API takes can be read again.
  @Test
  void keepsMetadataAsItWasGiven() {
    var metadata =
        "{\"big\":1e+300,\"small\":-2.5e-300,\"int\":9007199254740993,\"zero\":0.0,\"text\":\"\\u0001\u00e9\"}";

    var made = api.post("/v1/threads", "{\"metadata\": %s}".formatted(metadata));

    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    var thread = text(Json.read(made.body()), "/thread_id");
    assertThat(Api.at(api.get("/v1/threads/" + thread), "/metadata"))
        .isEqualTo(Json.read(metadata));
  }

  @Test
  void describesAThreadMemberByMember() {
    var thread = make(Map.of("a", 1, "b", 2, "c", Map.of("d", 3)));
    var changes = new HashMap<String, Object>();
    changes.put("a", null);
    changes.put("b", 3);
    changes.put("c", Map.of("e", 4));

    var changed = api.threads.updateThread(thread, new ThreadChange().metadata(changes));

    assertThat(changed.getMetadata()).isEqualTo(Map.of("b", 3, "c", Map.of("e", 4)));
    assertThat(changed.getUpdatedAt()).isAfter(changed.getCreatedAt());
  }

  @Test
  void findsThreadsByWhatTheirMetadataContain() {
    var mark = fresh();
    var first = make(Map.of("mark", mark, "labels", List.of("x", "y"), "deep", Map.of("a", 1)));
    var second = make(Map.of("mark", mark));
    var third = fresh();
    api.runs.startRun(on(third, "record-counter", Map.of()), null, "30s");
    api.threads.updateThread(third, new ThreadChange().metadata(Map.of("mark", mark)));

    assertThat(found("{\"metadata\": {\"mark\": \"%s\"}}".formatted(mark)))
        .containsExactly(third, second, first);
    assertThat(found("{\"metadata\": {\"mark\": \"%s\", \"labels\": [\"y\"]}}".formatted(mark)))
        .containsExactly(first);
    assertThat(found("{\"metadata\": {\"mark\": \"%s\", \"deep\": {\"a\": 2}}}".formatted(mark)))
        .isEmpty();
    assertThat(found("{\"thread_ids\": [\"%s\", \"%s\"]}".formatted(first, third)))
        .containsExactly(third, first);
    assertThat(ids(api.get("/v1/threads?metadata=mark:" + mark))).containsExactly(third);

    var wanted = new ThreadSearch().metadata(Map.of("mark", mark));
    var page = api.threads.searchThreads(wanted, 2, null);
    assertThat(page.getItems()).hasSize(2);
    var rest = api.threads.searchThreads(wanted, 2, page.getNextCursor());
    assertThat(rest.getItems()).extracting("threadId").containsExactly(first);
    assertThat(rest.getNextCursor()).isNull();
  }

  @Test
  void tellsHowAThreadStands() {
    var thread = make(Map.of());
    assertThat(status(thread)).isEqualTo("idle");

    var asked = api.runs.startRun(on(thread, "record-question", Map.of()), null, "30s");
    assertThat(asked.getStatus()).isEqualTo(StatusEnum.INTERRUPTED);
    assertStands(thread, "interrupted");

    api.runs.cancelRun(asked.getId(), null, "30s");
    assertStands(thread, "interrupted");

    api.runs.startRun(on(thread, "record-counter", Map.of()), null, "30s");
    assertStands(thread, "idle");

    var asleep = api.runs.startRun(on(thread, "record-sleeper", Map.of()), null, null);
    assertStands(thread, "busy");
    api.runs.cancelRun(asleep.getId(), null, "30s");

    api.graph(
        """
        name: record-failing
        nodes:
          - { id: a, type: fail, config: { code: sold_out, message: "no more" } }
        edges: [{ from: __start__, to: a }]
        """);
    api.runs.startRun(on(thread, "record-failing", Map.of()), null, "30s");
    assertStands(thread, "error");

    api.runs.startRun(on(thread, "record-counter", Map.of()), null, "30s");
    assertStands(thread, "idle");
  }

  /// In the thread itself, and in searches for this status and no other.
  private void assertStands(String thread, String status) {
    assertThat(status(thread)).isEqualTo(status);
    for (var other : Arrays.asList("idle", "busy", "interrupted", "error")) {
      var found =
          found("{\"thread_ids\": [\"%s\"], \"status\": [\"%s\"]}".formatted(thread, other));
      assertThat(found.contains(thread)).as(other).isEqualTo(other.equals(status));
      assertThat(ids(api.get("/v1/threads?limit=200&status=" + other)).contains(thread))
          .as(other)
          .isEqualTo(other.equals(status));
    }
  }

  @Test
  void keepsAThreadThatACallHasMadeOrDescribed() {
    var made = make(Map.of());
    var described = fresh();
    var run = api.runs.startRun(on(made, "record-counter", Map.of()), null, "30s");
    var other = api.runs.startRun(on(described, "record-counter", Map.of()), null, "30s");
    api.threads.updateThread(described, new ThreadChange().metadata(Map.of("a", 1)));

    api.runs.deleteRun(run.getId());
    api.runs.deleteRun(other.getId());

    for (var thread : List.of(made, described)) {
      assertThat(status(thread)).isEqualTo("idle");
      assertThat(api.threads.getThread(thread).getState()).isEqualTo(Map.of());
      api.threads.deleteThread(thread);
      Api.assertRefused(() -> api.threads.getThread(thread), 404, "thread_not_found");
    }
  }
}
