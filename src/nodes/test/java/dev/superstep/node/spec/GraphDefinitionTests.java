package dev.superstep.node.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.json.Yaml;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeFunction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GraphDefinitionTests {
  private static final String ORDERS =
      """
      name: orders
      description: Orders fruit
      channels: { offers: { reducer: append, default: [] }, choice: {} }
      limits: { max_supersteps: 20, timeout: PT5M }
      prompts: { ask: "Choose one of {{ state.offers }}" }
      tools: { stock: { url: "https://stock.example/{fruit}", headers: { a: b } } }
      interrupt_before: [choose]
      nodes:
        - id: plan
          type: function
          config: { function: plan, arguments: { most: 3 } }
          next: [search, choose]
          retry: [{ max_attempts: 3, jitter: 0.5 }]
          on_failure: [{ to: [sorry], error_codes: [http_5xx] }, { to: [sorry] }]
        - { id: search, type: http, config: { url: "https://offers.example", mode: request } }
        - id: choose
          type: llm
          config: { models: [a, b], output_to: choice, options: "{{ state.o }}" }
          switch: [{ when: "state.choice == ''", to: [wait] }, { else: [sorry] }]
        - { id: wait, type: wait, config: { for: 30s } }
        - { id: sorry, type: router }
        - { id: own, type: my_type, config: { a: true } }
      edges: [{ from: [wait], to: [own], condition: "state.choice != ''" }]
      """;

  @Test
  void saysWhatAnAuthorWouldWrite() {
    var graph =
        GraphDefinition.of(
            "orders",
            it ->
                it.description("Orders fruit")
                    .channels(
                        "offers", channel -> channel.reducer("append").defaultValue(List.of()))
                    .channels("choice")
                    .limits(limits -> limits.maxSupersteps(20).timeout(Duration.ofMinutes(5)))
                    .prompts("ask", "Choose one of {{ state.offers }}")
                    .tools(
                        "stock",
                        tool -> tool.url("https://stock.example/{fruit}").headers("a", "b"))
                    .interruptBefore("choose")
                    .function(
                        "plan",
                        config -> config.function("plan").arguments(Map.of("most", 3)),
                        node ->
                            node.next("search", "choose")
                                .retry(retry -> retry.maxAttempts(3).jitter(0.5))
                                .onFailure(failure -> failure.to("sorry").errorCodes("http_5xx"))
                                .onFailure(failure -> failure.to("sorry")))
                    .http("search", config -> config.url("https://offers.example").mode("request"))
                    .llm(
                        "choose",
                        config ->
                            config.models("a", "b").outputTo("choice").options("{{ state.o }}"),
                        node ->
                            node.switchCase(way -> way.when("state.choice == ''").to("wait"))
                                .switchCase(way -> way.otherwise("sorry")))
                    .wait("wait", config -> config.forTime("30s"))
                    .router("sorry")
                    .nodes("own", "my_type", node -> node.config(Map.of("a", true)))
                    .edges(edge -> edge.from("wait").to("own").condition("state.choice != ''")));

    assertThat(graph.definition()).isEqualTo(Yaml.read(ORDERS));
    assertThat(Yaml.read(graph.yaml())).isEqualTo(graph.definition());
  }

  @Test
  void namesFunctionsThatAreGivenAsCode() {
    NodeFunction outer = (_, _, _) -> FunctionResult.done();
    NodeFunction inner = (_, _, _) -> FunctionResult.done();
    var graph =
        GraphDefinition.of(
            "outer",
            it ->
                it.function("run", config -> config.function(outer))
                    .graphs("inner", in -> in.function("run", config -> config.function(inner))));

    assertThat(graph.functions()).isEqualTo(Map.of("outer.run", outer, "outer.inner.run", inner));
    assertThat(graph.yaml()).contains("function: outer.run").contains("function: outer.inner.run");
  }

  @Test
  void refusesWhatIsSaidTwice() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            GraphDefinition.of(
                "twice",
                it ->
                    it.expression(
                        "a",
                        config -> {},
                        node -> node.timeout(Duration.ZERO).timeout(Duration.ZERO))))
        .withMessage("twice: twice.a: 'timeout' is said twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GraphDefinition.of("twice", it -> it.channels("a").channels("a")))
        .withMessage("twice: 'a' is said twice");
  }

  @Test
  void refusesWhatIsNoData() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            GraphDefinition.of(
                "odd", it -> it.channels("a", channel -> channel.defaultValue(new Object()))))
        .withMessageStartingWith("odd: odd.a: java.lang.Object is no plain data");
  }
}
