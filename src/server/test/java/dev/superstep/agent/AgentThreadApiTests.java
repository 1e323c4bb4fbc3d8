package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

  /// S0-15: the template is an agent that answers in a thread for as long as people talk to it. Its
  /// fields of one task begin anew (S1-10), both lists have everything in order (S0-3, S0-4), all
  /// of which the model is sent (S0-11); a context that nobody sets is `{}` (S0-16, C25).
  @Test
  void talksForTenTurnsWithTheTemplate() {
    service.graph(
        """
        name: thread-template
        template: agent
        nodes:
          - { id: llm, type: llm, config: { model: scripted, tools: [weather] } }
          - { id: tools, type: tool }
        edges:
          - { from: __start__, to: llm }
          - { from: llm, to: tools, condition: "state.finish_reason == 'tool_calls'" }
          - { from: tools, to: llm }
        """);
    script.says(
        "template",
        IntStream.range(0, 10)
            .boxed()
            .flatMap(it -> Stream.of(weather(it), Reply.text("answer " + it)))
            .toArray(Reply[]::new));
    var first =
        ObjectValue.of("max_iterations", Value.of(2L)).plus("system_prompt", Value.of("Be brief."));

    for (int turn = 0; turn < 10; turn++) {
      var words = ListValue.of(Service.user("#template turn " + turn));
      var input = (turn == 0 ? first : ObjectValue.empty()).plus("messages", words);
      var run =
          service.post(
              "/v1/runs?wait=30s", request("thread-template", "thread-of-template", input));

      var state = Service.at(run, "/output");
      assertThat(Service.text(state, "/finish_reason")).as(run.toString()).isEqualTo("stop");
      assertThat(Service.at(state, "/iteration")).isEqualTo(Value.of(2L));
      assertThat(((ListValue) Service.at(state, "/scratchpad")).size()).isEqualTo(1);
      assertThat(Service.at(state, "/context")).isEqualTo(ObjectValue.empty());
      var messages = (ListValue) Service.at(state, "/messages");
      assertThat(messages.size()).isEqualTo(4 * (turn + 1));
      assertThat(Service.text(messages.get(4 * turn), "/content")).endsWith("turn " + turn);
      assertThat(Service.text(messages.get(4 * turn + 3), "/content")).isEqualTo("answer " + turn);
      assertThat(Service.at(state, "/full_messages")).isEqualTo(messages);
    }
    assertThat(script.asked("template")).hasSize(20);
    assertThat(script.asked("template").getLast().text())
        .contains("Be brief.", "turn 0", "sunny in town 0", "answer 8", "sunny in town 9");
  }

  private static Reply weather(int turn) {
    return Reply.calls(
        new Reply.Call("c" + turn, "weather", "{\"city\": \"town %d\"}".formatted(turn)));
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
