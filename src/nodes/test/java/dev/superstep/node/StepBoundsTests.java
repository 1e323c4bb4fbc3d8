package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.TestGraph;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Steps side by side, what bounds them, and who may record them.
class StepBoundsTests extends StepRuns {
  @Test
  void makesCallsSideBySide() {
    var both = new CountDownLatch(2);
    var run =
        start((_, steps) ->
            out(
                steps.all(
                    "look",
                    List.of("x", "y"),
                    String.class,
                    item -> {
                      both.countDown();
                      both.await();
                      return item + item;
                    })));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("out")).isEqualTo(ListValue.texts("xx", "yy"));
  }

  @Test
  void repeatsOnlyThoseSideBySideThatFailed() {
    var failures = new AtomicInteger(1);
    var run =
        start(
            it -> it.attempts(2, Duration.ofMillis(1)),
            (_, steps) -> {
              var all =
                  steps.all(
                      "look",
                      List.of("x", "y", "z"),
                      String.class,
                      item -> {
                        calls.add(item);
                        if (item.equals("y") && failures.getAndDecrement() > 0) {
                          throw new IllegalStateException("no");
                        }
                        return item + item;
                      });
              steps.run("end", () -> called("end"));
              return out(all);
            });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactlyInAnyOrder("x", "y", "z", "y", "end");
    assertThat(run.state("out")).isEqualTo(ListValue.texts("xx", "yy", "zz"));
  }

  @Test
  void noticesThatAListHasChanged() {
    Code code =
        (_, steps) -> {
          var _ = steps.all("look", List.of(1, 2), Integer.class, it -> it);
          steps.run("end", () -> called("end"));
          return out(1);
        };
    var run = start(code);
    die(run);
    change(
        run,
        (_, steps) -> {
          var _ = steps.all("look", List.of(1, 2, 3), Integer.class, it -> it);
          return out(2);
        });

    run.drive();
    assertThat(run.errorCode()).isEqualTo("step_mismatch");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"within", "thread", "name", "null", "data", "value", "years", "key", "question"})
  void refusesWhatIsNoStep(String what) {
    var run =
        start((_, steps) -> {
          switch (what) {
            case "within" -> steps.run("a", () -> steps.run("b", () -> called("b")));
            case "thread" ->
                steps.all(
                    "a",
                    List.of(1),
                    Integer.class,
                    it -> {
                      steps.run("b", () -> called("b"));
                      return it;
                    });
            case "name" -> steps.run("a b", () -> called("a"));
            case "null" -> steps.run("a", String.class, StepsTests::nothing);
            case "data" -> steps.run("a", Object.class, () -> Map.of("a", Double.NaN));
            case "years" -> steps.sleep("a", Duration.ofDays(367));
            case "key" -> calls.add(steps.idempotencyKey());
            case "value" -> steps.run("a", Value.class, () -> Value.of("\0"));
            default -> steps.ask("a", String.class, FunctionResult.done());
          }
          return out(1);
        });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(calls).isEmpty();
    assertThat(runs.store.stepWrites()).isZero();
  }

  @Test
  void boundsResultsAndSteps() {
    var large =
        start((_, steps) -> {
          var _ =
              steps.run(
                  "a",
                  String.class,
                  () -> {
                    called("large");
                    return "x".repeat(5 << 20);
                  });
          return out(1);
        });
    large.drive();
    large.resume();
    assertThat(large.errorCode()).isEqualTo("result_too_large");

    var total =
        start((_, steps) -> {
          for (int i = 0; i < 17; i++) {
            var _ = steps.run("a", String.class, () -> "x".repeat((4 << 20) - 10));
          }
          return out(1);
        });
    total.drive();
    assertThat(total.errorCode()).isEqualTo("result_too_large");

    var many =
        start((_, steps) -> {
          for (int i = 0; i < 1_001; i++) {
            steps.run("a", () -> called("a"));
          }
          return out(1);
        });
    many.drive();
    assertThat(many.errorCode()).isEqualTo("too_many_steps");
    assertThat(calls).hasSize(1_001).containsOnlyOnce("large");
  }

  @Test
  void leavesAPureFunctionWithoutSteps() {
    var pure =
        node(
            (_, steps) -> {
              steps.run("a", () -> called("a"));
              return out(1);
            },
            "{\"function\": \"f\", \"pure\": true}");
    var run =
        runs.start(
            new TestGraph().node("f", pure).edge("__start__", "f").program(), ObjectValue.empty());

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(calls).isEmpty();
  }

  /// An attempt that timed out may go on for a while: what it records is not made again, and it
  /// records nothing over what the next one has.
  @Test
  void takesWhatAnAttemptHasRecordedThatWasGivenUp() throws Exception {
    var timedOut = new CountDownLatch(1);
    var attempts = new AtomicInteger();
    var run =
        start(
            it -> it.timeout(Duration.ofMillis(500)).attempts(2, Duration.ofMillis(1)),
            (_, steps) -> {
              int attempt = attempts.incrementAndGet();
              var made =
                  steps.run(
                      "a",
                      String.class,
                      () -> {
                        called("a");
                        if (attempt == 1) {
                          awaitUninterruptibly(timedOut);
                        } else {
                          timedOut.countDown();
                        }
                        return "of " + attempt;
                      });
              return out(made);
            });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("out")).isEqualTo(Value.of("of 2"));
  }

  /// A driver that has lost its run records nothing, and makes no call again.
  @Test
  void isFencedByTheLeaseOfTheRun() {
    var run =
        start(
            it -> it.attempts(5, Duration.ofMillis(1)),
            (_, steps) -> {
              steps.run("a", () -> called("a"));
              if (calls.size() == 1) {
                assertThat(runs.store.claim("run-0").lease().epoch()).isEqualTo(2);
              }
              try {
                steps.run("b", () -> called("b"));
              } catch (RuntimeException e) {
                calls.add(e.getClass().getSimpleName());
              }
              steps.run("c", () -> called("c"));
              return out(1);
            });

    assertThatThrownBy(run::drive).hasMessageContaining("was taken over");
    Awaitility.await()
        .untilAsserted(() -> assertThat(calls).containsExactly("a", "b", "LeaseLostException"));
  }

  @Test
  void hasAKeyForEachStepThatStays() {
    var keys = new CopyOnWriteArrayList<String>();
    Code code =
        (_, steps) -> {
          steps.run(
              "failing",
              () -> {
                keys.add(steps.idempotencyKey());
                if (keys.size() == 1) {
                  throw new IllegalStateException("no");
                }
              });
          var items = List.of(1, 2);
          keys.addAll(steps.all("all", items, String.class, _ -> steps.idempotencyKey()));
          var _ = steps.ask("ok", Value.class, FunctionResult.interrupt("ok", null));
          steps.run(
              "behind",
              () -> {
                keys.add(steps.idempotencyKey());
                throw new IllegalStateException("no");
              });
          return out(1);
        };
    var run = start(code);
    run.drive();
    run.resume();
    assertThat(keys).hasSize(4);
    assertThat(keys.get(0)).as("it is made again").isEqualTo(keys.get(1));
    assertThat(keys.subList(1, 4)).doesNotHaveDuplicates();
    run.answer(Value.TRUE);
    run.resume();
    assertThat(keys.getLast()).as("after an answer").isEqualTo(keys.get(keys.size() - 4));
    assertThat(new HashSet<>(keys)).hasSize(4);
  }

  /// The client of a body may be interrupted by itself: that is a failure as others are.
  @Test
  void keepsThatABodyWasInterruptedByItself() {
    Code code =
        (_, steps) -> {
          try {
            steps.run(
                "charge",
                () -> {
                  called("charge");
                  throw new InterruptedException("by its own pool");
                });
          } catch (Exception e) {
            steps.run("fallback", () -> called("fallback"));
          }
          return out(1);
        };
    var run = start(code);
    die(run);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("charge", "fallback");
  }

  /// Its place is used up, and nothing could be recorded there.
  @Test
  void failsWithAnErrorOfABodyWhateverBecomesOfIt() {
    var run =
        start((_, steps) -> {
          try {
            steps.run(
                "charge",
                () -> {
                  throw new AssertionError("no");
                });
          } catch (AssertionError _) {
            calls.add("caught");
          }
          return out(1);
        });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(calls).containsExactly("caught");
  }

  /// What is known of the steps is whole when the task is done.
  @Test
  void recordsTheLastFailure() {
    var run =
        start((_, steps) -> {
          try {
            steps.run(
                "a",
                () -> {
                  throw new IllegalStateException("no");
                });
          } catch (StepException e) {
            called(e.code());
          }
          return out(1);
        });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(runs.store.stepWrites()).isEqualTo(1);
  }
}
