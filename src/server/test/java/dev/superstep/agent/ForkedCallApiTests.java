package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Calls that may be made once only, in runs that leave the history of another behind them.
@AgentTest
class ForkedCallApiTests {
  private static final String REPEATED = "tool_call_repeated";

  @LocalServerPort int port;
  @Autowired Script script;
  @Autowired TestTools tools;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
    service.graph(
        """
        name: forked-payer
        channels:
          messages: { reducer: messages }
        nodes:
          - { id: llm, type: llm, config: { tools: [transfer, weather] } }
          - { id: tools, type: tool }
        edges:
          - from: llm
            route: "state.finish_reason == 'tool_calls' ? 'tools' : '__end__'"
            targets: [tools, __end__]
          - { from: tools, to: llm }
          - { from: __start__, to: llm }
        """);
    service.graph(
        """
        name: forked-parent
        channels:
          messages: { reducer: messages }
        nodes:
          - id: pay
            type: subgraph
            config: { graph: forked-payer, input: { messages: "{{ state.messages }}" }, output: { update: { said: "{{ response.messages }}" } } }
        edges:
          - { from: __start__, to: pay }
          - { from: pay, to: __end__ }
        """);
  }

  private static Reply pays(String to) {
    return Reply.calls(
        new Reply.Call("c1", "transfer", "{\"to\":\"%s\",\"amount\":40}".formatted(to)));
  }

  /// @param forks what the model says to the forks
  private Value paid(String graph, String tag, String to, Reply... forks) {
    var replies = new ArrayList<>(List.of(pays(to), Reply.text("paid")));
    replies.addAll(List.of(forks));
    script.says(tag, replies.toArray(Reply[]::new));
    var run = service.say(graph, "#" + tag);
    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(tools.calls("transfer %s 40".formatted(to))).hasSize(1);
    return run;
  }

  private Value fork(Value run, int checkpoint) {
    var path = "/v1/runs/%s/fork?wait=30s".formatted(Service.text(run, "/id"));
    return service.post(path, ObjectValue.of("checkpoint", Value.of(checkpoint)));
  }

  private void asks(Value run, String to) {
    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("interrupted");
    assertThat(Service.text(run, "/interrupts/0/reason")).isEqualTo(REPEATED);
    assertThat(tools.calls("transfer %s 40".formatted(to))).hasSize(1);
  }

  @Test
  void asksBeforeAForkRepeatsACall() {
    var run = paid("forked-payer", "fork-use", "ann", pays("ann"), Reply.text("done"));

    var fork = fork(run, 0);

    asks(fork, "ann");
    assertThat(Service.text(fork, "/interrupts/0/payload/title"))
        .isEqualTo("Call 'transfer' again?");
    assertThat(Service.text(fork, "/interrupts/0/payload/text"))
        .contains(Service.text(run, "/id"), "transferred 40 to ann", "same arguments");
    assertThat(Service.text(fork, "/interrupts/0/payload/made/called_at")).startsWith("20");
    assertThat(Service.at(fork, "/interrupts/0/payload/tool_call/arguments/amount"))
        .isEqualTo(Value.of(40));

    var done = service.answer(fork, "{\"decision\": \"use_result\"}");

    assertThat(Service.text(done, "/status")).as(done.toString()).isEqualTo("succeeded");
    assertThat(Service.text(done, "/output/messages/2/content")).contains("transferred 40 to ann");
    assertThat(tools.calls("transfer ann 40")).hasSize(1);
  }

  @Test
  void callsAgainOrNotAsThePersonSays() {
    var run = paid("forked-payer", "fork-decide", "bea", Reply.text("well"), Reply.text("done"));

    var refused = service.answer(fork(run, 1), "{\"decision\": \"reject\"}");
    assertThat(Service.text(refused, "/output/messages/2/content")).contains("rejected");
    assertThat(tools.calls("transfer bea 40")).hasSize(1);
    var again = service.answer(fork(run, 1), "{\"decision\": \"approve\"}");

    assertThat(Service.text(again, "/status")).as(again.toString()).isEqualTo("succeeded");
    assertThat(tools.calls("transfer bea 40")).hasSize(2);
  }

  @Test
  void asksNothingAboutWhatIsHistoryOfTheForkOrMayBeRepeated() {
    var run = paid("forked-payer", "fork-behind", "cid", pays("cid"), Reply.text("done"));

    // The model has seen that it was paid, and pays once more.
    var behind = fork(run, 2);

    assertThat(Service.text(behind, "/status")).as(behind.toString()).isEqualTo("succeeded");
    assertThat(tools.calls("transfer cid 40")).hasSize(2);
    script.says(
        "fork-weather",
        Reply.calls(new Reply.Call("c1", "weather", "{\"city\":\"Graz\"}")),
        Reply.text("sunny"),
        Reply.text("sunny again"));
    var read = service.say("forked-payer", "#fork-weather");
    assertThat(Service.text(fork(read, 1), "/status")).isEqualTo("succeeded");
    assertThat(tools.calls("weather Graz")).hasSize(2);
  }

  @Test
  void asksInForksOfForks() {
    var run = paid("forked-payer", "fork-chain", "dan", pays("dan"), pays("dan"));
    var first = fork(run, 0);
    asks(first, "dan");

    asks(fork(first, 0), "dan");
  }

  @Test
  void asksInChildrenOfForks() {
    var run = paid("forked-parent", "fork-child", "eli", pays("eli"));

    var fork = fork(run, 0);

    assertThat(Service.text(fork, "/status")).as(fork.toString()).isEqualTo("interrupted");
    assertThat(tools.calls("transfer eli 40")).hasSize(1);
    assertThat(fork.toString()).contains(REPEATED);
  }

  @Test
  void asksWhereAThreadGoesOnBeforeItsLastTurn() {
    script.says("fork-turns", Reply.text("hello"), pays("fay"), Reply.text("paid"), pays("fay"));
    var first = turn("fork-turns", "#fork-turns");
    turn("fork-turns", "#fork-turns");
    assertThat(tools.calls("transfer fay 40")).hasSize(1);

    var fork =
        service.post(
            "/v1/runs/%s/fork?wait=30s".formatted(Service.text(first, "/id")),
            Json.read(
                """
                {"checkpoint": 0, "thread_id": "fork-turns",
                 "change": {"update": {"messages": [{"role": "user", "content": "#fork-turns"}]}}}
                """));

    asks(fork, "fay");
  }

  @Test
  void asksInCopiesOfThreads() {
    script.says("fork-copy", pays("gil"), Reply.text("paid"), pays("gil"));
    turn("fork-copied", "#fork-copy");
    var copy = service.post("/v1/threads/fork-copied/copy", ObjectValue.empty());
    var runs = service.get("/v1/runs?thread_id=" + Service.text(copy, "/thread_id"));

    asks(fork(Service.at(runs, "/items/0"), 0), "gil");
  }

  /// The run that was copied goes on, and makes the call that the copy is about to make.
  @Test
  void asksInACopyOfARunThatHasGoneOn() {
    script.says("fork-gone", pays("hal"), Reply.text("paid"));
    var run =
        service.post(
            "/v1/runs?wait=30s",
            said("fork-gone", "#fork-gone").plus("interrupt_before", ListValue.texts("tools")));
    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("interrupted");
    var copy = service.post("/v1/threads/fork-gone/copy", ObjectValue.empty());
    var path = "/v1/runs/%s/resume?wait=30s".formatted(Service.text(run, "/id"));
    assertThat(Service.text(service.post(path, ObjectValue.empty()), "/status"))
        .isEqualTo("succeeded");
    assertThat(tools.calls("transfer hal 40")).hasSize(1);

    var runs = service.get("/v1/runs?thread_id=" + Service.text(copy, "/thread_id"));

    var last = Service.text(runs, "/items/0/id");
    var fork =
        ObjectValue.of("checkpoint", Value.of(1)).plus("interrupt_before", ListValue.empty());

    asks(service.post("/v1/runs/%s/fork?wait=30s".formatted(last), fork), "hal");
  }

  private static ObjectValue said(String thread, String words) {
    return ObjectValue.of("graph", Value.of("forked-payer"))
        .plus("thread_id", Value.of(thread))
        .plus("input", ObjectValue.of("messages", ListValue.of(Service.user(words))));
  }

  private Value turn(String thread, String words) {
    var run = service.post("/v1/runs?wait=30s", said(thread, words));
    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    return run;
  }
}
