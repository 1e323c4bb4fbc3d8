package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What the operator says about tools holds, whoever makes the calls and whatever a definition
/// says: the calls of these tests stand in the input, no model made them.
@AgentTest
class ToolPolicyApiTests {
  @LocalServerPort int port;
  @Autowired TestTools tools;
  @Autowired ToolServer server;
  @Autowired JdbcClient jdbc;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private void graph(String name, String config) {
    service.graph(
        """
        name: %s
        channels: { messages: { reducer: messages } }
        nodes: [{ id: tools, type: tool, config: { %s } }]
        edges: [{ from: __start__, to: tools }]
        """
            .formatted(name, config));
  }

  private static String call(int number, String name, String arguments) {
    return "{\"id\": \"c%d\", \"name\": \"%s\", \"arguments\": %s}"
        .formatted(number, name, arguments.replace('\'', '"'));
  }

  private ObjectValue run(String graph, List<String> calls) {
    var message =
        "{\"role\": \"assistant\", \"content\": \"\", \"tool_calls\": [%s]}"
            .formatted(String.join(",", calls));
    return post(
        "/v1/runs?wait=30s",
        "{\"graph\": \"%s\", \"input\": {\"messages\": [%s]}}".formatted(graph, message));
  }

  private ObjectValue post(String path, String body) {
    return (ObjectValue) service.post(path, Json.read(body));
  }

  /// For each call: the code of its refusal, or `ok`.
  private static List<String> ends(ObjectValue run) {
    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    var messages = (ListValue) Service.at(run, "/output/messages");
    return messages.stream().skip(1).map(ToolPolicyApiTests::end).toList();
  }

  private static String end(Value message) {
    var object = (ObjectValue) message;
    return object.get("metadata") instanceof ObjectValue metadata
            && metadata.get("code") instanceof Value.Text(var code)
        ? code
        : object.has("is_error") ? "error" : "ok";
  }

  private static List<String> pays(String to, int... amounts) {
    return IntStream.range(0, amounts.length)
        .mapToObj(i -> call(i, "pay", "{'to': '%s', 'amount': %d}".formatted(to, amounts[i])))
        .toList();
  }

  @Test
  void boundsTheCallsOfAMessage() {
    graph("policy-many", "");
    var calls =
        IntStream.range(0, 1_000)
            .mapToObj(i -> call(i, "weather", "{'city': 'many-%d'}".formatted(i)))
            .toList();

    var ends = ends(run("policy-many", calls));

    assertThat(ends).hasSize(1_000);
    assertThat(ends.subList(0, 40)).containsOnly("ok");
    assertThat(ends.subList(40, 1_000)).containsOnly("tool_call_limit");
    assertThat(tools.calls("weather many-")).hasSize(40);
  }

  @Test
  void boundsTheCallsOfATool() {
    graph("policy-three", "");

    assertThat(ends(run("policy-three", pays("three", 1, 2, 3, 4))))
        .containsExactly("ok", "ok", "ok", "tool_call_limit");
    assertThat(tools.calls("pay three")).hasSize(3);
  }

  /// Two nodes side by side that run the calls of one message make no more than one of them.
  @Test
  void boundsTheCallsOfAMessageOverSeveralNodes() {
    service.graph(
        """
        name: policy-nodes
        channels: { messages: { reducer: messages } }
        nodes: [{ id: one, type: tool }, { id: other, type: tool }]
        edges: [{ from: __start__, to: [one, other] }]
        """);

    var run = run("policy-nodes", pays("nodes", 1, 2));

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(tools.calls("pay nodes")).hasSize(3);
    assertThat(run.toString()).contains("'pay' may be called 3 times in a message.");
  }

  /// A loop makes a new message each time: each has its own bound.
  @Test
  void boundsEachMessageByItself() {
    service.graph(
        """
        name: policy-again
        channels: { messages: { reducer: messages } }
        nodes:
          - { id: tools, type: tool }
          - id: again
            type: expression
            config: { update: { messages: "{{ [{'role': 'assistant', 'content': '', 'tool_calls': [{'id': 'z', 'name': 'pay', 'arguments': {'to': 'again', 'amount': 4}}]}] }}" } }
          - { id: more, type: tool }
        edges: [{ from: __start__, to: tools }, { from: tools, to: again }, { from: again, to: more }]
        """);

    var run = run("policy-again", pays("again", 1, 2, 3));

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(tools.calls("pay again")).hasSize(4);
  }

