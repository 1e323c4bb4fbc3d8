package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.http.ApiTest;
import dev.superstep.http.SseClient;
import dev.superstep.langgraph.FaceClient;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What calls do whose thread has a run under way, and whether their settings hold.
@ApiTest
class BusyThreadCallApiTests {
  /// Counts, rests, counts again and says so.
  private static final String COUNTS =
      """
      name: lg-counts
      channels: { n: { reducer: sum, default: 0 }, messages: { reducer: messages, default: [] } }
      nodes:
        - { id: one, type: expression, config: { update: { n: 1 } } }
        - { id: rest, type: wait, config: { for: 2s } }
        - id: two
          type: expression
          config:
            update:
              n: 1
              messages: [{ role: assistant, content: "done {{ state.n + 1 }}" }]
      edges:
        - { from: __start__, to: one }
        - { from: one, to: rest }
        - { from: rest, to: two }
      """;

  /// A person approves what is then sent.
  private static final String SENDS =
      """
      name: lg-sends
      channels: { log: { reducer: append } }
      nodes:
        - { id: ask, type: human, config: { payload: "send?" } }
        - { id: draft, type: expression, config: { update: { log: ["draft"] } } }
        - { id: send, type: expression, config: { update: { log: ["send"] } } }
      edges:
        - { from: __start__, to: ask }
        - { from: ask, to: draft }
        - { from: draft, to: send }
      """;

  private static final String HI = "\"input\": {\"messages\": \"hi\"}";
  private static final String FORGET =
      "\"input\": {\"messages\": [{\"type\": \"remove\", \"id\": \"__remove_all__\"},"
          + " {\"type\": \"human\", \"content\": \"anew\"}]}";

