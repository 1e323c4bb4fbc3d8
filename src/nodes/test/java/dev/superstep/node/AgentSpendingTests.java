package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.engine.TestGraph;
import dev.superstep.engine.TestRuns.TestRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.LiveEventSink;
import dev.superstep.engine.node.LiveText;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Span;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelPrices;
import dev.superstep.model.SpendingGate;
import dev.superstep.model.SpendingGate.CallBound;
import dev.superstep.state.Channels;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What calls of agents draw on budgets, and what those see who watch a run.
class AgentSpendingTests extends StepRuns {
  private static final AgentRequest REQUEST =
      new AgentRequest("gpt", "ask, and an image", 1, 14, OptionalLong.of(100));

  /// What happens, in its order.
  private final List<String> seen = new ArrayList<>();

  private final ModelPrices prices =
      new ModelPrices(BigDecimal.ONE, BigDecimal.TEN, BigDecimal.ONE, BigDecimal.ONE);
  private SpendingGate gate =
      (_, call) -> {
        seen.add("reserve " + bound(call.get()));
        return taken ->
            seen.add(
                "settle %d %d %s"
                    .formatted(taken.calls(), taken.tokens(), taken.money().toPlainString()));
      };

  private static String bound(CallBound bound) {
    return "%s %d %d %s"
        .formatted(
            bound.model(),
            bound.inputTokens(),
            bound.outputTokens().orElse(-1),
            bound.prices().isPresent());
  }

  public static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;

    Refusal(int status) {
      this.status = status;
    }

    @SuppressWarnings({"unused", "EffectivelyPrivate"}) // found by its name
    public int statusCode() {
      return status;
    }
  }

  private TestRun started(int attempts, Code code) {
    var node =
        new FunctionNodeType(
                new NodeFunctions(
                    Map.of("f", (_, _, call) -> code.run(call, call.steps())), Map.of(), Map.of()),
                TestCall.EXPRESSIONS,
                new ModelRates(
                    it -> it.equals("gpt") ? Optional.of(prices) : Optional.empty(),
                    (run, call) -> gate.reserve(run, call)))
            .create(
                TestCall.node("function", "{\"function\": \"f\"}"),
                new GraphOutline(Channels.of(List.of()), Set.of()));
    NodeRunner watched = call -> node.run(watched(call));
    return runs.start(
        new TestGraph()
            .node("f", it -> it.attempts(attempts, Duration.ofMillis(1)), watched)
            .edge("__start__", "f")
            .program(),
        ObjectValue.empty());
  }

  private NodeCall watched(NodeCall call) {
    return (NodeCall)
        Proxy.newProxyInstance(
            NodeCall.class.getClassLoader(),
            new Class<?>[] {NodeCall.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "span" -> new SeenSpan("attempt");
                  case "watchers" -> new SeenTexts();
                  default -> method.invoke(call, arguments);
                });
  }

  private final class SeenSpan implements Span {
    private final String name;

    SeenSpan(String name) {
      this.name = name;
    }

    @Override
    public Optional<String> traceparent() {
      return Optional.empty();
    }

    @Override
    public Span begin(String child, Kind kind) {
      return new SeenSpan(child);
    }

    @Override
    public void setAttribute(String key, long value) {
      seen.add("%s: %s %d".formatted(name, key, value));
    }

    @Override
    public void fail(String code) {
      seen.add("%s failed: %s".formatted(name, code));
    }

    @Override
    public void end() {
      seen.add(name + " ended");
    }
  }

  private final class SeenTexts implements LiveEventSink {
    @Override
    public boolean hasSubscribers() {
      return true;
    }

    @Override
    public void publish(String type, ObjectValue data) {
      seen.add(type);
    }

    @Override
    public LiveText begin(Optional<String> messageId) {
      return new LiveText() {
        @Override
        public void append(String piece) {
          seen.add("piece " + piece);
        }

        @Override
        public void close() {
          seen.add("text closed");
        }
      };
    }
  }

  private static AgentCall begin() {
    return AgentScope.current().orElseThrow().begin(REQUEST);
  }

  private FunctionResult answered() throws Exception {
    var call = begin();
    return out(
        call.made(() -> {
          seen.add("made");
          call.piece("an");
          call.piece("swer");
          call.spent("gpt-2026-01-01", new Usage(3, 4));
          return Value.of("answer");
        }));
  }

  @Test
  void reservesBeforeTheCallAndSettlesAfterIt() {
    var run = started(1, (_, _) -> answered());

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(seen)
        .as("1,024 around it, two for each byte, an image")
        .containsExactly(
            "reserve gpt 66566 100 true",
            "made",
            "piece an",
            "piece swer",
            "chat gpt: gen_ai.usage.input_tokens 3",
            "chat gpt: gen_ai.usage.output_tokens 4",
            "settle 1 7 0.000043",
            "chat gpt ended",
            "text closed");
    var spent = TaskRecord.spending(run.last().pending().spent(), run.last().held().values());
    assertThat(spent.total().calls()).isOne();
    assertThat(spent.total().totalTokens()).isEqualTo(7);
    assertThat(spent.total().cost().amount()).isEqualByComparingTo("0.000043");
  }

  @Test
  void drawsNothingForACallThatIsRecorded() {
    var run =
        started(
            2,
            (call, _) -> {
              var result = answered();
              if (call.attempt() == 1) {
                throw NodeException.retryable("later", "of the first attempt");
              }
              return result;
            });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(seen).filteredOn(it -> it.startsWith("reserve")).hasSize(1);
    assertThat(seen).filteredOn(it -> it.startsWith("settle")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "429, true",
    "401, true",
    "503, true",
    "408, false",
    "502, false",
    "200, false",
    "0, true"
  })
  void givesBackWhatARefusedCallHasReserved(int status, boolean given) {
    var run =
        started(
            1,
            (_, _) ->
                out(
                    begin()
                        .made(() -> {
                          throw status == 0
                              ? new IllegalStateException(new ConnectException("nobody there"))
                              : new IllegalStateException(new Refusal(status));
                        })));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(seen).contains("chat gpt failed: node_failed", "chat gpt ended");
    assertThat(seen.contains("settle 1 0 0")).isEqualTo(given);
  }

  @Test
  void keepsReservedWhatNobodyKnows() {
    var run = started(1, (_, _) -> out(begin().made(() -> Value.of("an answer without tokens"))));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(seen).noneMatch(it -> it.startsWith("settle"));
  }

  @Test
  void failsTheRunWhoseBudgetIsUsedUp() {
    gate =
        (_, _) -> {
          throw TaskFailedException.permanent("budget_exhausted", "nothing left");
        };
    var run =
        started(
            3,
            (_, _) -> {
              try {
                return answered();
              } catch (TaskFailedException e) {
                return out("the agent goes on without an answer");
              }
            });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("budget_exhausted");
    assertThat(seen).doesNotContain("made");
  }

  @Test
  void showsCallsOfTools() {
    var run =
        started(
            1,
            (_, _) ->
                out(
                    AgentScope.current()
                        .orElseThrow()
                        .begin("order", "{}")
                        .made(() -> Value.of("ordered"))));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(seen).containsExactly("execute_tool order ended");
  }
}
