package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.stub.Reply;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Agents that talk for longer than one task (definitions.md, *Scope*).
@AgentTest
class AgentThreadApiTests {
  @LocalServerPort int port;
  @Autowired Script script;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  /// S1-10: `iteration` counts the turns of a task, not those of the conversation.
  @Test
  void answersEveryTurnOfAThread() {
    service.graph(
        """
        name: thread-agent
        channels:
          messages: { reducer: messages }
          max_iterations: { default: 2 }
          iteration: { reducer: sum, default: 0 }
        nodes:
          - { id: llm, type: llm }
        edges:
          - { from: __start__, to: llm }
          - { from: llm, route: "state.finish_reason == 'tool_calls' ? 'llm' : '__end__'", targets: [llm, __end__] }
        """);
    script.says(
        "turns",
        IntStream.range(0, 10).mapToObj(it -> Reply.text("answer " + it)).toArray(Reply[]::new));

    for (int turn = 0; turn < 10; turn++) {
      var run = say("thread-agent", "thread-of-ten", "#turns " + turn);

      var state = Service.at(run, "/output");
      assertThat(Service.text(state, "/finish_reason")).as("turn %d", turn).isEqualTo("stop");
      assertThat(Service.at(state, "/iteration")).isEqualTo(Value.of(1L));
      assertThat(Service.text(state, "/messages/%d/content".formatted(2 * turn + 1)))
          .isEqualTo("answer " + turn);
    }
  }

  /// Working channels of one task stay in its run; what is of the thread goes on.
  @Test
  void startsTheNextTaskWithoutTheWorkOfTheLast() {
    service.graph(
        """
        name: thread-work
        channels:
          total: { reducer: sum, default: 0 }
          round: { reducer: sum, default: 5, scope: run }
          best: { scope: run }
        nodes:
          - id: work
            type: expression
            config:
              update: { total: 1, round: 1, best: a, seen: "{{ has(state.best) }}", scratchpad: [x] }
        edges:
          - { from: __start__, to: work }
        """);

    service.post(
        "/v1/runs?wait=30s", request("thread-work", "thread-of-work", ObjectValue.empty()));
    var second =
        service.post(
            "/v1/runs?wait=30s", request("thread-work", "thread-of-work", ObjectValue.empty()));

    assertThat(Service.at(second, "/output").toString())
        .isEqualTo(
            "{\"best\":\"a\",\"round\":6,\"scratchpad\":[\"x\"],\"seen\":false,\"total\":2}");

    var fork =
        service.post(
            "/v1/runs/%s/fork?wait=30s".formatted(Service.text(second, "/id")),
            ObjectValue.of("checkpoint", Value.of(1L)));
    assertThat(Service.at(service.state(fork), "/round")).isEqualTo(Value.of(6L));
  }

  private Value say(String graph, String thread, String words) {
    var input = ObjectValue.of("messages", ListValue.of(Service.user(words)));
    return service.post("/v1/runs?wait=30s", request(graph, thread, input));
  }

  private static ObjectValue request(String graph, String thread, ObjectValue input) {
    return ObjectValue.of("graph", Value.of(graph))
        .plus("thread_id", Value.of(thread))
        .plus("input", input);
  }
}
