package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Violation;
import dev.superstep.json.Json;
import dev.superstep.state.Change;
import dev.superstep.state.Channels;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What becomes of responses (`config.result`).
class ResultTemplateTests {
  private static final GraphOutline GRAPH =
      new GraphOutline(
          new Channels(Map.of(), false), Set.of(new NodeId("a"), new NodeId("b"), new NodeId("n")));

  /// What the node writes by itself: a message and a field.
  private static final NodeResult OWN =
      new NodeResult(
          Change.update(json("{'messages': ['own'], 'finish_reason': 'stop'}")),
          null,
          List.of(),
          json("{'llm.calls': 1}"),
          "asked",
          "answered");

  @Test
  void addsToWhatTheNodeWritesItself() {
    var result =
        added(
            """
            {'update': {'seen': ['{{ response.n }}', '{{ input.who }}'], 'finish_reason': 'mine'},
             'overwrite': {'last': '{{ state.count }}'}, 'goto': ['a'], 'variables': {'k': 1},
             'response': 'told', 'events': [{'name': 'e'}], 'history_metadata': {'h': true}}
            """);

    assertThat(result.change().update())
        .isEqualTo(json("{'messages': ['own'], 'finish_reason': 'mine', 'seen': [3, 'Ann']}"));
    assertThat(result.change().overwrite()).isEqualTo(json("{'last': 2}"));
    assertThat(result.goTo()).containsExactly("a");
    assertThat(result.variables()).isEqualTo(json("{'llm.calls': 1, 'k': 1}"));
    assertThat(result.prompt()).isEqualTo("asked");
    assertThat(result.response()).isEqualTo("told");
    assertThat(result.events()).hasSize(1);
    assertThat(result.historyMetadata()).isEqualTo(json("{'h': true}"));
  }

  /// The conversation of an agent must not lose the answer to what the author adds to it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ['more', 'still'] | ['own', 'more', 'still']
          more              | ['own', 'more']
          """)
  void keepsListsOfItsOwn(String more, String expected) {
    var value = more.startsWith("[") ? more : "'" + more + "'";

    assertThat(
            added("{'update': {'messages': %s}}".formatted(value))
                .change()
                .update()
                .get("messages"))
        .isEqualTo(Json.read(expected.replace('\'', '"')));
  }

  @Test
  void leadsToIfEmptyWhenThereIsNothingToDispatch() {
    var written = "{'dispatch': '{{ fan_out(\\'a\\', response.list) }}'}";

    assertThat(added(written, "{'list': []}").goTo()).containsExactly("b");
    assertThat(added(written, "{'list': [{}, {}]}").goTo()).isNull();
    assertThat(added(written, "{'list': [{}, {}]}").dispatch()).hasSize(2);
    assertThat(added("{'goto': [], 'dispatch': []}", "{}").goTo()).isEmpty();
    assertThat(added("{'update': {}}", "{}").goTo()).isNull();
  }

  @Test
  void saysWhereATemplateFailed() {
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> added("{'update': {'x': '{{ response.nothing }}'}}"))
        .withMessageStartingWith("/result/update/x: ");
  }

  @Test
  void refusesWhatIsNoNodeResult() {
    assertThatExceptionOfType(TaskFailedException.class)
        .isThrownBy(() -> added("'{{ {\\'updates\\': {}} }}'"))
        .satisfies(it -> assertThat(it.error().code()).isEqualTo("bad_node_result"));
  }

  /// The node would be called once more for the answer.
  @Test
  void asksNobody() {
    assertThatExceptionOfType(TaskFailedException.class)
        .isThrownBy(() -> added("'{{ {\\'interrupt\\': {\\'reason\\': \\'ok\\'}} }}'"))
        .withMessageContaining("a node of type 'test' cannot ask");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'goto': ['nobody']}                       | /result/goto/0          | unknown_node
          {'dispatch': [{'node': 'nobody'}]}         | /result/dispatch/0/node | unknown_node
          {'update': {'undeclared': 1}}              | /result/update/undeclared | unknown_channel
          {'update': {'x': '{{ 1 + }}'}}             | /result/update/x        | invalid_expression
          """)
  void checksWhatIsWrittenOut(String written, String pointer, String code) {
    var strict = new GraphOutline(new Channels(Map.of(), true), Set.of(new NodeId("a")));
    var node = node(written, Node.Routing.DEFAULT);
    var config = new NodeConfig(node, strict, ObjectValue.empty(), TestCall.EXPRESSIONS);
    var _ = ResultTemplate.of(config);

    assertThatExceptionOfType(InvalidNodeException.class)
        .isThrownBy(() -> config.unlessRefused(() -> ""))
        .satisfies(it ->
            assertThat(it.problems())
                .extracting(Violation::pointer, Violation::code)
                .contains(tuple(pointer, code)));
  }

  private static NodeResult added(String result) {
    return added(result, "{'n': 3}");
  }

  private static NodeResult added(String result, String response) {
    var routing = new Node.Routing(Node.EdgeMode.ALL, Set.of(), Optional.of(new NodeId("b")));
    var node = node(result, routing);
    var template =
        ResultTemplate.of(new NodeConfig(node, GRAPH, ObjectValue.empty(), TestCall.EXPRESSIONS))
            .orElseThrow();
    var call = TestCall.plain().state("{\"count\": 2}").dispatch("d", "{\"who\": \"Ann\"}");
    return template.added(OWN, call, json(response));
  }

  private static Node node(String result, Node.Routing routing) {
    return TestCall.node("test", "{\"result\": %s}".formatted(quoted(result)), routing);
  }

  private static ObjectValue json(String text) {
    return (ObjectValue) Json.read(quoted(text));
  }

  /// Single quotes for double ones, except those that are escaped.
  private static String quoted(String text) {
    return text.replace("\\'", "\0").replace('\'', '"').replace('\0', '\'');
  }

  @Test
  void dropsOrKeepsTheResponseByItself() {
    var call = TestCall.plain();

    assertThat(ResultTemplate.updating("c").added(NodeResult.NOTHING, call, Value.NULL).change())
        .isEqualTo(Change.update("c", Value.NULL));
    assertThat(ResultTemplate.nothing().added(NodeResult.NOTHING, call, ListValue.empty()).change())
        .isEqualTo(Change.NONE);
  }
}
