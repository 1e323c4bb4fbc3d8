package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.http.ApiTest;
import dev.superstep.langgraph.FaceClient;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// `context` and `config.configurable` of calls that go on with a thread.
@ApiTest
class CallVariablesApiTests {
  /// Asks if it shall, rests, and says twice in which tone.
  private static final String TONES =
      """
      name: lg-tones
      context: { variables: { tone: plain } }
      channels: { said: { reducer: append }, asks: { default: false } }
      nodes:
        - { id: ask, type: human, config: { payload: "well?" } }
        - { id: rest, type: wait, config: { for: 2s } }
        - { id: say, type: expression, config: { update: { said: ["{{ context.tone }}"] } } }
        - { id: more, type: expression, config: { update: { said: ["{{ context.tone }}"] } } }
      edges:
        - { from: __start__, route: "state.asks ? 'ask' : 'rest'", targets: [ask, rest] }
        - { from: ask, to: say }
        - { from: rest, to: say }
        - { from: say, to: more }
      """;

  @LocalServerPort private int port;
  private FaceClient face = new FaceClient(0);
  private String thread = "";

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    thread = UUID.randomUUID().toString();
    face.graph(TONES);
  }

  private FaceClient.Reply call(String path, String members) {
    var at = "/threads/%s/runs%s".formatted(thread, path);
    return face.post(
            at,
            "{\"assistant_id\": \"lg-tones\", \"if_not_exists\": \"create\", %s}"
                .formatted(members))
        .ok();
  }

  private String said(String members) {
    return call("/wait", members).at("/said");
  }

  @Test
  void holdForTheRunThatIsAnswered() {
    call("/wait", "\"input\": {\"asks\": true}");

    assertThat(said("\"command\": {\"resume\": 1}, \"context\": {\"tone\": \"kind\"}"))
        .isEqualTo("[\"kind\",\"kind\"]");
  }

  @Test
  void holdFromABreakpointOn() {
    assertThat(said("\"input\": {}, \"interrupt_before\": [\"more\"]")).isEqualTo("[\"plain\"]");

    assertThat(
            said(
                "\"input\": null, \"config\": {\"configurable\":"
                    + " {\"tone\": \"warm\", \"thread_id\": \"of no meaning\"}}"))
        .isEqualTo("[\"plain\",\"warm\"]");
  }

  @Test
  void holdForABranchFromAnOlderCheckpoint() {
    assertThat(said("\"input\": {}")).isEqualTo("[\"plain\",\"plain\"]");
    var history = face.get("/threads/%s/history".formatted(thread)).ok();
    assertThat(history.at("/1/next")).isEqualTo("[\"more\"]");

    var from = history.at("/1/checkpoint/checkpoint_id");
    assertThat(
            said(
                "\"input\": null, \"checkpoint_id\": \"%s\", \"context\": {\"tone\": \"stern\"}"
                    .formatted(from)))
        .isEqualTo("[\"plain\",\"stern\"]");
  }

  @Test
  void holdForACallThatWaitsForItsTurn() {
    var first = call("", "\"input\": {}, \"interrupt_before\": [\"more\"]").at("/run_id");
    await()
        .untilAsserted(() ->
            assertThat(face.get("/threads/%s/state".formatted(thread)).at("/next"))
                .isEqualTo("[\"rest\"]"));

    assertThat(
            said(
                "\"input\": null, \"multitask_strategy\": \"enqueue\", \"context\":"
                    + " {\"tone\": \"late\"}"))
        .isEqualTo("[\"plain\",\"late\"]");
    assertThat(face.get("/threads/%s/runs/%s".formatted(thread, first)).at("/status"))
        .isEqualTo("success");
  }
}
