package dev.superstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.node.FunctionCall;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.testing.kit.SuperstepTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The function with durable steps that the page about extensions shows.
class FulfilOrderTests {
  private final List<String> calls = new ArrayList<>();

  /// The services of a shop.
  interface Shop {
    Receipt charge(String order, String idempotencyKey);

    void pack(String item);

    void ship(String order, String receipt);
  }

  record Receipt(String id, long amount) {}

  private record CountingShop(List<String> calls) implements Shop {
    @Override
    public Receipt charge(String order, String idempotencyKey) {
      calls.add("charge " + order);
      return new Receipt("r-" + order, 900);
    }

    @Override
    public void pack(String item) {
      synchronized (calls) {
        calls.add("pack " + item);
      }
    }

    @Override
    public void ship(String order, String receipt) {
      calls.add("ship " + order + " " + receipt);
    }
  }

  // shown
  public record FulfilOrder(Shop shop) implements NodeFunction {
    @Override
    public FunctionResult run(GraphState state, @Nullable ObjectValue input, FunctionCall call)
        throws Exception {
      var steps = call.steps();
      var order = state.text("order");
      var receipt =
          steps.run("charge", Receipt.class, () -> shop.charge(order, steps.idempotencyKey()));
      if (receipt.amount() > 500) {
        var approved =
            steps.ask(
                "approve",
                Boolean.class,
                FunctionResult.interrupt("large_order", Map.of("amount", receipt.amount())));
        if (!Boolean.TRUE.equals(approved)) {
          return FunctionResult.done().update("status", "refused");
        }
      }
      steps.sleep("cool-off", Duration.ofDays(3));
      var packed =
          steps.all(
              "pack",
              List.of("cup", "saucer"),
              String.class,
              item -> {
                shop.pack(item);
                return item;
              });
      steps.run("ship", () -> shop.ship(order, receipt.id()));
      return FunctionResult.done().update("status", "shipped").update("packed", packed);
    }
  }

  // to here

  private SuperstepTest graph() {
    return SuperstepTest.graph(
            """
            name: orders
            nodes: [{ id: fulfil, type: function, config: { function: fulfil } }]
            """)
        .function("fulfil", new FulfilOrder(new CountingShop(calls)));
  }

  @Test
  void makesEachCallOnce() {
    var run = graph().run(Map.of("order", "o-7"));
    assertThat(run.interrupts()).hasSize(1);
    assertThat(calls).containsExactly("charge o-7");

    run.resume("fulfil", true);

    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls)
        .containsExactlyInAnyOrder("charge o-7", "pack cup", "pack saucer", "ship o-7 r-o-7");
    assertThat(run.state().text("status")).isEqualTo("shipped");
  }

  @Test
  void isWhatThePageShows() throws IOException {
    var source =
        Files.readString(
            Path.of("src/server/test/java/dev/superstep/examples/FulfilOrderTests.java"));
    var shown =
        source.substring(
            source.indexOf("  public record FulfilOrder"), source.indexOf("\n  // to"));

    assertThat(Files.readString(Path.of("docs/extensions.md")))
        .contains("```java\n" + shown.stripTrailing().stripIndent() + "\n```\n");
  }
}