  @LocalServerPort private int port;
  private FaceClient face = new FaceClient(0);
  private String thread = "";

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    thread = UUID.randomUUID().toString();
    face.graph(COUNTS);
    face.graph(SENDS);
  }

  private static String body(String graph, String members) {
    return "{\"assistant_id\": \"%s\", \"if_not_exists\": \"create\", %s}"
        .formatted(graph, members);
  }

  private FaceClient.Reply post(String path, String graph, String members) {
    return face.post("/threads/%s/runs%s".formatted(thread, path), body(graph, members));
  }

  private FaceClient.Reply waited(String graph, String members) {
    return post("/wait", graph, members).ok();
  }

  private FaceClient.Reply state() {
    return face.get("/threads/%s/state".formatted(thread)).ok();
  }

  private String status(String run) {
    return face.get("/threads/%s/runs/%s".formatted(thread, run)).ok().at("/status");
  }

  /// The run of a first call, at its pause.
  private String busy(String members) {
    var run = post("", "lg-counts", members).ok().at("/run_id");
    await().untilAsserted(() -> assertThat(state().at("/values/n")).isEqualTo("1"));
    return run;
  }

  @Test
  void goesOnBehindTheRunUnderWayWithoutRunningItsNodesAgain() {
    var first = busy(HI);

    var later = waited("lg-counts", "\"input\": null, \"multitask_strategy\": \"enqueue\"");

    assertThat(later.at("/n")).isEqualTo("2");
    assertThat(later.at("/messages/1/content")).isEqualTo("done 2");
    assertThat(status(first)).isEqualTo("success");
    var calls = face.get("/threads/%s/runs".formatted(thread)).list().asList();
    assertThat(calls).hasSize(2);
    assertThat(FaceClient.find(calls.getFirst(), "/status")).isEqualTo("success");
    assertThat(FaceClient.find(calls.getLast(), "/run_id")).isEqualTo(first);
  }

  /// What waits may become no run: a message would be gone with it.
  @Test
  void talksToTheRunUnderWayAndNotToACallThatWaits() {
    var first = busy(HI);
    var waiting =
        post("", "lg-counts", "\"input\": null, \"multitask_strategy\": \"enqueue\"")
            .ok()
            .at("/run_id");

    var refused =
        face.send("POST", "/v1/runs/%s/messages".formatted(waiting), "{\"message\": \"x\"}");
    assertThat(refused.status()).isEqualTo(404);
    var sent =
        face.send("POST", "/v1/threads/%s/messages".formatted(thread), "{\"message\": \"there\"}");

    assertThat(sent.at("/run_id")).isEqualTo(first);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(state().text()).contains("there", "done 2"));
  }

  @Test
  void updatesWhatTheRunUnderWayLeaves() {
    busy(HI);

    var later =
        waited(
            "lg-counts",
            "\"command\": {\"update\": {\"n\": 10}}, \"multitask_strategy\": \"enqueue\"");

    assertThat(later.at("/n")).isEqualTo("12");
    assertThat(later.at("/messages/1/content")).isEqualTo("done 2");
  }

  @Test
  void removesMessagesFromWhatTheRunUnderWayLeaves() {
    busy(HI);

    var later = waited("lg-counts", FORGET + ", \"multitask_strategy\": \"enqueue\"");

    assertThat(later.at("/n")).isEqualTo("4");
    assertThat(later.at("/messages/0/content")).isEqualTo("anew");
    assertThat(later.at("/messages/1/content")).isEqualTo("done 4");
  }

  /// The call that waits goes on with the run that has stopped, and is followed there.
  @Test
  void followsACallThatGoesOnWithTheRunBefore() {
    var first = busy(HI + ", \"interrupt_before\": [\"two\"]");
    try (var stream =
        SseClient.post(
            port,
            "/langgraph/threads/%s/runs/stream".formatted(thread),
            body(
                "lg-counts",
                "\"input\": null, \"multitask_strategy\": \"enqueue\", \"stream_mode\":"
                    + " [\"values\", \"updates\"]"))) {
      var all = stream.rest();

      assertThat(all.getFirst().type()).isEqualTo("metadata");
      assertThat(all.getLast().text("/messages/1/content")).isEqualTo("done 2");
      assertThat(all.stream().filter(it -> it.type().equals("updates"))).hasSize(1);
      var run = all.getFirst().text("/run_id");
      assertThat(status(run)).isEqualTo("success");
      assertThat(run).isNotEqualTo(first);
    }
    assertThat(status(first)).isEqualTo("success");
    assertThat(face.get("/threads/%s/runs".formatted(thread)).list().asList()).hasSize(2);
  }

  @Test
  void stopsBeforeANodeAlthoughTheInputRemovesMessages() {
    waited("lg-counts", HI);

    var stopped = waited("lg-counts", FORGET + ", \"interrupt_before\": [\"two\"]");

    assertThat(stopped.at("/n")).isEqualTo("3");
    assertThat(state().at("/next")).isEqualTo("[\"two\"]");
    assertThat(waited("lg-counts", "\"input\": null").at("/n")).isEqualTo("4");
  }

  @Test
  void stopsBeforeANodeFromAnOlderCheckpoint() {
    waited("lg-counts", HI);
    var history = face.get("/threads/%s/history".formatted(thread)).ok();
    // Before `rest`, which is to run again.
    var older = history.at("/2/checkpoint/checkpoint_id");
    assertThat(history.at("/2/next")).isEqualTo("[\"rest\"]");

    var stopped =
        waited(
            "lg-counts",
            "\"input\": null, \"checkpoint_id\": \"%s\", \"interrupt_before\": [\"two\"]"
                .formatted(older));

    assertThat(stopped.at("/n")).isEqualTo("1");
    assertThat(state().at("/next")).isEqualTo("[\"two\"]");
  }

  /// Approved, "but stop before it is sent".
  @ParameterizedTest
  @CsvSource({"interrupt_before, send", "interrupt_after, draft"})
  void stopsWhereTheAnswerSays(String setting, String node) {
    waited("lg-sends", "\"input\": {}");

    var stopped =
        waited(
            "lg-sends",
            "\"command\": {\"resume\": \"yes\"}, \"%s\": [\"%s\"]".formatted(setting, node));

    standsBeforeSending(stopped);
  }

  @ParameterizedTest
  @CsvSource({"interrupt_before, send", "interrupt_after, draft"})
  void stopsWhereACallThatGoesOnSays(String setting, String node) {
    waited("lg-sends", "\"input\": {}");
    var stood =
        waited("lg-sends", "\"command\": {\"resume\": \"yes\"}, \"interrupt_after\": [\"ask\"]");
    assertThat(stood.at("/__interrupt__")).isEqualTo("[]");
    assertThat(state().at("/next")).isEqualTo("[\"draft\"]");

    var stopped = waited("lg-sends", "\"input\": null, \"%s\": [\"%s\"]".formatted(setting, node));

    standsBeforeSending(stopped);
  }

  private void standsBeforeSending(FaceClient.Reply stopped) {
    assertThat(stopped.at("/log")).isEqualTo("[\"draft\"]");
    assertThat(stopped.at("/__interrupt__")).isEqualTo("[]");
    assertThat(state().at("/next")).isEqualTo("[\"send\"]");
    var sent = waited("lg-sends", "\"input\": null");
    assertThat(sent.at("/log")).isEqualTo("[\"draft\",\"send\"]");
    assertThat(sent.at("/__interrupt__")).isEmpty();
  }

  @Test
  void stopsBehindANodeOfARunThatBegins() {
    var stopped = waited("lg-counts", HI + ", \"interrupt_after\": [\"one\"]");

    assertThat(stopped.at("/n")).isEqualTo("1");
    assertThat(state().at("/next")).isEqualTo("[\"rest\"]");
    assertThat(waited("lg-counts", "\"input\": null").at("/n")).isEqualTo("2");
  }

  @Test
  void refusesSettingsThatCannotHold() {
    waited("lg-sends", "\"input\": {}");

    post("", "lg-sends", "\"input\": null, \"after_seconds\": 5").is(422, "invalid_value");
    post("", "lg-sends", "\"command\": {\"resume\": 1}, \"interrupt_before\": [\"sned\"]")
        .is(422, "invalid_value");
    assertThat(state().at("/next")).isEqualTo("[\"ask\"]");
  }

  /// The run may end between the look at the thread and the call.
  @Test
  void runsNothingAgainHoweverLateAnEndIsSeen() {
    var first = busy(HI);
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> post("", "lg-counts", "\"input\": null").status() == 200);

    assertThat(status(first)).isEqualTo("success");
    assertThat(state().at("/values/n")).isEqualTo("2");
    // A node that runs again from where it began counts as far as before.
    assertThat(face.get("/threads/%s/history".formatted(thread)).list().asList())
        .extracting(it -> FaceClient.find(it, "/next"))
        .doesNotHaveDuplicates()
        .contains("[]", "[\"two\"]");
  }
}
