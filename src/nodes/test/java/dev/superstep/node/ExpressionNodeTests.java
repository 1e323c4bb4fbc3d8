package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Violation;
import dev.superstep.json.Json;
import dev.superstep.state.Channel;
import dev.superstep.state.Channels;
import dev.superstep.state.value.Value;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionNodeTests {
  private static final Node.Routing IF_EMPTY =
      new Node.Routing(Node.EdgeMode.ALL, Set.of(), Optional.of(new NodeId("aggregate")));

  private static final Channels CHANNELS =
      new Channels(
          Map.of("known", Channel.undeclared("known"), "x", Channel.undeclared("x")), false);

  /// A template that is none is what it says: what does not exist is found before any run.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"goto\": [\"zz\"]}                            | unknown_node      | /goto/0",
        "{\"goto\": [\"a\", \"__end__\"]}                | undeclared_target | /goto/1",
        "{\"goto\": [\"a\", \"aggregate\"]}              | undeclared_target | /goto/1",
        "{\"dispatch\": [{\"node\": \"zz\"}]}            | unknown_node      | /dispatch/0/node",
        "{\"dispatch\": [{\"node\": \"__end__\"}]}       | unknown_node      | /dispatch/0/node",
        "{\"update\": {\"zz\": 1}}                       | unknown_channel   | /update/zz",
        "{\"overwrite\": {\"known\": 1, \"zz\": 1}}      | unknown_channel   | /overwrite/zz",
        "{\"remove\": [\"known\", \"zz\"]}               | unknown_channel   | /remove/1"
      })
  void refusesWhatItNamesOutrightAndDoesNotExist(String config, String code, String pointer) {
    var strict =
        new GraphOutline(
            new Channels(CHANNELS.declared(), true),
            Set.of(new NodeId("a"), new NodeId("aggregate")));
    var routing = new Node.Routing(Node.EdgeMode.ALL, Set.of(new NodeId("a")), Optional.empty());
    assertThatExceptionOfType(InvalidNodeException.class)
        .isThrownBy(() ->
            new ExpressionNodeType(TestCall.EXPRESSIONS)
                .create(TestCall.node("expression", config, routing), strict))
        .satisfies(it ->
            assertThat(it.problems())
                .extracting(Violation::code, Violation::pointer)
                .containsExactly(tuple(code, pointer)));
  }

  @Test
  void leavesWhatTemplatesNameToTheRun() {
    assertThat(
            node("{\"goto\": [\"{{ state.next }}\"], \"dispatch\": [{\"node\": \"{{ 'zz' }}\"}]}"))
        .isNotNull();
  }

  @Test
  void computesANodeResult() throws Exception {
    var call = TestCall.plain().state("{\"count\": 2, \"topics\": [\"cats\", \"dogs\"]}");
    var result =
        done(
            node(
                """
                {"update": {"count": "{{ state.count + 1 }}", "text": "n = {{ state.count }}"},
                 "dispatch": "{{ state.topics.map(t, {'node': 'r', 'input': {'topic': t}}) }}"}
                """),
            call);
    assertThat(result.change().update())
        .isEqualTo(Json.read("{\"count\": 3, \"text\": \"n = 2\"}"));
    assertThat(result.dispatch())
        .extracting(it -> it.input().get("topic"))
        .containsExactly(Value.of("cats"), Value.of("dogs"));
  }

  /// E24: an empty `dispatch` takes the node's `if_empty`, also one that comes out null.
  @Test
  void leadsToIfEmptyWhenNothingIsDispatched() throws Exception {
    assertThat(done(node("{\"dispatch\": []}", IF_EMPTY)).goTo()).containsExactly("aggregate");
    assertThat(done(node("{\"dispatch\": \"{{ null }}\"}", IF_EMPTY)).goTo())
        .containsExactly("aggregate");
  }

  @Test
  void takesItsEdgesWhenSomethingIsDispatched() throws Exception {
    assertThat(done(node("{\"dispatch\": [{\"node\": \"a\"}]}", IF_EMPTY)).goTo()).isNull();
  }

  @Test
  void takesItsEdgesWhenItHasNoDispatch() throws Exception {
    assertThat(done(node("{\"update\": {\"a\": 1}}", IF_EMPTY)).goTo()).isNull();
  }

  /// E26: goto says more than if_empty.
  @Test
  void prefersGotoToIfEmpty() throws Exception {
    assertThat(done(node("{\"dispatch\": [], \"goto\": []}", IF_EMPTY)).goTo()).isEmpty();
  }

  /// E36: the second call sees the answer.
  @Test
  void asksOnceAndGoesOnWithTheAnswer() throws Exception {
    var node =
        node(
            """
            {"interrupt": "{{ resume == null ? dyn({'reason': 'ok?'}) : null }}",
             "update": "{{ resume == null ? {} : {'answer': resume.answer} }}"}
            """);
    assertThat(node.run(TestCall.plain())).isInstanceOf(Outcome.Interrupted.class);
    assertThat(done(node, TestCall.plain().answer(Value.TRUE)).change().update().get("answer"))
        .isEqualTo(Value.TRUE);
  }

  /// E30: what a template makes is checked like any node result.
  @Test
  void failsWithABadResult() throws Exception {
    assertThat(node("{\"goto\": \"{{ 1 }}\"}").run(TestCall.plain()))
        .isInstanceOfSatisfying(
            Outcome.Failed.class, it -> assertThat(it.error().code()).isEqualTo("bad_node_result"));
  }

  @Test
  void namesEveryTemplateThatDoesNotCompile() {
    assertThatExceptionOfType(InvalidNodeException.class)
        .isThrownBy(() -> node("{\"update\": {\"a\": \"{{ 1 + }}\"}, \"prompt\": \"{{ nope }}\"}"))
        .satisfies(it ->
            assertThat(it.problems())
                .extracting(Violation::pointer)
                .containsExactlyInAnyOrder("/update/a", "/prompt"));
  }

  /// E10: computing again does no harm.
  @Test
  void isPure() {
    assertThat(node("{}").pure()).isTrue();
  }

  private static NodeRunner node(String config) {
    return node(config, Node.Routing.DEFAULT);
  }

  private static NodeRunner node(String config, Node.Routing routing) {
    return new ExpressionNodeType(TestCall.EXPRESSIONS)
        .create(
            TestCall.node("expression", config, routing),
            new GraphOutline(CHANNELS, Set.of(new NodeId("a"), new NodeId("aggregate"))));
  }

  private static NodeResult done(NodeRunner node) throws Exception {
    return done(node, TestCall.plain());
  }

  private static NodeResult done(NodeRunner node, NodeCall call) throws Exception {
    var outcome = node.run(call);
    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    return ((Outcome.Done) outcome).result();
  }
}
