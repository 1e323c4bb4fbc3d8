package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// E53: durable steps of functions in Java, on the engine in memory.
class StepsTests extends StepRuns {
  @Test
  void returnsWhatItsCallReturned() {
    var receipt = new Receipt("r-1", new BigDecimal("12.5"), LocalDate.of(2026, 5, 17), List.of());
    var run =
        start((_, steps) -> {
          var first = steps.run("charge", Receipt.class, () -> receipt);
          steps.run("log", () -> calls.add("log"));
          var value = steps.run("value", Value.class, () -> Value.of(7));
          var map = steps.run("map", Map.class, () -> Map.of("a", List.of(1)));
          return out(List.of(first.equals(receipt), value, map));
        });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("out"))
        .isEqualTo(
            ListValue.of(
                List.of(
                    Value.TRUE,
                    Value.of(7),
                    ObjectValue.of("a", ListValue.of(List.of(Value.of(1)))))));
    assertThat(calls).containsExactly("log");
  }

  /// One write each, and no read.
  @Test
  void costsOneWriteForEachStepOfAFirstAttempt() {
    var run =
        start((_, steps) -> {
          for (int i = 0; i < 5; i++) {
            var _ = steps.run("step", String.class, () -> called("a"));
          }
          return out(calls.size());
        });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(runs.store.stepWrites()).isEqualTo(5);
    assertThat(runs.store.stepReads()).isZero();
  }

  @Test
  void repeatsNoStepWhenItsProcessDied() {
    Code code =
        (_, steps) -> {
          var all = new CopyOnWriteArrayList<String>();
          for (int i = 0; i < 5; i++) {
            all.add(steps.run("step", String.class, () -> called("a")));
          }
          return out(all);
        };
    var run = start(code);
    die(run);
    assertThat(calls).hasSize(5);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).hasSize(5);
    assertThat(run.state("out")).isEqualTo(ListValue.texts("a 1", "a 2", "a 3", "a 4", "a 5"));
    assertThat(runs.store.stepReads()).as("pages of two").isEqualTo(3);
    assertThat(runs.store.stepWrites()).isEqualTo(5);
  }

  @Test
  void repeatsOnlyTheStepThatFailed() {
    var run =
        start(
            it -> it.attempts(3, Duration.ofMillis(1)),
            (_, steps) -> {
              var a = steps.run("a", String.class, () -> called("a"));
              var b =
                  steps.run(
                      "b",
                      String.class,
                      () -> {
                        var made = called("b");
                        if (calls.size() < 4) {
                          throw new IllegalStateException("not yet");
                        }
                        return made;
                      });
              return out(a + ", " + b);
            });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("a", "b", "b", "b");
    assertThat(run.state("out")).isEqualTo(Value.of("a 1, b 4"));
  }

  @Test
  void failsAsTheStepDidThatNobodyCaught() {
    var run =
        start((_, steps) -> {
          steps.run(
              "a",
              () -> {
                throw NodeException.permanent("card_refused", "no");
              });
          return out(1);
        });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("card_refused");
  }

  /// Whatever follows on a failure must find it again.
  @Test
  void keepsAFailureThatTheFunctionHasGoneOnFrom() {
    Code code =
        (_, steps) -> {
          String how;
          try {
            how =
                steps.run(
                    "charge",
                    String.class,
                    () -> {
                      var made = called("charge");
                      if (calls.size() == 1) {
                        throw NodeException.permanent("card_refused", "no");
                      }
                      return made;
                    });
          } catch (StepException e) {
            how = e.code();
            steps.run("refund", () -> called("refund"));
          }
          return out(how);
        };
    var run = start(code);
    die(run);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("charge", "refund");
    assertThat(run.state("out")).isEqualTo(Value.of("card_refused"));
  }

  @Test
  void keepsFailuresWhateverTheySay() {
    Code code =
        (_, steps) -> {
          for (var text : List.of("a\0b", "x".repeat(200_000))) {
            try {
              steps.run(
                  "a",
                  () -> {
                    called("a");
                    throw new IllegalStateException(text);
                  });
            } catch (StepException e) {
              assertThat(e.getMessage()).hasSizeBetween(10, 1_000).doesNotContain("\0");
            }
          }
          steps.run("b", () -> called("b"));
          return out(1);
        };
    var run = start(code);
    die(run);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("a", "a", "b");
  }

  /// The failure is on disk before anything is done about it.
  @Test
  void keepsAFailureBeforeTheNextStepBegins() {
    var run =
        start((_, steps) -> {
          try {
            steps.run(
                "a",
                () -> {
                  called("a");
                  throw new IllegalStateException("no");
                });
          } catch (StepException e) {
            calls.add(e.code());
          }
          steps.run(
              "b",
              () -> {
                calls.add("writes " + runs.store.stepWrites());
                throw new IllegalStateException("no, either");
              });
          return out(1);
        });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(calls).containsExactly("a", "node_failed", "writes 1");
    run.resume();
    assertThat(calls).containsExactly("a", "node_failed", "writes 1", "node_failed", "writes 1");
  }

  @Test
  void noticesThatAnotherStepStandsAtAPlace() {
    var run =
        start((_, steps) -> {
          steps.run("charge", () -> called("charge"));
          return out(1);
        });
    die(run);
    change(
        run,
        (_, steps) -> {
          try {
            steps.run("refund", () -> called("refund"));
          } catch (Exception e) {
            calls.add("caught");
          }
          return out(2);
        });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("step_mismatch");
    assertThat(run.head().error().orElseThrow().error().message()).contains("'charge'", "'refund'");
    assertThat(calls).containsExactly("charge", "caught");
    assertThat(run.state("out")).isEqualTo(Value.NULL);
  }

  @Test
  void noticesThatAStepIsOfAnotherKind() {
    var run =
        start((_, steps) -> {
          steps.run("pause", () -> called("pause"));
          return out(1);
        });
    die(run);
    change(
        run,
        (_, steps) -> {
          steps.sleep("pause", Duration.ZERO);
          return out(2);
        });

    run.drive();
    assertThat(run.errorCode()).isEqualTo("step_mismatch");
  }

  /// Of calls side by side some may have been in flight: their places are free, between others.
  @Test
  void takesNoFreePlaceForAStepOfAnotherName() {
    var failures = new AtomicInteger(1);
    var run =
        start((_, steps) ->
            out(
                steps.all(
                    "look",
                    List.of("x", "y", "z"),
                    String.class,
                    item -> {
                      if (item.equals("y") && failures.getAndDecrement() > 0) {
                        throw new IllegalStateException("no");
                      }
                      return item;
                    })));
    run.drive();
    change(
        run,
        (_, steps) -> {
          var _ = steps.all("look", List.of("x"), String.class, item -> item);
          steps.run("other", () -> called("other"));
          return out(1);
        });

    run.resume();
    assertThat(run.errorCode()).isEqualTo("step_mismatch");
    assertThat(calls).isEmpty();
  }

  @Test
  void noticesThatTheCodeEndsBeforeARecordedStep() {
    var run =
        start((_, steps) -> {
          steps.run("a", () -> called("a"));
          steps.run("b", () -> called("b"));
          return out(1);
        });
    die(run);
    change(
        run,
        (_, steps) -> {
          steps.run("a", () -> called("a"));
          return out(2);
        });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("step_mismatch");
    assertThat(run.head().error().orElseThrow().error().message()).contains("'b'");
  }

  @Test
  void makesACallOnceThatMayBeMadeOnce() {
    var run = start(once(new AtomicInteger()));
    die(run);
    assertThat(runs.store.stepWrites()).as("its beginning, and its end").isEqualTo(2);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("charge");
    assertThat(run.state("out")).isEqualTo(Value.of("charge 1"));
  }

  /// It was in flight, and nobody knows what became of it.
  @Test
  void doesNotRepeatACallInFlightThatMayBeMadeOnce() {
    var run = start(once(new AtomicInteger(1)));
    run.drive();

    assertThat(run.resume()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("unknown_outcome");
    assertThat(run.resume()).isEqualTo(RunStatus.FAILED);
    assertThat(calls).containsExactly("charge");
  }

  @Test
  void keepsTheFailureOfACallThatMayBeMadeOnce() {
    var run =
        start(
            it -> it.attempts(3, Duration.ofMillis(1)),
            (_, steps) -> {
              var _ =
                  steps.once(
                      "charge",
                      String.class,
                      () -> {
                        called("charge");
                        throw NodeException.retryable("busy", "later");
                      });
              return out(1);
            });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("busy");
    assertThat(run.resume()).isEqualTo(RunStatus.FAILED);
    assertThat(calls).containsExactly("charge");
  }
}
