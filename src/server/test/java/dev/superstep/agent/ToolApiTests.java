package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.JdbcTemplate;

/// `tool` nodes, in the loop of a ReAct agent.
@AgentTest
class ToolApiTests {
  @LocalServerPort int port;
  @Autowired Script script;
  @Autowired TestTools tools;
  @Autowired ToolServer server;
  @Autowired JdbcTemplate database;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
    service.graph(agent("react", ""));
    service.graph(agent("react-asking", "approval: always"));
    service.graph(
        agent(
            "react-choosy",
            "approval: when, approval_when: \"input.name == 'transfer' && input.arguments.amount >"
                + " 100\""));
  }

  private static String agent(String name, String config) {
    return """
    name: %s
    channels:
      messages: { reducer: messages }
      scratchpad: { reducer: append }
    nodes:
      - id: llm
        type: llm
        config: { tools: [weather, transfer, fail, chatter, meet, lookup, shaky] }
      - { id: tools, type: tool, config: { %s } }
    edges:
      - from: llm
        route: "state.finish_reason == 'tool_calls' ? 'tools' : '__end__'"
        targets: [tools, __end__]
      - { from: tools, to: llm }
      - { from: __start__, to: llm }
    """
        .formatted(name, config);
  }

  private static Reply.Call call(String id, String name, String arguments) {
    return new Reply.Call(id, name, arguments.replace('\'', '"'));
  }

  /// S1-10. S3-10: `__start__` is superstep 0, model and tools take turns, `__end__` is the one
  /// behind them.
  @Test
  void runsTheLoopOfAnAgent() {
    script.says(
        "loop",
        Reply.calls(
            call("c1", "weather", "{'city':'Paris'}"), call("c2", "weather", "{'city':'Rome'}")),
        Reply.text("Nice weather"));

    var run = service.say("react", "#loop");

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    assertThat(Service.at(run, "/superstep")).isEqualTo(Value.of(4L));
    var output = Service.at(run, "/output");
    assertThat(Service.text(output, "/messages/2/content")).contains("sunny in Paris");
    assertThat(Service.text(output, "/messages/2/tool_call_id")).isEqualTo("c1");
    assertThat(Service.text(output, "/messages/3/content")).contains("sunny in Rome");
    assertThat(Service.text(output, "/messages/4/content")).isEqualTo("Nice weather");
    assertThat(Service.at(output, "/iteration")).isEqualTo(Value.of(2L));
    assertThat(Service.text(output, "/scratchpad/0/tool")).isEqualTo("weather");
    assertThat(((ListValue) Service.at(output, "/scratchpad")).size()).isEqualTo(2);
    assertThat(script.asked("loop").getLast().text()).contains("sunny in Rome");
    assertThat(tools.calls("weather Paris")).hasSize(1).noneMatch(it -> it.endsWith("null"));
    assertThat(key(tools.calls("weather Paris").getFirst()))
        .isNotEqualTo(key(tools.calls("weather Rome").getFirst()));
  }

  private static String key(String call) {
    return call.substring(call.lastIndexOf(' '));
  }

  @Test
  void runsCallsSideBySide() {
    script.says(
        "meet",
        Reply.calls(call("c1", "meet", "{'who':'Ann'}"), call("c2", "meet", "{'who':'Bob'}")),
        Reply.text("done"));

    var output = Service.at(service.say("react", "#meet"), "/output");

    assertThat(Service.text(output, "/messages/2/content")).contains("Ann met");
    assertThat(Service.text(output, "/messages/3/content")).contains("Bob met");
  }

  @Test
  void tellsTheModelWhatWentWrong() {
    script.says(
        "wrong",
        Reply.calls(
            call("c1", "nothing", "{}"),
            call("c2", "weather", "{'town':'Paris'}"),
            call("c3", "weather", "not json"),
            call("c4", "fail", "{'how':'broken'}"),
            call("c5", "chatter", "{'chars':5000}")),
        Reply.text("I see"));

    var run = service.say("react", "#wrong");

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    var output = Service.at(run, "/output");
    var expected = List.of("There is no tool", "arguments are wrong", "no JSON", "it is broken");
    for (int i = 0; i < expected.size(); i++) {
      assertThat(Service.text(output, "/messages/%d/content".formatted(i + 2)))
          .contains(expected.get(i));
      assertThat(Service.at(output, "/messages/%d/is_error".formatted(i + 2)))
          .isEqualTo(Value.TRUE);
    }
    assertThat(Service.text(output, "/messages/6/content"))
        .hasSizeLessThan(2_200)
        .contains("was cut");
  }

  @Test
  void callsWebServicesWithTheirKeyAndAnIdempotencyKey() {
    script.says(
        "web", Reply.calls(call("c1", "lookup", "{'word':'a/b c','lang':'en'}")), Reply.text("ok"));

    var output = Service.at(service.say("react", "#web"), "/output");

    assertThat(Service.text(output, "/messages/2/content")).isEqualTo("looked up");
    var arrival = server.arrivals("/lookup/a%2Fb").getFirst();
    assertThat(arrival.path()).isEqualTo("/lookup/a%2Fb%20c?lang=en");
    assertThat(arrival.authorization()).isEqualTo("Bearer " + AgentTest.CANARY);
    assertThat(arrival.key()).hasSize(32);
  }

  @Test
  void asksBeforeACallThatNeedsApproval() {
    script.says(
        "approve",
        Reply.calls(
            call("c1", "transfer", "{'to':'ann','amount':5}"),
            call("c2", "transfer", "{'to':'bob','amount':500}")),
        Reply.text("done"));

    var asked = service.say("react-choosy", "#approve");

    assertThat(Service.text(asked, "/status")).isEqualTo("interrupted");
    assertThat(Service.text(asked, "/interrupts/0/reason")).isEqualTo("tool_approval");
    assertThat(Service.text(asked, "/interrupts/0/payload/tool_call/arguments/to"))
        .isEqualTo("bob");
    assertThat(tools.calls("transfer ann 5")).isEmpty();

    var run = service.answer(asked, "{\"decision\": \"approve\"}");

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    assertThat(tools.calls("transfer ann 5")).hasSize(1);
    assertThat(tools.calls("transfer bob 500")).hasSize(1);
    assertThat(Service.at(run, "/output/interrupted")).isEqualTo(Value.TRUE);
    assertThat(Service.at(run, "/output/rejected")).isEqualTo(Value.FALSE);
  }

  /// S1-11, E34: each answer releases the next question; nothing runs before the last.
  @Test
  void takesEditRejectAndReply() {
    script.says(
        "decide",
        Reply.calls(
            call("c1", "transfer", "{'to':'eve','amount':1}"),
            call("c2", "transfer", "{'to':'mal','amount':2}"),
            call("c3", "transfer", "{'to':'sue','amount':3}")),
        Reply.text("done"));
    var first = service.say("react-asking", "#decide");

    var second =
        service.answer(
            first, "{\"decision\": \"edit\", \"arguments\": {\"to\": \"eva\", \"amount\": 7}}");
    assertThat(Service.text(second, "/interrupts/0/payload/tool_call/id")).isEqualTo("c2");
    assertThat(tools.calls("transfer eva")).isEmpty();
    var third = service.answer(second, "{\"decision\": \"reject\", \"reason\": \"too much\"}");
    var run = service.answer(third, "{\"decision\": \"reply\", \"message\": \"done by hand\"}");

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    assertThat(tools.calls("transfer eva 7")).hasSize(1);
    assertThat(tools.calls("transfer eve")).isEmpty();
    assertThat(tools.calls("transfer mal")).isEmpty();
    assertThat(tools.calls("transfer sue")).isEmpty();
    assertThat(Service.text(run, "/output/messages/3/content")).contains("rejected", "too much");
    assertThat(Service.text(run, "/output/messages/4/content")).isEqualTo("done by hand");
    assertThat(Service.at(run, "/output/rejected")).isEqualTo(Value.TRUE);
  }

  /// E37
  @Test
  void refusesADecisionThatIsNone() {
    script.says("nonsense", Reply.calls(call("c1", "weather", "{'city':'Oslo'}")));
    var asked = service.say("react-asking", "#nonsense");

    var refused = service.answer(asked, "{\"decision\": \"maybe\"}");
    var wrongArguments =
        service.answer(asked, "{\"decision\": \"edit\", \"arguments\": {\"city\": 3}}");

    assertThat(Service.at(refused, "/status")).isEqualTo(Value.of(422L));
    assertThat(refused.toString()).contains("\"pointer\":\"/value");
    assertThat(Service.at(wrongArguments, "/status")).isEqualTo(Value.of(422L));
    assertThat(tools.calls("weather Oslo")).isEmpty();
  }

  /// Never a silent second call.
  @Test
  void asksAPersonWhenNobodyKnowsWhetherItWasCalled() {
    script.says("unknown", Reply.calls(call("c1", "shaky", "{}")), Reply.text("done"));

    var asked = service.say("react", "#unknown");

    assertThat(Service.text(asked, "/interrupts/0/reason")).isEqualTo("tool_outcome_unknown");
    assertThat(server.arrivals("/shaky")).hasSize(1);

    var run = service.answer(asked, "{\"decision\": \"reply\", \"message\": \"it was done\"}");

    assertThat(Service.text(run, "/output/messages/2/content")).isEqualTo("it was done");
    assertThat(server.arrivals("/shaky")).hasSize(1);
  }

  /// S1-10: the agent stops when it has had its turns.
  @Test
  void stopsAfterAsManyIterationsAsItMayHave() {
    script.says(
        "limit",
        Reply.calls(call("c1", "weather", "{'city':'Bonn'}")),
        Reply.calls(call("c2", "weather", "{'city':'Bern'}")));

    var run =
        service.run(
            "react",
            dev.superstep.state.value.ObjectValue.of(
                    "messages", ListValue.of(Service.user("#limit")))
                .plus("max_iterations", Value.of(2)));

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    assertThat(Service.text(run, "/output/finish_reason")).isEqualTo("max_iterations");
    assertThat(script.asked("limit")).hasSize(2);
  }

  @Test
  void listsTools() {
    var listed = service.get("/v1/tools").toString();

    assertThat(listed)
        .contains(
            "\"name\":\"weather\"",
            "\"name\":\"lookup\"",
            "\"execution\":\"at_most_once\"",
            "Tells the weather of a city.")
        .doesNotContain(AgentTest.CANARY);
  }

  /// The model's key and the tools' are in no table.
  @Test
  void keepsKeysOutOfTheDatabase() {
    script.says(
        "canary",
        Reply.calls(call("c1", "lookup", "{'word':'key'}")),
        Reply.error(401, "invalid_api_key", "Incorrect API key: " + AgentTest.CANARY));
    var run = service.say("react", "#canary");
    assertThat(Service.text(run, "/error/code")).isEqualTo("model_unauthorized");
    assertThat(run.toString()).doesNotContain(AgentTest.CANARY);

    var tables =
        database.queryForList(
            "select table_name from information_schema.tables where table_schema = 'public'",
            String.class);

    assertThat(tables).contains("checkpoint", "run_event", "recorded_task");
    for (var table : tables) {
      var found =
          database.queryForObject(
              "select count(*) from \"%s\" as t where to_jsonb(t)::text ilike ? or to_jsonb(t)::text ilike ?"
                  .formatted(table),
              Long.class,
              "%" + AgentTest.CANARY + "%",
              "%"
                  + java.util.HexFormat.of()
                      .formatHex(AgentTest.CANARY.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                  + "%");
      assertThat(found).as(table).isZero();
    }
  }
}
