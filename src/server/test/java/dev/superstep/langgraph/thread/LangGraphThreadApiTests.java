package dev.superstep.langgraph.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.langgraph.AssistantIds;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.langgraph.FaceGraphs;
import dev.superstep.state.value.ObjectValue;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Threads as clients of the LangGraph Agent Server make, find and delete them.
@ApiTest
class LangGraphThreadApiTests {
  @LocalServerPort private int port;
  private FaceClient face = new FaceClient(0);

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    face.graph(FaceGraphs.chat("lg-thread-chat"));
    face.graph(FaceGraphs.question("lg-thread-question"));
    face.graph(FaceGraphs.division("lg-thread-division"));
  }

  private String made(String metadata) {
    return face.post("/threads", "{\"metadata\": %s}".formatted(metadata)).ok().at("/thread_id");
  }

  private ObjectValue run(String thread, String graph, String input) {
    return face.run(
        """
        {"graph": "%s", "thread_id": "%s", "input": %s}
        """
            .formatted(graph, thread, input));
  }

  @Test
  void makesAThread() {
    var made = face.post("/threads", "{\"metadata\": {\"user\": \"ann\"}, \"new\": 1}").ok();

    assertThat(UUID.fromString(made.at("/thread_id"))).isNotNull();
    assertThat(made.at("/status")).isEqualTo("idle");
    assertThat(made.at("/values")).isEqualTo("null");
    assertThat(made.at("/interrupts")).isEqualTo("{}");
    assertThat(made.at("/metadata")).isEqualTo("{\"user\":\"ann\"}");
    assertThat(made.at("/created_at")).endsWith("Z");
    assertThat(face.get("/threads/" + made.at("/thread_id")).ok().json()).isEqualTo(made.json());
    assertThat(face.send("POST", "/langgraph/threads", null).status()).isEqualTo(200);
  }

  @Test
  void takesIdsThatAreUuids() {
    var id = UUID.randomUUID().toString();
    var body = "{\"thread_id\": \"%s\", \"metadata\": {\"n\": 1}}".formatted(id);
    assertThat(face.post("/threads", body).ok().at("/thread_id")).isEqualTo(id);

    face.post("/threads", body).is(409, "thread_exists");
    var again =
        face.post(
            "/threads",
            "{\"thread_id\": \"%s\", \"metadata\": {\"n\": 2}, \"if_exists\": \"do_nothing\"}"
                .formatted(id));
    assertThat(again.ok().at("/metadata")).isEqualTo("{\"n\":1}");
    var refused = face.post("/threads", "{\"thread_id\": \"support-4711\"}");
    assertThat(refused.is(422, "invalid_value").at("/errors/0/pointer")).isEqualTo("/thread_id");
  }

  @Test
  void mergesMetadata() {
    var id = made("{\"a\": 1, \"b\": {\"c\": 2}}");

    var patched = face.patch("/threads/" + id, "{\"metadata\": {\"b\": 3, \"d\": null}}").ok();
    assertThat(patched.at("/metadata")).isEqualTo("{\"a\":1,\"b\":3}");
    var minimal =
        face.patch("/threads/" + id, "{\"metadata\": {\"e\": 4}}", "Prefer", "return=minimal");
    assertThat(minimal.status()).isEqualTo(204);
    assertThat(face.get("/threads/" + id).at("/metadata/e")).isEqualTo("4");
    face.patch("/threads/" + UUID.randomUUID(), "{}").is(404, "thread_not_found");
  }

  @Test
  void deletesAThread() {
    var id = made("{}");
    run(id, "lg-thread-chat", "{\"messages\": []}");

    assertThat(face.delete("/threads/" + id).status()).isEqualTo(204);
    face.get("/threads/" + id).is(404, "thread_not_found");
    face.delete("/threads/" + id).is(404, "thread_not_found");
  }

  @Test
  void deletesAThreadThatWaitsForAPerson() {
    var id = made("{}");
    run(id, "lg-thread-question", "{}");
    assertThat(face.get("/threads/" + id).at("/status")).isEqualTo("interrupted");

    assertThat(face.delete("/threads/" + id).status()).isEqualTo(204);
    face.get("/threads/" + id).is(404, "thread_not_found");
  }

  @Test
  void keepsTheQuestionOfAThreadThatIsNotErased() {
    var id = made("{}");
    run(id, "lg-thread-question", "{}");
    var waiting =
        face.send(
            "POST",
            "/v1/runs",
            """
            {"graph": "lg-thread-chat", "thread_id": "%s", "if_busy": "enqueue",
             "input": {"messages": []}}
            """
                .formatted(id));
    assertThat(waiting.status()).as(waiting.text()).isEqualTo(202);

    face.delete("/threads/" + id).is(409, "thread_busy");

    assertThat(face.get("/threads/" + id + "/state").ok().at("/interrupts/0/value/question"))
        .isEqualTo("Well?");
    var run = face.send("GET", "/v1/runs/" + waiting.at("/id"), null).ok();
    assertThat(run.at("/status")).isEqualTo("queued");
  }

  @Test
  void showsValuesAndWhatRan() {
    var id = made("{}");
    run(id, "lg-thread-chat", "{\"messages\": [{\"role\": \"user\", \"content\": \"hi\"}]}");

    var thread = face.get("/threads/" + id).ok();

    assertThat(thread.at("/status")).isEqualTo("idle");
    assertThat(thread.at("/values/messages/0/type")).isEqualTo("human");
    assertThat(thread.at("/values/messages/1/type")).isEqualTo("ai");
    assertThat(thread.at("/values/messages/1/content")).isEqualTo("answer to hi");
    assertThat(thread.at("/values/messages/1/id")).startsWith("m-");
    assertThat(thread.at("/metadata/graph_id")).isEqualTo("lg-thread-chat");
    assertThat(thread.at("/metadata/assistant_id"))
        .isEqualTo(AssistantIds.ofGraph("lg-thread-chat"));
  }

  @Test
  void showsQuestionsByTask() {
    var id = made("{}");
    run(id, "lg-thread-question", "{}");

    var thread = face.get("/threads/" + id).ok();
    var state = face.get("/threads/" + id + "/state").ok();

    assertThat(thread.at("/status")).isEqualTo("interrupted");
    assertThat(thread.at("/values/plan")).isEqualTo("go");
    var task = state.at("/tasks/0/id");
    assertThat(UUID.fromString(task)).isNotNull();
    assertThat(thread.at("/interrupts/" + task + "/0/value/question")).isEqualTo("Well?");
  }

  @Test
  void showsWhyTheLastRunFailed() {
    var id = made("{}");
    run(id, "lg-thread-division", "{\"divisor\": 0}");

    var thread = face.get("/threads/" + id).ok();

    assertThat(thread.at("/status")).isEqualTo("error");
    assertThat(thread.at("/error/error")).isNotEmpty();
    assertThat(thread.at("/error/message")).isNotEmpty();
  }

  @Test
  void findsThreadsByMetadataWithTheirValues() {
    var mark = UUID.randomUUID().toString();
    var first = made("{\"mark\": \"%s\", \"n\": 1}".formatted(mark));
    var second = made("{\"mark\": \"%s\", \"n\": 2}".formatted(mark));
    var third = made("{\"mark\": \"%s\", \"n\": 3}".formatted(mark));
    run(second, "lg-thread-chat", "{\"messages\": [{\"role\": \"user\", \"content\": \"hi\"}]}");

    var all = search("{\"metadata\": {\"mark\": \"%s\"}, \"limit\": 100}".formatted(mark));
    assertThat(ids(all)).containsExactly(third, second, first);
    assertThat(all.header("X-Pagination-Total")).isEqualTo("3");
    assertThat(all.header("X-Pagination-Next")).isEmpty();
    assertThat(all.at("/1/values/messages/0/content")).isEqualTo("hi");
    assertThat(all.at("/0/values")).isEqualTo("null");

    var page =
        search(
            """
            {"metadata": {"mark": "%s"}, "limit": 1, "offset": 1, "sort_by": "created_at",
             "sort_order": "asc", "select": ["thread_id", "status"]}
            """
                .formatted(mark));
    assertThat(page.text())
        .isEqualTo("[{\"status\":\"idle\",\"thread_id\":\"%s\"}]".formatted(second));
    assertThat(page.header("X-Pagination-Total")).isEqualTo("3");
    assertThat(page.header("X-Pagination-Next")).isEqualTo("2");
    assertThat(face.post("/threads/count", "{\"metadata\": {\"mark\": \"%s\"}}".formatted(mark)))
        .extracting(FaceClient.Reply::text)
        .isEqualTo("3");
  }

  @Test
  void findsThreadsByIdsStatusAndValues() {
    var chat = made("{}");
    var asked = made("{}");
    run(chat, "lg-thread-chat", "{\"messages\": [{\"role\": \"user\", \"content\": \"hi\"}]}");
    run(asked, "lg-thread-question", "{}");
    var both = "\"ids\": [\"%s\", \"%s\"]".formatted(chat, asked);

    assertThat(ids(search("{%s}".formatted(both)))).containsExactly(asked, chat);
    assertThat(ids(search("{%s, \"status\": \"interrupted\"}".formatted(both))))
        .containsExactly(asked);
    assertThat(ids(search("{%s, \"values\": {\"turns\": 1}}".formatted(both))))
        .containsExactly(chat);
    assertThat(
            ids(
                search(
                    "{%s, \"values\": {\"messages\": [{\"type\": \"human\"}]}}".formatted(both))))
        .containsExactly(chat);
    assertThat(face.post("/threads/count", "{%s, \"status\": \"idle\"}".formatted(both)).text())
        .isEqualTo("1");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{'limit': 0} | /limit",
        "{'limit': 'ten'} | /limit",
        "{'offset': -1} | /offset",
        "{'status': 'asleep'} | /status",
        "{'sort_by': 'metadata'} | /sort_by",
        "{'metadata': []} | /metadata",
        "{'ids': [1]} | /ids"
      })
  void saysWhatIsWrongWithASearch(String body, String pointer) {
    var reply = face.post("/threads/search", body.replace('\'', '"'));
    assertThat(reply.status()).as(reply.text()).isEqualTo(422);
    assertThat(reply.at("/errors/0/pointer")).isEqualTo(pointer);
  }

  private FaceClient.Reply search(String body) {
    return face.post("/threads/search", body).ok();
  }

  private static java.util.List<String> ids(FaceClient.Reply reply) {
    var ids = new java.util.ArrayList<String>();
    reply.list().forEach(it -> ids.add(FaceClient.find(it, "/thread_id")));
    return ids;
  }
}
