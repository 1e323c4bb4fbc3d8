package dev.superstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.node.FunctionCall;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeException;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.testing.kit.Question;
import dev.superstep.testing.kit.SuperstepTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TripTests {
  private static final SuperstepTest TRIP =
      SuperstepTest.graph(
              """
              name: trip
              channels: { offers: { reducer: append, default: [] } }
              nodes:
                - { id: plan, type: function, config: { function: plan } }
                - { id: search, type: http, retry: {}, next: choose,
                    config: { url: "https://offers.example/{{ input.city }}", mode: request,
                              result: { update: { offers: ["{{ response.body }}"] } } } }
                - { id: choose, type: llm, next: approve,
                    config: { model: fast, prompt: "Choose one of {{ state.offers }}", output_to: choice } }
                - { id: approve, type: human,
                    config: { payload: "Book {{ state.choice }}?", expires_after: 1d } }
              edges: [{ from: __start__, to: plan }]
              """)
          .function("plan", new Plan())
          .node("search", call -> Map.of("body", call.input().text("city") + " for 90 EUR"))
          .model("fast", "Bergen for 90 EUR");

  /// Sends a search for each city.
  static final class Plan implements NodeFunction {
    @Override
    public FunctionResult run(GraphState state, @Nullable ObjectValue input, FunctionCall call) {
      var result = FunctionResult.done();
      for (var city : state.list("cities")) {
        result = result.dispatch("search", Map.of("city", city));
      }
      return result;
    }
  }

  @Test
  void asksBeforeItBooks() {
    var run = TRIP.run(Map.of("cities", List.of("Bergen", "Oslo")));

    assertThat(run.path())
        .containsExactly(List.of("plan"), List.of("search", "search"), List.of("choose"));
    assertThat(run.dispatches())
        .extracting(it -> it.input().text("city"))
        .containsExactly("Bergen", "Oslo");
    assertThat(run.prompts("choose").getFirst().getLast().text("content"))
        .contains("Oslo for 90 EUR");
    assertThat(run.interrupts())
        .extracting(Question::payload)
        .containsExactly("Book Bergen for 90 EUR?");

    run.resume("approve", true);

    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state().flag("approve")).isTrue();
  }

  @Test
  void failsIfNobodyAnswersForADay() {
    var run = TRIP.run(Map.of("cities", List.of("Bergen"))).pass(Duration.ofHours(25));

    assertThat(run.error().orElseThrow().error().code()).isEqualTo("interrupt_expired");
  }

  @Test
  void searchesOnceMoreWhenTheSiteIsDown() {
    var down = NodeException.retryable("http_503", "down for a moment");
    var run =
        TRIP.node("search", down, Map.of("body", "Oslo for 80 EUR"))
            .run(Map.of("cities", List.of("Oslo")));

    assertThat(run.calls("search")).isEqualTo(2);
    assertThat(run.supersteps().get(1).state().list("offers")).hasSize(1);
  }
}