  /// A database that refuses to count is away: the task waits for it and does not fail.
  @Test
  void waitsForADatabaseThatRefusesToCount() {
    graph("policy-refused", "");
    jdbc.sql(
            """
            create sequence refused_counts;
            create function refuse_count() returns trigger language plpgsql as $$
            begin
              if nextval('refused_counts') <= 2 then
                raise exception 'could not extend file' using errcode = '53100';
              end if;
              return new;
            end $$;
            create trigger refuse_count before insert on tool_call_count
              for each row execute function refuse_count();
            """)
        .update();
    try {
      assertThat(ends(run("policy-refused", pays("refused", 1)))).containsExactly("ok");
      assertThat(tools.calls("pay refused")).hasSize(1);
    } finally {
      jdbc.sql("drop function refuse_count cascade; drop sequence refused_counts").update();
    }
  }

  @Test
  void showsTheOperatorsPolicies() {
    var listed = (ListValue) Service.at(service.get("/v1/tools"), "/items");
    var policies =
        listed.stream()
            .map(ObjectValue.class::cast)
            .collect(Collectors.toMap(it -> Service.text(it, "/name"), it -> it.get("policies")));

    assertThat(policies.get("pay"))
        .isEqualTo(
            Json.read(
                """
                [{"graphs": ["policy-*"], "approval": "defined", "calls_per_run_max": 4,
                  "calls_per_message_max": 3, "conditional": true}]
                """));
    assertThat(policies.get("deleteFile"))
        .isEqualTo(
            Json.read(
                "[{\"graphs\": [], \"approval\": \"other_than_starter\", \"conditional\": false}]"));
    assertThat(policies.get("weather")).isEqualTo(ListValue.empty());
  }

  /// Two tasks side by side, and what the run's own child makes, count together.
  @Test
  void boundsTheCallsOfARun() {
    graph("policy-below", "");
    service.graph(
        """
        name: policy-sides
        channels: { messages: { reducer: messages } }
        nodes:
          - { id: one, type: tool }
          - { id: other, type: tool }
          - { id: child, type: subgraph, config: { graph: policy-below, input: { messages: "{{ [state.messages[0]] }}" }, output: {} } }
        edges: [{ from: __start__, to: [one, other] }, { from: one, to: child }]
        """);

    var run = run("policy-sides", pays("sides", 1, 2, 3));

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(tools.calls("pay sides")).hasSize(4);
  }

  @Test
  void refusesArgumentsThatTheOperatorDoesNotAccept() {
    graph("policy-amount", "");

    assertThat(ends(run("policy-amount", pays("amount", 100, 101))))
        .containsExactly("ok", "tool_call_refused");
    assertThat(tools.calls("pay amount")).containsExactly("pay amount 100");
  }

  @Test
  void keepsToolsFromGraphsThatMayNotUseThem() {
    graph("other", "");
    var posted =
        post(
            "/v1/graphs/validate",
            """
            {"name": "other-naming", "channels": {"messages": {"reducer": "messages"}},
             "nodes": [{"id": "t", "type": "tool", "config": {"tools": ["weather", "pay"]}}],
             "edges": [{"from": "__start__", "to": "t"}]}
            """);

    assertThat(ends(run("other", pays("other", 1)))).containsExactly("tool_not_allowed");
    assertThat(tools.calls("pay other")).isEmpty();
    assertThat(posted.toString()).contains("tool_not_allowed", "/nodes/0/config/tools/1");
  }

  private ObjectValue answer(ObjectValue run, String value) {
    var interrupt = Service.text(run, "/interrupts/0/id");
    return post(
        "/v1/interrupts/%s/answer?wait=30s".formatted(interrupt),
        "{\"value\": %s}".formatted(value.replace('\'', '"')));
  }

  @Test
  void asksForApprovalWhateverTheDefinitionSays() {
    graph("policy-approval", "approval: never");
    var run = run("policy-approval", List.of(call(0, "deleteFile", "{'name': 'a'}")));
    assertThat(Service.text(run, "/status")).isEqualTo("interrupted");
    assertThat(Service.text(run, "/interrupts/0/reason")).isEqualTo("tool_approval");
    assertThat(Service.text(run, "/interrupts/0/may_answer")).isEqualTo("other_than_starter");
    assertThat(tools.calls("delete a")).isEmpty();

    var other = answer(run, "{'decision': 'approve', 'arguments': {'name': 'b'}}");
    assertThat(other.get("status")).as(other.toString()).isEqualTo(Value.of(422));
    assertThat(other.toString()).contains("invalid_answer", "\"pointer\":\"/value/arguments\"");

    var same = answer(run, "{'decision': 'approve', 'arguments': {'name': 'a'}}");
    assertThat(ends(same)).containsExactly("ok");
    assertThat(tools.calls("delete")).containsExactly("delete a");
  }

