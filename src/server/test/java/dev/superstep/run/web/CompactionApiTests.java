package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.client.model.Run;
import dev.superstep.http.ApiTest;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Compaction of channels over HTTP and on PostgreSQL (definitions.md, *Compaction*; S0-8 to
/// S0-11).
@ApiTest
class CompactionApiTests {
  @LocalServerPort private int port;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(asking("compaction-asks", "keep_last: 1"));
  }

  /// Says five things, then asks a person; the compaction joins the superstep of the question.
  private static String asking(String name, String more) {
    return """
    name: %s
    channels:
      messages:
        reducer: messages
        mirror_to: full_messages
        compaction:
          when: { messages_over: 4, tokens_over: 100000 }
          summarizer: { type: expression, expression: "'before: ' + input.messages.map(m, m.content).join(' ')" }
          %s
      full_messages: { reducer: block_append, append_only: true }
    nodes:
      - id: say
        type: expression
        config: { update: { messages: "{{ ['1', '2', '3', '4', '5'].map(it, {'role': 'user', 'content': it}) }}" } }
      - { id: ask, type: human, config: { payload: "Go on?" } }
    edges:
      - { from: __start__, to: say }
      - { from: say, to: ask }
    """
        .formatted(name, more);
  }

  /// E33, E45: the summary is part of the held superstep, survives it, and the state read back from
  /// deltas has the hash it was stored with.
  @Test
  void compactsBesideAQuestionAndKeepsTheHistory() {
    var run = answered("compaction-asks");

    var state = api.get("/v1/runs/" + run + "/state");
    assertThat(contents(Api.at(state, "/state/messages"))).isEqualTo("[before: 1 2 3 4, 5]");
    assertThat(contents(Api.at(state, "/state/full_messages"))).isEqualTo("[1, 2, 3, 4, 5]");
    assertThat(Api.at(state, "/state/messages/0/metadata/covers")).isEqualTo(Value.of(4));
    var before = api.get("/v1/runs/" + run + "/state?checkpoint=1");
    assertThat(contents(Api.at(before, "/state/messages"))).isEqualTo("[1, 2, 3, 4, 5]");
  }

  @Test
  void listsTheCompactionAmongTheTasks() {
    var run = answered("compaction-asks");

    var tasks = api.get("/v1/runs/" + run + "/tasks?node=__compact__:messages");

    assertThat(Api.at(tasks, "/items/0/task_id")).isEqualTo(Value.of("2:__compact__:messages"));
    assertThat(Api.at(tasks, "/items/0/status")).isEqualTo(Value.of("succeeded"));
    assertThat(Api.at(tasks, "/items/0/compacted/0/count")).isEqualTo(Value.of(4));
    assertThat(Api.at(tasks, "/items/1")).isEqualTo(Value.NULL);
    var events = api.get("/v1/runs/" + run + "/events?type=channel.compacted");
    assertThat(Api.at(events, "/items/0/data/channel")).isEqualTo(Value.of("messages"));
    assertThat(Api.at(events, "/items/1")).isEqualTo(Value.NULL);
  }

  @Test
  void drawsNoCompaction() {
    var run = answered("compaction-asks");

    assertThat(api.get("/v1/runs/" + run + "/diagram").body())
        .contains("ask")
        .doesNotContain("__compact__");
  }

  /// E42: an edit of what a held summary stands for.
  @Test
  void dropsAHeldSummaryWhenItsMessagesAreEdited() {
    var run = api.run("compaction-asks", Map.of());
    var first = Api.at(api.get("/v1/runs/" + run.getId() + "/state"), "/state/messages/0/id");
    var edited =
        api.post(
            "/v1/runs/" + run.getId() + "/resume?wait=30s",
            "{\"change\":{\"remove_messages\":[%s]},\"answers\":[{\"value\":1}]}"
                .formatted(Json.write(first)));
    assertThat(edited.statusCode()).as(edited.body()).isBetween(200, 202);

    var state = api.get("/v1/runs/" + run.getId() + "/state");
    assertThat(contents(Api.at(state, "/state/messages"))).isEqualTo("[2, 3, 4, 5]");
  }

  /// A graph that asks for a summarizer that this server lacks is accepted and told so.
  @Test
  void warnsOfAMissingModel() {
    var text =
        asking("compaction-llm", "keep_last: 1")
            .replaceAll("summarizer: \\{.*}", "summarizer: { type: not-there }");
    var refused = api.send("POST", "/v1/graphs/validate", "application/yaml", text);
    assertThat(Api.at(refused, "/errors/0/pointer"))
        .isEqualTo(Value.of("/channels/messages/compaction/summarizer/type"));
    assertThat(Api.at(refused, "/errors/0/code")).isEqualTo(Value.of("invalid_value"));
  }

  private String answered(String graph) {
    Run run = api.run(graph, Map.of());
    var answer =
        api.post("/v1/runs/" + run.getId() + "/resume?wait=30s", "{\"answers\":[{\"value\":1}]}");
    assertThat(Api.at(answer, "/status")).as(answer.body()).isEqualTo(Value.of("succeeded"));
    return run.getId();
  }

  private static String contents(Value messages) {
    return messages instanceof ListValue list
        ? list.stream()
            .map(it -> ((ObjectValue) it).getOr("content", Value.NULL))
            .map(it -> ((Value.Text) it).value())
            .toList()
            .toString()
        : messages.toString();
  }
}
