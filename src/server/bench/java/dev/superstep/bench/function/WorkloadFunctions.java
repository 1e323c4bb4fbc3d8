package dev.superstep.bench.function;

import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// What the nodes of the workloads do.
@Configuration(proxyBeanMethods = false)
public class WorkloadFunctions {
  private static final Duration NAP = Duration.ofMillis(100);
  private static final Duration BLINK = Duration.ofMillis(20);

  /// One message of 200 characters, and one more on the counter.
  @Bean
  NodeFunction benchStep() {
    return (_, _, call) -> step(call.superstep(), 200);
  }

  /// The same with a message of 1 KiB.
  @Bean
  NodeFunction benchTurn() {
    return (_, _, call) -> step(call.superstep(), 1024);
  }

  @Bean
  NodeFunction benchNapStep() {
    return (_, _, call) -> {
      Thread.sleep(NAP);
      return step(call.superstep(), 200);
    };
  }

  /// Dispatches one worker for each of `width` items.
  @Bean
  NodeFunction benchPlan() {
    return (state, _, _) -> {
      var result = FunctionResult.done();
      long width = state.get("width") instanceof Value.Int(var given) ? given : 0;
      for (long i = 0; i < width; i++) {
        var input = ObjectValue.of("item", Value.of(i));
        result = result.dispatch(new DispatchRequest("worker", input, null, ObjectValue.empty()));
      }
      return result;
    };
  }

  @Bean
  NodeFunction benchWork() {
    return (_, input, _) -> work(input);
  }

  @Bean
  NodeFunction benchNapWork() {
    return (_, input, _) -> {
      Thread.sleep(NAP);
      return work(input);
    };
  }

  @Bean
  NodeFunction benchBlinkWork() {
    return (_, input, _) -> {
      Thread.sleep(BLINK);
      return work(input);
    };
  }

  @Bean
  NodeFunction benchJoin() {
    return (state, _, _) -> FunctionResult.done().update("total", results(state));
  }

  @Bean
  NodeFunction benchAsk() {
    return (_, _, call) ->
        call.resume()
            .map(it -> FunctionResult.done().update("answer", it.answer()))
            .orElseGet(
                () -> FunctionResult.interrupt("approve", Map.of("question", Texts.text(200))));
  }

  private static FunctionResult step(int number, int chars) {
    return FunctionResult.done()
        .update("messages", Parts.message(number, chars))
        .update("counter", 1);
  }

  private static FunctionResult work(@Nullable ObjectValue input) {
    var item = input == null ? Value.NULL : input.getOr("item", Value.NULL);
    return FunctionResult.done().update("results", Parts.finding(item));
  }

  private static int results(GraphState state) {
    return state.get("results") instanceof ListValue list ? list.size() : 0;
  }
}