  /// Whoever approves has read the question, not the state.
  @Test
  void asksAgainAboutACallThatIsNotAnyMoreWhatTheQuestionShows() {
    graph("policy-swapped", "");
    var message =
        """
        {"id": "m", "role": "assistant", "content": "", "tool_calls": [%s]}\
        """;
    var shown = message.formatted(call(0, "deleteFile", "{'name': 'shown'}"));
    var swapped = message.formatted(call(0, "deleteFile", "{'name': 'swapped'}"));
    var run =
        post(
            "/v1/runs?wait=30s",
            "{\"graph\": \"policy-swapped\", \"input\": {\"messages\": [%s]}}".formatted(shown));
    post(
        "/v1/runs/%s/resume".formatted(Service.text(run, "/id")),
        "{\"change\": {\"update\": {\"messages\": [%s]}}, \"continue\": false}".formatted(swapped));

    var again = answer(run, "{'decision': 'approve'}");

    assertThat(Service.text(again, "/status")).as(again.toString()).isEqualTo("interrupted");
    assertThat(tools.calls("delete s")).isEmpty();
    assertThat(Service.text(again, "/interrupts/0/payload/tool_call/arguments/name"))
        .isEqualTo("swapped");
    assertThat(ends(answer(again, "{'decision': 'approve'}"))).containsExactly("ok");
    assertThat(tools.calls("delete s")).containsExactly("delete swapped");
  }

  /// An edited call is a call as any other.
  @Test
  void checksWhatAPersonHasEdited() {
    graph("policy-edited", "approval: always");
    var run = run("policy-edited", pays("edited", 1));

    var edited = answer(run, "{'decision': 'edit', 'arguments': {'to': 'edited', 'amount': 1000}}");

    assertThat(ends(edited)).containsExactly("tool_call_refused");
    assertThat(tools.calls("pay edited")).isEmpty();
  }

  /// P2, P8: entries of tool and human nodes say what was called, asked and answered, and are
  /// marked.
  @Test
  void writesCallsQuestionsAndAnswersIntoTheHistory() {
    service.graph(
        """
        name: policy-history
        context: { template: t }
        channels: { messages: { reducer: messages } }
        nodes:
          - { id: tools, type: tool }
          - { id: ask, type: human, config: { payload: "How was it?" } }
          - { id: llm-like, type: expression, context_type: llm_context, config: { response: "{{ string(size(history)) }}" } }
          - { id: human-like, type: expression, context_type: human_context, config: { response: "{{ history[0].node_id }}" } }
        edges: [{ from: __start__, to: tools }, { from: tools, to: ask }, { from: ask, to: llm-like }, { from: llm-like, to: human-like }]
        """);
    var asked = run("policy-history", List.of(call(0, "weather", "{'city': 'history'}")));
    var done =
        post(
            "/v1/interrupts/%s/answer?wait=30s".formatted(Service.text(asked, "/interrupts/0/id")),
            "{\"value\": {\"good\": true}}");

    var context = service.get("/v1/runs/%s/context".formatted(Service.text(done, "/id")));
    assertThat(Service.text(context, "/history/0/prompt"))
        .isEqualTo("[{\"arguments\":{\"city\":\"history\"},\"id\":\"c0\",\"name\":\"weather\"}]");
    assertThat(Service.at(context, "/history/0/metadata/tool_call")).isEqualTo(Value.TRUE);
    assertThat(Service.text(context, "/history/1/prompt")).isEqualTo("How was it?");
    assertThat(Service.text(context, "/history/1/response")).isEqualTo("{\"good\":true}");
    assertThat(Service.at(context, "/history/1/metadata/human_interaction")).isEqualTo(Value.TRUE);
    // without the entry of the tools; only that of the person
    assertThat(Service.text(context, "/history/2/response")).isEqualTo("1");
    assertThat(Service.text(context, "/history/3/response")).isEqualTo("ask");
  }

  @Test
  void refusesToolsOfAGraphThatAreNamedAsTheServers() {
    var posted =
        post(
            "/v1/graphs/validate",
            """
            {"name": "shadowing", "channels": {"messages": {"reducer": "messages"}},
             "tools": {"weather": {"url": "%s/lookup/x"}},
             "nodes": [{"id": "t", "type": "tool"}], "edges": [{"from": "__start__", "to": "t"}]}
            """
                .formatted(server.url()));

    assertThat(posted.toString()).contains("tool_name_taken", "\"pointer\":\"/tools/weather\"");
  }
}
