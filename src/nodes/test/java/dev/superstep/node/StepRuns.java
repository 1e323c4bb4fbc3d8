package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.engine.TestGraph;
import dev.superstep.engine.TestRuns;
import dev.superstep.engine.TestRuns.TestRun;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.state.Channels;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Runs of a function that has steps.
abstract class StepRuns {
  static final Duration HOUR = Duration.ofHours(1);

  final TestRuns runs = new TestRuns();

  /// Effects, in the order in which they began.
  final List<String> calls = new CopyOnWriteArrayList<>();

  record Receipt(String id, BigDecimal amount, LocalDate day, List<String> items) {}

  @FunctionalInterface
  interface Code {
    FunctionResult run(FunctionCall call, Steps steps) throws Exception;
  }

  static NodeRunner node(Code code, String config) {
    NodeFunction function = (_, _, call) -> code.run(call, call.steps());
    return new FunctionNodeType(
            new NodeFunctions(Map.of("f", function), Map.of(), Map.of()),
            TestCall.EXPRESSIONS,
            ModelRates.NONE)
        .create(
            TestCall.node("function", config), new GraphOutline(Channels.of(List.of()), Set.of()));
  }

  static TestGraph graph(UnaryOperator<TestGraph.Policies> policy, Code code) {
    return new TestGraph()
        .node("f", policy, node(code, "{\"function\": \"f\"}"))
        .edge("__start__", "f");
  }

  TestRun start(Code code) {
    return start(it -> it, code);
  }

  TestRun start(UnaryOperator<TestGraph.Policies> policy, Code code) {
    return runs.start(graph(policy, code).program(), ObjectValue.empty());
  }

  TestRun change(TestRun run, Code code) {
    run.program = graph(it -> it, code).program();
    return run;
  }

  String called(String name) {
    calls.add(name);
    return name + " " + calls.size();
  }

  static FunctionResult out(@Nullable Object value) {
    return FunctionResult.done().update("out", value);
  }

  /// Dies before it commits anything, but for steps.
  record DyingStore(CheckpointStore store) implements CheckpointStore {
    private static final class Death extends RuntimeException {
      private static final long serialVersionUID = 1L;
    }

    @Override
    public CommitResult commit(Lease lease, List<Commit> commits) {
      throw new Death();
    }

    @Override
    public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
      throw new Death();
    }

    @Override
    public boolean mayRepeat(Lease lease) {
      return store.mayRepeat(lease);
    }

    @Override
    public StepPage steps(Lease lease, String task, int from) {
      return store.steps(lease, task, from);
    }

    @Override
    public boolean record(Lease lease, StepWrite steps) {
      return store.record(lease, steps);
    }

    @Override
    public RunSignals signals(Lease lease) {
      return store.signals(lease);
    }

    @Override
    public RunSignals expire(Lease lease, List<String> interrupts) {
      return store.expire(lease, interrupts);
    }
  }

  void die(TestRun run) {
    assertThatThrownBy(() -> run.drive(new DyingStore(runs.store)))
        .isInstanceOf(DyingStore.Death.class);
  }

  Code once(AtomicInteger deaths) {
    return (_, steps) -> {
      var made =
          steps.once(
              "charge",
              String.class,
              () -> {
                var result = called("charge");
                if (deaths.getAndDecrement() > 0) {
                  throw new StackOverflowError("as if it died");
                }
                return result;
              });
      return out(made);
    };
  }

  TestRun asking() {
    return start((call, steps) -> {
      steps.run("quote", () -> called("quote"));
      var first = steps.ask("first", Boolean.class, FunctionResult.interrupt("ok", Map.of("n", 1)));
      assertThat(call.resume()).as("it is the step's").isEmpty();
      steps.run("between", () -> called("between"));
      Value second;
      try {
        second = steps.ask("second", Value.class, FunctionResult.interrupt("sure", null));
      } catch (Exception e) {
        throw new AssertionError("a question is no exception", e);
      }
      steps.run("ship", () -> called("ship"));
      return out(List.of(String.valueOf(first), second == null ? "none" : second));
    });
  }

  @SuppressWarnings("NullAway") // what code of users may do
  static String nothing() {
    return null;
  }

  static void awaitUninterruptibly(CountDownLatch latch) {
    while (true) {
      try {
        latch.await();
        return;
      } catch (InterruptedException _) {
        // as code does that does not answer
      }
    }
  }

  TestRun approving() {
    return start((_, steps) -> {
      steps.run("quote", () -> called("quote"));
      var answer = steps.ask("approve", Boolean.class, FunctionResult.interrupt("ok", null));
      calls.add(String.valueOf(answer));
      steps.run(
          "pay",
          () -> {
            throw NodeException.permanent("no_funds", "no");
          });
      return out(1);
    });
  }
}
