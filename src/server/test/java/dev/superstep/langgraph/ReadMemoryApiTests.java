package dev.superstep.langgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.compute.ReadMemory;
import dev.superstep.http.ApiTest;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// A replica that has little memory for what requests read: each reads no more than it answers, and
/// what does not fit is refused before it is read.
@ApiTest
@TestPropertySource(properties = "superstep.compute.read-max=6MB")
@Timeout(120)
class ReadMemoryApiTests {
  private static final int MAX = 6 << 20;
  private static final String WITH_60_KB = "{\"metadata\": {\"text\": \"%s\"}}";

  @LocalServerPort private int port;
  @Autowired private ReadMemory memory;
  private FaceClient face = new FaceClient(0);

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
  }

  @AfterEach
  void holdsNothing() {
    Awaitility.await().until(() -> memory.free() == MAX);
  }

  private static String numbers(int count) {
    return IntStream.range(0, count)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(",", "[", "]"));
  }

  private void isRefused(FaceClient.Reply reply) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(422);
    assertThat(reply.at("/code")).isEqualTo("limit_exceeded");
    assertThat(reply.text())
        .contains("superstep.compute.read-max", "trying again does not help", "without=", "limit=");
    assertThat(reply.header("Retry-After")).isEmpty();
  }

  private void isRead(String path) {
    var reply = face.send("GET", path, null);
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
  }

  /// Whoever tries again gets the same answer, so that it says how to read less.
  @Test
  void refusesStatesThatDoNotFit() {
    face.graph(FaceGraphs.division("lg-mem-division"));
    var thread = face.post("/threads", "{}").ok().at("/thread_id");
    var run =
        "{\"graph\": \"lg-mem-division\", \"thread_id\": \"%s\", \"input\": {\"divisor\": 2%s}}";
    var small = face.run(run.formatted(thread, ""));
    var _ = face.get("/threads/" + thread + "/state").ok();

    var large = face.run(run.formatted(thread, ", \"l\": " + numbers(200_000)));
    var id = FaceClient.find(large, "/id");
    isRefused(face.get("/threads/" + thread + "/state"));
    isRefused(face.post("/threads/" + thread + "/history", "{\"limit\": 1}"));
    isRefused(face.post("/threads/search", "{\"ids\": [\"%s\"]}".formatted(thread)));
    isRefused(face.send("GET", "/v1/runs/" + id + "/state", null));
    isRefused(face.send("GET", "/v1/runs/" + id, null));
    isRefused(face.send("GET", "/v1/threads/" + thread, null));
    isRead("/v1/runs/" + id + "?without=input,output");
    isRead("/v1/runs/" + id + "/checkpoints");
    isRead("/v1/runs/" + id + "/tasks?without=input,change");

    var first = FaceClient.find(small, "/id");
    isRead("/v1/runs/" + first + "/state");
    isRead("/v1/runs?limit=200");
  }

  /// The run has ended: a status that asks to try again would have it begun once more.
  @Test
  void saysWhichRunHasEndedIfItsValuesDoNotFit() {
    face.graph(FaceGraphs.division("lg-mem-ended"));
    var input = "\"input\": {\"divisor\": 2, \"l\": %s}".formatted(numbers(200_000));

    // One that begins later is driven from the queue, so that its values are read.
    var later = "{\"assistant_id\": \"lg-mem-ended\", \"after_seconds\": 1, %s}".formatted(input);
    var waited = face.post("/runs/wait", later);
    assertThat(waited.ok().at("/__error__/error")).isEqualTo("limit_exceeded");
    assertThat(waited.at("/__error__/message")).contains("has ended", "join that run");

    var failing = input.replace("2, ", "0, ");
    var failed = face.run("{\"graph\": \"lg-mem-ended\", %s}".formatted(failing));
    var path = "/v1/runs/" + FaceClient.find(failed, "/id") + "/resume?wait=20s";
    var resumed = face.send("POST", path, "{}");
    assertThat(resumed.status()).as(resumed.text()).isEqualTo(202);
    assertThat(resumed.at("/status")).isEqualTo("failed");
  }

  /// Two hundred versions of 60 KB; a search that reads them all would need eight times as much as
  /// there is.
  @Test
  void readsNoMoreVersionsThanItAnswers() {
    face.graph(FaceGraphs.chat("lg-mem-chat"));
    var assistant =
        face.post("/assistants", "{\"graph_id\": \"lg-mem-chat\"}").ok().at("/assistant_id");
    var path = "/assistants/" + assistant;
    for (int i = 0; i < 200; i++) {
      var _ = face.patch(path, WITH_60_KB.formatted(i + "x".repeat(60_000))).ok();
    }

    var found = face.post(path + "/versions", "{\"limit\": 1}").ok().list();
    assertThat(found.size()).isEqualTo(1);
    assertThat(FaceClient.find(found, "/0/version")).isEqualTo("201");
    assertThat(FaceClient.find(found, "/0/metadata/text")).hasSizeGreaterThan(60_000);
    var second = face.post(path + "/versions", "{\"limit\": 1, \"offset\": 1}").ok();
    assertThat(second.at("/0/version")).isEqualTo("200");
    isRefused(face.post(path + "/versions", "{\"limit\": 200}"));

    // The metadata of all are looked into, part by part.
    var none =
        face.post(path + "/versions", "{\"limit\": 1, \"metadata\": {\"text\": \"y\"}}").ok();
    assertThat(none.list().size()).isZero();
    face.delete(path);
  }

  @Test
  void readsNoMoreAssistantsThanItAnswers() {
    face.graph(FaceGraphs.chat("lg-mem-many"));
    var body = "{\"graph_id\": \"lg-mem-many\", \"name\": \"Many\", " + WITH_60_KB.substring(1);
    var made =
        IntStream.range(0, 200)
            .mapToObj(it -> face.post("/assistants", body.formatted(it + "x".repeat(60_000))).ok())
            .map(it -> it.at("/assistant_id"))
            .toList();

    var page =
        face.post("/assistants/search", "{\"graph_id\": \"lg-mem-many\", \"limit\": 1}").ok();
    assertThat(page.list().size()).isEqualTo(1);
    assertThat(page.header("X-Pagination-Total")).isEqualTo("201");
    assertThat(page.header("X-Pagination-Next")).isEqualTo("1");
    var wanted = "{\"metadata\": {\"text\": \"7%s\"}}".formatted("x".repeat(60_000));
    assertThat(face.post("/assistants/search", wanted).ok().list().size()).isEqualTo(1);
    assertThat(face.post("/assistants/count", wanted).ok().text()).isEqualTo("1");
    made.forEach(it -> face.delete("/assistants/" + it));
  }

  /// What a call says of itself is kept with it, and read only for the page: of all thirty calls it
  /// would need more than there is.
  @Test
  void readsNoMoreCallsThanItAnswers() {
    face.graph(FaceGraphs.division("lg-mem-calls"));
    var thread = face.post("/threads", "{}").ok().at("/thread_id");
    var body =
        "{\"assistant_id\": \"lg-mem-calls\", \"input\": {\"divisor\": 2}, %s"
            .formatted(WITH_60_KB.substring(1));
    var path = "/threads/" + thread + "/runs";
    for (int i = 0; i < 30; i++) {
      var _ = face.post(path + "/wait", body.formatted(i + "x".repeat(60_000))).ok();
    }

    var page = face.get(path + "?limit=1").ok();
    assertThat(page.list().size()).isEqualTo(1);
    assertThat(page.at("/0/metadata/text")).hasSizeGreaterThan(60_000);
    assertThat(face.get(path + "?limit=1&offset=29").ok().at("/0/metadata/text")).startsWith("0x");
    isRefused(face.get(path + "?limit=30"));
    face.post(path, body.formatted("x".repeat(70_000))).is(422, "limit_exceeded");
  }
}
