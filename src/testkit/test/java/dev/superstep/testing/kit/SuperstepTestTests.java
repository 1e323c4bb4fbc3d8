package dev.superstep.testing.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeException;
import dev.superstep.node.NodeFunction;
import dev.superstep.node.spec.GraphDefinition;
import dev.superstep.state.MergeFunction;
import dev.superstep.state.value.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class SuperstepTestTests {
  private static final SuperstepTest LLM =
      SuperstepTest.graph(
          """
          name: ask
          nodes:
            - { id: first, type: llm, next: second, config: { prompt: "one {{ state.?x }}", output_to: a } }
            - { id: second, type: llm, config: { model: big, prompt: two, output_to: b } }
          edges: [{ from: __start__, to: first }]
          """);

  private static final SuperstepTest HUMAN =
      SuperstepTest.graph(
          """
          name: ask
          nodes:
            - { id: review, type: human, config: { payload: "ok?", answer_schema: { type: boolean } } }
          edges: [{ from: __start__, to: review }]
          """);

  private static final SuperstepTest AGENT =
      SuperstepTest.graph(
          """
          name: agent
          channels: { messages: { reducer: messages } }
          nodes:
            - { id: model, type: llm, config: { prompt: "weather?", messages: messages, tools: [weather] } }
            - { id: tools, type: tool, next: model, config: {} }
          edges:
            - { from: __start__, to: model }
            - { from: model, to: tools, condition: "size(state.messages[size(state.messages) - 1].?tool_calls.orValue([])) > 0" }
          """);

  private static final SuperstepTest HTTP =
      SuperstepTest.graph(
          """
          name: call
          params: { host: { default: one.example } }
          input: { schema: { type: object, required: [id] } }
          nodes:
            - { id: call, type: http, config: { url: "https://{{ params.host }}", mode: function } }
          edges: [{ from: __start__, to: call }]
          """);

  @Test
  void runsAGraphThatIsWrittenInJava() {
    var graph =
        GraphDefinition.of(
            "selling",
            it ->
                it.channels("cents", channel -> channel.reducer("sum").defaultValue(1))
                    .function(
                        "price",
                        config ->
                            config.function((state, _, _) ->
                                FunctionResult.done().update("cents", state.whole("cents") + 40)),
                        node -> node.next("tell").timeout(Duration.ofSeconds(5)))
                    .expression("tell", config -> config.update("{{ {'text': state.cents} }}")));

    assertThat(SuperstepTest.graph(graph).run().output().whole("text")).isEqualTo(42);
  }

  @Test
  void asksEachModelByItsName() {
    var run = LLM.model("default", "small").model("big", "large").run(Map.of("x", 1));

    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state().text("a")).isEqualTo("small");
    assertThat(run.output().text("b")).isEqualTo("large");
    assertThat(run.prompts("first")).hasSize(1);
    assertThat(run.prompts("first").getFirst().getLast().text("content")).isEqualTo("one 1");
    assertThat(run.prompts("tools")).isEmpty();
  }

  @Test
  void letsTheOnlyModelAnswerNodesThatNameNone() {
    var run = LLM.model("big", "one", "two").run();

    assertThat(run.state().text("a") + run.state().text("b")).isEqualTo("onetwo");
  }

  @Test
  void computesWhatAModelAnswers() {
    var run =
        LLM.model("big", call -> call.node() + call.messages().size() + call.superstep()).run();

    assertThat(run.state().text("a")).isEqualTo("first11");
    assertThat(run.state().text("b")).isEqualTo("second12");
  }

  @Test
  void saysWhatAnswerIsLacking() {
    assertThatThrownBy(() -> LLM.model("small", "x").run())
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "node 'second' asks the model 'big': say what it answers, model(\"big\", …) or"
                + " node(\"second\", …)");
    assertThatThrownBy(() -> HTTP.run(Map.of("id", 1)))
        .isInstanceOf(AssertionError.class)
        .hasMessage("node 'call' (http) would call out: say what it gets, node(\"call\", …)");
  }

  @Test
  void tellsTheModelOfAToolThatIsNotThere() {
    var run = AGENT.model("any", asking("weather"), "I cannot say.").run();

    assertThat(told(run)).contains("weather");
  }

  @Test
  void saysWhenAnswersAreUsedUp() {
    assertThatThrownBy(() ->
            AGENT.model("any", asking("weather"), asking("weather")).tool("weather", "").run())
        .isInstanceOf(AssertionError.class)
        .hasMessage("the model 'any' is called 3 times, and has 2 answers: give another");
  }

  /// What the model was last told by a tool.
  private static String told(TestRun run) {
    return run.prompts("model").getLast().stream()
        .filter(it -> it.text("role").equals("tool"))
        .reduce((_, last) -> last)
        .orElseThrow()
        .text("content");
  }

  private static Map<String, Object> asking(String tool) {
    return Map.of(
        "content",
        "",
        "tool_calls",
        List.of(Map.of("name", tool, "arguments", Map.of("city", "Oslo"))));
  }

  @Test
  void computesWhatAToolAnswers() {
    var run =
        AGENT
            .model("any", asking("weather"), "It rains.")
            .tool("weather", call -> call.input().text("city") + ": rain")
            .run();

    assertThat(run.path()).containsExactly(List.of("model"), List.of("tools"), List.of("model"));
    assertThat(told(run)).isEqualTo("Oslo: rain");
  }

  @Test
  void letsAToolFailForTheModelToSee() {
    var run =
        AGENT
            .model("any", asking("weather"), "I do not know.")
            .tool("weather", NodeException.permanent("down", "no forecast"))
            .run();

    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(told(run)).contains("no forecast");
  }

  @Test
  void throwsWhatAFakeAsserts() {
    var test =
        HTTP.node(
            "call",
            call -> {
              assertThat(call.state().whole("id")).isEqualTo(2);
              return Map.of();
            });

    assertThatThrownBy(() -> test.run(Map.of("id", 1)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("expected: 2L");
  }

  @Test
  void refusesWhatAServerWouldRefuse() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SuperstepTest.graph("name: x\nnodes:\n  - { id: a, type: htp }").run())
        .withMessageContaining("the definition has errors:\n  3:")
        .withMessageContaining("/nodes/0/type");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SuperstepTest.graph("name: [").run())
        .withMessageContaining("no well-formed YAML");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HTTP.node("call", Map.of()).run())
        .withMessage("/input: 'id' is missing; add it");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HTTP.node("call", Map.of()).param("hst", "x").run(Map.of("id", 1)))
        .withMessageContaining("/params/hst");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HTTP.node("cal", Map.of()).run(Map.of("id", 1)))
        .withMessage("the graph has no node 'cal' (did you mean 'call'?)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HTTP.node("call"))
        .withMessage("say what is answered");
  }

  @Test
  void answersWithoutComingToRest() {
    var run = HUMAN.answer("review", true).run();

    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.interrupts()).isEmpty();
    assertThat(run.state().flag("review")).isTrue();
  }

  @Test
  void keepsAQuestionOpenWhoseAnswerIsRefused() {
    var run = HUMAN.run();

    assertThat(run.status()).isEqualTo(RunStatus.INTERRUPTED);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> run.resume("yes"))
        .withMessageStartingWith("node 'review': the answer does not satisfy");
    assertThat(run.interrupts()).extracting(Question::node).containsExactly("review");
    assertThatIllegalStateException()
        .isThrownBy(() -> run.resume("other", true))
        .withMessageStartingWith("node 'other' asks nothing");
    assertThat(run.resume(true).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThatIllegalStateException().isThrownBy(() -> run.resume(true));
  }

  @Test
  void letsAQuestionExpireOnlyWhenTimePasses() {
    var run =
        SuperstepTest.graph(
                """
                name: ask
                nodes:
                  - { id: review, type: human, config: { payload: "ok?", expires_after: 1d } }
                edges: [{ from: __start__, to: review }]
                """)
            .run();

    assertThat(run.status()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.pass(Duration.ofHours(23)).interrupts())
        .extracting(Question::expiresAt)
        .containsExactly(Optional.of(Instant.parse("2026-01-02T00:00:00Z")));
    assertThat(run.pass(Duration.ofHours(2)).status()).isEqualTo(RunStatus.FAILED);
    assertThat(run.now()).isEqualTo("2026-01-02T01:00:00Z");
  }

  @Test
  void passesTheTimeThatAGraphWaits() {
    var begin = Instant.parse("2030-05-01T12:00:00Z");
    var run =
        SuperstepTest.graph(
                """
                name: wait
                nodes:
                  - { id: sleep, type: wait, next: stamp, config: { for: 36h } }
                  - { id: stamp, type: expression, config: { update: { done: true } } }
                edges: [{ from: __start__, to: sleep }]
                """)
            .beginningAt(begin)
            .run();

    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.now()).isEqualTo(begin.plus(Duration.ofHours(36)));
    assertThat(run.supersteps()).extracting(TestSuperstep::number).containsExactly(1, 2);
    assertThat(run.supersteps().getFirst().state().get("done")).isNull();
    assertThat(run.events()).extracting("type").contains("superstep.committed");
  }

  @Test
  void failsAsARunDoes() {
    var run =
        HTTP.node("call", NodeException.permanent("sold_out", "no more")).run(Map.of("id", 1));

    assertThat(run.status()).isEqualTo(RunStatus.FAILED);
    assertThat(run.error().orElseThrow().error().code()).isEqualTo("sold_out");
    assertThat(run.supersteps()).isEmpty();
    assertThat(run).hasToString("FAILED after 0 supersteps []: no more");
  }

  @Test
  void givesParamsAndTheStateOfTheThread() {
    var run =
        SuperstepTest.graph(
                """
                name: given
                params: { who: { default: nobody } }
                nodes: [{ id: a, type: expression, config: { update: { said: "{{ params.who }} {{ state.n }}" } } }]
                edges: [{ from: __start__, to: a }]
                """)
            .param("who", "Ada")
            .thread(Map.of("n", 7))
            .run();

    assertThat(run.state().text("said")).isEqualTo("Ada 7");
  }

  @Test
  void hasTheBeansOfAConfiguration() {
    var run =
        SuperstepTest.graph(
                """
                name: beans
                channels: { best: { reducer: function, function: longer } }
                nodes: [{ id: a, type: function, config: { function: hello } }]
                edges: [{ from: __start__, to: a }]
                """)
            .beans(Beans.class)
            .run(Map.of("best", "much longer"));

    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state().text("best")).isEqualTo("much longer");
    assertThat(run.calls("a")).isOne();
  }

  @Test
  void replacesAFunctionByAFake() {
    var graph =
        SuperstepTest.graph(
                """
                name: faked
                nodes: [{ id: a, type: function, config: { function: hello } }]
                edges: [{ from: __start__, to: a }]
                """)
            .beans(Beans.class);

    var run = graph.node("a", _ -> FunctionResult.done().update("best", "faked")).run();

    assertThat(run.state().text("best")).isEqualTo("faked");
    assertThat(graph.run().state().text("best")).isEqualTo("hello");
  }

  @Test
  void readsTheGraphsOfExamples() {
    var run =
        SuperstepTest.graph(Path.of("examples/approval/graph.yaml"))
            .run(Map.of("topic", "owls"))
            .resume(Map.of("approved", true));

    assertThat(run.state().text("published")).isEqualTo("A short text about owls.");
  }

  @Configuration(proxyBeanMethods = false)
  static class Beans {
    @Bean
    NodeFunction hello() {
      return (_, _, _) -> FunctionResult.done().update("best", "hello");
    }

    @Bean
    MergeFunction longer() {
      return (left, right) ->
          left instanceof Value.Text(var one)
                  && right instanceof Value.Text(var other)
                  && one.length() > other.length()
              ? left
              : right;
    }
  }
}
