package dev.superstep.engine.node;

import static dev.superstep.engine.TestNodes.ask;
import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.TestGraph;
import dev.superstep.engine.TestRuns;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.Limits;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Tasks that keep what they have done before they are done (E10.3).
class SideEffectsTests {
  private static final Value DONE = Value.of("done");
  private final List<String> effects = Collections.synchronizedList(new ArrayList<>());
  private final List<String> keys = Collections.synchronizedList(new ArrayList<>());

  /// Does every effect that is not known to be done.
  private void work(NodeCall call, String... names) throws InterruptedException {
    for (var name : names) {
      if (call.parts().find(name).isEmpty()) {
        effects.add(name);
        keys.add(call.parts().idempotencyKey(name));
        call.parts().record(name, DONE);
      }
    }
  }

  private static TestRuns.TestRun run(NodeRunner runner) {
    return TestRuns.of(new TestGraph().node("a", runner).edge("__start__", "a"));
  }

  /// E10.3, E47
  @Test
  void repeatsNoPartThatWasKeptBeforeACrash() {
    var crash = new CountDownLatch(1);
    var attempts = new ArrayList<Integer>();
    var run =
        run(call -> {
          attempts.add(call.attempt());
          work(call, "one", "two");
          if (attempts.size() == 1) {
            crash.await();
          }
          work(call, "three");
          return set("x", 1);
        });
    var store = run.runs().store;
    var driver = Thread.ofVirtual().start(() -> run.drive(store));
    await()
        .until(() ->
            store.recorded(run.header.id()).values().stream()
                .anyMatch(it -> it.parts().size() == 2));
    driver.interrupt();

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(effects).containsExactly("one", "two", "three");
    assertThat(attempts).containsExactly(1, 1);
    assertThat(run.kinds()).containsExactly(CheckpointKind.INPUT, CheckpointKind.FINAL);
  }

  /// E31: a failed attempt loses its update, not its parts.
  @Test
  void keepsThePartsOfAFailedAttempt() {
    var graph =
        new TestGraph()
            .node(
                "a",
                it -> it.attempts(3, Duration.ofMillis(1)),
                call -> {
                  work(call, "one", "effect of " + call.attempt());
                  return call.attempt() < 3
                      ? new Outcome.Failed(TaskError.retryable("x", "y"))
                      : done();
                })
            .edge("__start__", "a");

    assertThat(TestRuns.of(graph).drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(effects).containsExactly("one", "effect of 1", "effect of 2", "effect of 3");
  }

  /// E34, E36, E40: parts outlive a question, and so do their keys.
  @Test
  void keepsPartsAndTheirKeysOverAQuestion() {
    var run =
        run(call -> {
          work(call, "one");
          keys.add(call.parts().idempotencyKey("one"));
          return call.resume().isPresent() ? done() : ask("well?");
        });

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.answer(Value.of("yes"))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(effects).containsExactly("one");
    assertThat(keys).hasSize(3).containsOnly(keys.getFirst());
  }

  /// E15, E33: a run whose time is over holds what its tasks have kept.
  @Test
  void keepsPartsWhenTheTimeOfTheRunIsOver() {
    var graph =
        new TestGraph()
            .node(
                "a",
                call -> {
                  boolean first = call.parts().find("one").isEmpty();
                  work(call, "one");
                  if (first) {
                    new CountDownLatch(1).await();
                  }
                  return done();
                })
            .edge("__start__", "a")
            .limits(timeout(Duration.ofSeconds(1)));
    var run = TestRuns.of(graph);

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("run_timeout");
    assertThat(run.resume(timeout(Duration.ofMinutes(1)))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(effects).containsExactly("one");
  }

  @Test
  void keepsPartsThatComeAtTheSameTime() {
    var run =
        run(call -> {
          try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var ended = new ArrayList<Future<?>>();
            for (int i = 0; i < 50; i++) {
              var name = "part-" + i;
              ended.add(
                  threads.submit(() -> {
                    work(call, name);
                    return name;
                  }));
            }
            for (var it : ended) {
              it.get();
            }
          }
          return ask("well?");
        });

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.last().held().values())
        .first()
        .extracting(it -> it.parts().size())
        .isEqualTo(50);
  }

  @Test
  void refusesMorePartsThanAResultMayHaveBytes() {
    var run =
        run(call -> {
          call.parts().record("large", Value.of("x".repeat(20_000_000)));
          return done();
        });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("result_too_large");
  }

  /// A part that was kept does not show in what the task did once it is done.
  @Test
  void forgetsPartsWhenTheTaskIsDone() {
    var run =
        run(call -> {
          work(call, "one");
          return set("x", 1);
        });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    var last = run.runs().store.checkpoints(run.header.id()).getLast();
    assertThat(last.delta().tasks().getFirst().parts()).isEqualTo(ObjectValue.empty());
  }

  private static Limits timeout(Duration time) {
    return new Limits(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(time));
  }
}
