package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.context.PromptContext;
import dev.superstep.definition.FunctionSource.FunctionDescription;
import dev.superstep.definition.FunctionSource.Purity;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.engine.OthersWork;
import dev.superstep.engine.node.LiveEventSink;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.json.Json;
import dev.superstep.state.Change;
import dev.superstep.state.Channel;
import dev.superstep.state.Channels;
import dev.superstep.state.GraphState;
import dev.superstep.state.MergeFunction;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FunctionNodeTests {
  private static final Channels CHANNELS =
      Channels.of(
          List.of(
              Channel.of("messages", new Reducer.BlockAppend()),
              Channel.of("count", new Reducer.Sum()),
              Channel.of("best", new Reducer.Max())));

  /// S2-10
  @Test
  void tellsTheFunctionHowManyNodesTheGraphHas() throws Exception {
    NodeFunction count = (_, _, call) -> FunctionResult.done().update("n", call.numVertices());
    var result = done(node(count, "{\"function\": \"f\"}").run(TestCall.plain()));

    assertThat(result.change().update().get("n")).isEqualTo(Value.of(3));
  }

  /// P8, S4-14: a function is given its node's view of the prompt context, and no other.
  @Test
  void givesTheFunctionTheNodesView() throws Exception {
    var view = PromptContext.EMPTY.plusVariables(ObjectValue.of("open", Value.of(1)));
    NodeFunction look =
        (_, _, call) -> FunctionResult.done().update("seen", call.context().variables());
    var result = done(node(look, "{\"function\": \"f\"}").run(TestCall.plain().context(view)));

    assertThat(result.change().update().get("seen")).isEqualTo(view.variables());
  }

  /// S2-10, S3-2, S3-13: what a node is given (state, input, its id, the superstep), and what it
  /// may give back (a change, dispatches).
  @Test
  void callsTheFunctionWithStateInputAndArguments() throws Exception {
    NodeFunction greet =
        (state, input, call) ->
            FunctionResult.done()
                .update("state", state.get("name"))
                .update("input", Objects.requireNonNull(input).get("topic"))
                .update("argument", call.arguments().get("style"))
                .update("key", call.idempotencyKey())
                .update("where", call.node() + " " + call.superstep() + " " + call.attempt())
                .dispatch("other", Map.of("i", 1));
    var call = TestCall.plain().state("{\"name\": \"Ann\"}").dispatch("d", "{\"topic\": \"cats\"}");
    var result =
        done(
            node(greet, "{\"function\": \"f\", \"arguments\": {\"style\": \"{{ state.name }}!\"}}")
                .run(call));
    assertThat(result.change().update())
        .isEqualTo(
            Json.read(
                """
                {"state": "Ann", "input": "cats", "argument": "Ann!", "key": "key-1",
                 "where": "n 7 1"}
                """));
    assertThat(result.dispatch())
        .extracting(it -> it.node() + it.input())
        .containsExactly("other{\"i\":1}");
  }

  /// Code of users that waits must not hold up other runs.
  @Test
  void letsOthersWorkWhileTheFunctionRuns() throws Exception {
    var others = new OthersWork();
    NodeFunction function =
        (_, _, _) -> {
          others.await();
          return FunctionResult.done();
        };

    others.during(() -> run(function));
  }

  /// At once for those who watch, and stored before those of the result.
  @Test
  void tellsEventsAtOnceAndKeepsThemForTheCommit() throws Exception {
    NodeFunction teller =
        (_, _, call) -> {
          call.emit("found", Map.of("pages", 3));
          call.emit("read", null);
          return FunctionResult.done().event("finished", "all");
        };
    var told = new ArrayList<String>();
    var result =
        done(
            node(teller, "{\"function\": \"f\"}")
                .run(TestCall.plain().attempt(2).watchers(watchers(told))));

    assertThat(result.events())
        .containsExactly(
            new CustomEvent("found", ObjectValue.of("pages", Value.of(3))),
            new CustomEvent("read", Value.NULL),
            new CustomEvent("finished", Value.of("all")));
    assertThat(told)
        .containsExactly(
            "custom {\"attempt\":2,\"data\":{\"pages\":3},\"index\":0,\"name\":\"found\"}",
            "custom {\"attempt\":2,\"data\":null,\"index\":1,\"name\":\"read\"}");
  }

  private static LiveEventSink watchers(List<String> told) {
    return new LiveEventSink() {
      @Override
      public boolean hasSubscribers() {
        return true;
      }

      @Override
      public void publish(String type, ObjectValue data) {
        told.add(type + " " + data);
      }
    };
  }

  @Test
  void boundsTheEventsOfATask() throws Exception {
    NodeFunction talks =
        (_, _, call) -> {
          IntStream.rangeClosed(0, CustomEvent.COUNT_MAX).forEach(it -> call.emit("e", it));
          return FunctionResult.done();
        };
    NodeFunction oneMore =
        (_, _, call) -> {
          IntStream.range(0, CustomEvent.COUNT_MAX).forEach(it -> call.emit("e", it));
          return FunctionResult.done().event("finished", null);
        };
    NodeFunction large =
        (_, _, call) -> {
          call.emit("e", "x".repeat(65_536));
          return FunctionResult.done();
        };
    NodeFunction unnamed =
        (_, _, call) -> {
          call.emit("no name", 1);
          return FunctionResult.done();
        };

    assertThatIllegalStateException().isThrownBy(() -> run(talks)).withMessageContaining("100");
    assertThat(failed(run(oneMore)).code()).isEqualTo("bad_node_result");
    assertThat(failed(run(oneMore)).message()).contains("101 events; at most 100");
    assertThatIllegalArgumentException().isThrownBy(() -> run(large)).withMessageContaining("data");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> run(unnamed))
        .withMessageContaining("name");
  }

  /// The task comes back, and its result says then what happened.
  @Test
  void keepsNoEventsOfAnAttemptThatAsks() throws Exception {
    NodeFunction asks =
        (_, _, call) -> {
          call.emit("found", 1);
          return FunctionResult.interrupt("sure", null);
        };
    NodeFunction both = (_, _, _) -> FunctionResult.interrupt("sure", null).event("found", 1);

    assertThat(run(asks)).isInstanceOf(Outcome.Interrupted.class);
    assertThat(failed(run(both)).code()).isEqualTo("bad_node_result");
  }

  /// E10: the input of a plain activation is null.
  @Test
  void givesNullForAPlainActivation() throws Exception {
    NodeFunction function = (_, input, _) -> FunctionResult.done().update("plain", input == null);
    assertThat(done(run(function)).change().update().get("plain")).isEqualTo(Value.TRUE);
  }

  /// E4: the change is derived from a whole new state where that is unambiguous.
  @Test
  void derivesTheChangeFromAWholeState() throws Exception {
    NodeFunction function =
        (state, _, _) ->
            FunctionResult.state(
                    state
                        .with("messages", ListValue.of(Value.of(1), Value.of(1)))
                        .with("count", Value.of(5))
                        .with("name", Value.of("Bob"))
                        .without("old"))
                .goTo("next");
    var call =
        TestCall.plain().state("{\"messages\": [1], \"count\": 3, \"name\": \"Ann\", \"old\": 1}");
    var result = done(node(function, "{\"function\": \"f\"}").run(call));
    assertThat(result.change().remove()).containsExactly("old");
    assertThat(result.change().update())
        .isEqualTo(Json.read("{\"messages\": [1], \"count\": 2, \"name\": \"Bob\"}"));
    assertThat(result.goTo()).containsExactly("next");
  }

  /// E4: elsewhere the task fails.
  @Test
  void failsWhereTheChangeCannotBeDerived() throws Exception {
    NodeFunction best = (state, _, _) -> FunctionResult.state(state.with("best", Value.of(9)));
    NodeFunction shorter =
        (state, _, _) -> FunctionResult.state(state.with("messages", ListValue.empty()));
    assertThat(failed(run(best)).code()).isEqualTo("delta_not_derivable");
    var call = TestCall.plain().state("{\"messages\": [1]}");
    assertThat(failed(node(shorter, "{\"function\": \"f\"}").run(call)))
        .extracting(TaskError::code, it -> it.details().get("channel"))
        .containsExactly("delta_not_derivable", Value.of("messages"));
  }

  /// E36: a function asks, holds a change, and goes on with the answer.
  @Test
  void asksAndResumes() throws Exception {
    NodeFunction function =
        (_, _, call) ->
            call.resume()
                .map(it -> FunctionResult.done().update("answer", it.answer()))
                .orElseGet(() -> FunctionResult.interrupt("ok?", 1).update("draft", "d"));
    assertThat(run(function))
        .isInstanceOfSatisfying(
            Outcome.Interrupted.class,
            it ->
                assertThat(it.request().change()).isEqualTo(Change.update("draft", Value.of("d"))));
    var resumed = node(function, "{\"function\": \"f\"}").run(TestCall.plain().answer(Value.FALSE));
    assertThat(done(resumed).change()).isEqualTo(Change.update("answer", Value.FALSE));
  }

  @Test
  void failsWithTheCodeTheFunctionGives() throws Exception {
    NodeFunction function =
        (_, _, _) -> {
          throw NodeException.retryable("quota_used", "come back")
              .retryAfter(Duration.ofMinutes(1));
        };
    var error = failed(run(function));
    assertThat(error.code()).isEqualTo("quota_used");
    assertThat(error.retryable()).isEqualTo(Retryable.YES);
    assertThat(error.retryAfter()).contains(Duration.ofMinutes(1));
  }

  /// E30: anything else thrown is left to the engine, which makes it a failure.
  @Test
  void leavesOtherExceptionsToTheEngine() {
    NodeFunction function =
        (_, _, _) -> {
          throw new IllegalStateException("bug");
        };
    assertThatIllegalStateException().isThrownBy(() -> run(function)).withMessage("bug");
  }

  @Test
  @SuppressWarnings("NullAway") // what users' code may do
  void failsWhenTheFunctionReturnsNull() throws Exception {
    NodeFunction function = (_, _, _) -> null;
    assertThat(failed(run(function)).code()).isEqualTo("bad_node_result");
  }

  /// E30: reserved names are refused, whoever writes them.
  @Test
  void checksTheResultLikeAnyOther() throws Exception {
    assertThat(failed(run((_, _, _) -> FunctionResult.done().update("__x", 1))).code())
        .isEqualTo("bad_node_result");
  }

  /// E10: the node may declare what the function does not.
  @Test
  void isPureWhenNodeOrFunctionSaySo() {
    NodeFunction function = (_, _, _) -> FunctionResult.done();
    assertThat(node(function, "{\"function\": \"f\"}").pure()).isFalse();
    assertThat(node(function, "{\"function\": \"f\", \"pure\": true}").pure()).isTrue();
    assertThat(node(new Pure(), "{\"function\": \"f\"}").pure()).isTrue();
    assertThat(node(new Pure(), "{\"function\": \"f\", \"pure\": false}").pure()).isFalse();
  }

  @Test
  void refusesAFunctionThatIsNotThere() {
    assertThatExceptionOfType(InvalidNodeException.class)
        .isThrownBy(() -> node(new Pure(), "{\"function\": \"g\"}"))
        .satisfies(it -> assertThat(it.problems().getFirst().code()).isEqualTo("unknown_function"));
  }

  @Test
  void listsFunctionsByName() {
    NodeFunction effectful = (_, _, _) -> FunctionResult.done();
    MergeFunction longest = (left, _) -> left;
    var nodeFunctions =
        new NodeFunctions(
            Map.of("b", new Pure(), "a", effectful),
            Map.of("longest", longest),
            Map.of("minutes", (messages, _) -> messages.size() + " messages"));
    assertThat(nodeFunctions.functions())
        .extracting(FunctionDescription::name, FunctionDescription::kind, FunctionDescription::pure)
        .containsExactly(
            tuple("a", "node", Purity.EFFECTFUL),
            tuple("b", "node", Purity.PURE),
            tuple("longest", "merge", Purity.PURE),
            tuple("minutes", "summary", Purity.EFFECTFUL));
  }

  private static final class Pure implements NodeFunction {
    @Override
    public FunctionResult run(GraphState state, @Nullable ObjectValue input, FunctionCall call) {
      return FunctionResult.done();
    }

    @Override
    public boolean pure() {
      return true;
    }
  }

  private static Outcome run(NodeFunction function) throws Exception {
    return node(function, "{\"function\": \"f\"}").run(TestCall.plain());
  }

  private static NodeRunner node(NodeFunction function, String config) {
    return new FunctionNodeType(
            new NodeFunctions(Map.of("f", function), Map.of(), Map.of()),
            TestCall.EXPRESSIONS,
            ModelRates.NONE)
        .create(TestCall.node("function", config), new GraphOutline(CHANNELS, Set.of()));
  }

  private static NodeResult done(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    return ((Outcome.Done) outcome).result();
  }

  private static TaskError failed(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    return ((Outcome.Failed) outcome).error();
  }
}
