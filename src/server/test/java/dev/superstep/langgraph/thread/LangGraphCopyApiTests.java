package dev.superstep.langgraph.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.langgraph.FaceGraphs;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Copies of threads.
@ApiTest
class LangGraphCopyApiTests {
  @LocalServerPort private int port;
  private FaceClient face = new FaceClient(0);
  private String thread = "";

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    face.graph(FaceGraphs.chat("lg-copy-chat"));
    face.graph(FaceGraphs.question("lg-copy-question"));
    thread = face.post("/threads", "{\"metadata\": {\"user\": \"ann\"}}").ok().at("/thread_id");
  }

  private FaceClient.Reply wait(String on, String graph, String more) {
    return face.post(
            "/threads/" + on + "/runs/wait", "{\"assistant_id\": \"%s\"%s}".formatted(graph, more))
        .ok();
  }

  private static String say(String text) {
    return ", \"input\": {\"messages\": [{\"type\": \"human\", \"content\": \"%s\"}]}"
        .formatted(text);
  }

  private String history(String of) {
    return face.post("/threads/" + of + "/history", "{\"limit\": 100}").ok().text();
  }

  @Test
  void copiesTheWholeHistory() {
    wait(thread, "lg-copy-chat", say("one"));
    wait(thread, "lg-copy-chat", say("two"));

    var copy = face.post("/threads/" + thread + "/copy", "{}").ok();

    var id = copy.at("/thread_id");
    assertThat(id).isNotEqualTo(thread);
    assertThat(copy.at("/metadata/user")).isEqualTo("ann");
    assertThat(copy.at("/metadata/thread_id")).isEqualTo(id);
    assertThat(copy.at("/values/messages/3/content")).isEqualTo("answer to two");
    assertThat(copy.at("/status")).isEqualTo("idle");
    assertThat(withoutRuns(history(id), id)).isEqualTo(withoutRuns(history(thread), thread));

    assertThat(wait(id, "lg-copy-chat", say("three")).at("/messages/5/content"))
        .isEqualTo("answer to three");
    assertThat(face.get("/threads/" + thread).at("/values/messages/4")).isEmpty();
  }

  private static String withoutRuns(String history, String thread) {
    return history
        .replace(thread, "thread")
        .replaceAll("\"run_id\":\"[^\"]*\"", "")
        .replaceAll("\"id\":\"[^m][^\"]*\"", "");
  }

  @Test
  void cancelsARunThatWaitsForAPersonInTheCopyOnly() {
    wait(thread, "lg-copy-question", ", \"input\": {}");

    var id = face.post("/threads/" + thread + "/copy", "{}").ok().at("/thread_id");

    var copied = face.get("/threads/" + id + "/state").ok();
    assertThat(copied.at("/values/plan")).isEqualTo("go");
    assertThat(copied.at("/next")).isEqualTo("[\"ask\"]");
    assertThat(copied.at("/tasks/0/interrupts")).isEqualTo("[]");
    assertThat(face.get("/threads/" + thread + "/state").at("/tasks/0/interrupts/0/value/question"))
        .isEqualTo("Well?");
    var again = wait(id, "lg-copy-question", ", \"input\": null");
    assertThat(again.at("/__interrupt__/0/value/question")).isEqualTo("Well?");
  }

  @Test
  void copiesOnceForEachKey() {
    wait(thread, "lg-copy-chat", say("one"));
    var path = "/v1/threads/" + thread + "/copy";

    var first = face.send("POST", path, null, "Idempotency-Key", "copy-" + thread);
    var again = face.send("POST", path, null, "Idempotency-Key", "copy-" + thread);

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("Location")).isEqualTo("/v1/threads/" + first.at("/thread_id"));
    assertThat(again.at("/thread_id")).isEqualTo(first.at("/thread_id"));
    assertThat(face.send("GET", first.header("Location"), null).at("/state/turns")).isEqualTo("1");
    assertThat(face.send("POST", "/v1/threads/no-such-thread/copy", null).status()).isEqualTo(404);
  }

  @Test
  void deletesACopyAloneOfItsSource() {
    wait(thread, "lg-copy-chat", say("one"));
    var id = face.post("/threads/" + thread + "/copy", "{}").ok().at("/thread_id");
    assertThat(face.delete("/threads/" + thread).status()).isEqualTo(204);

    assertThat(face.get("/threads/" + id).ok().at("/values/messages/1/content"))
        .isEqualTo("answer to one");
    face.post("/threads/" + UUID.randomUUID() + "/copy", "{}").is(404, "thread_not_found");
    var empty = face.post("/threads", "{}").at("/thread_id");
    assertThat(face.post("/threads/" + empty + "/copy", "{}").ok().at("/values")).isEqualTo("null");
  }
}
