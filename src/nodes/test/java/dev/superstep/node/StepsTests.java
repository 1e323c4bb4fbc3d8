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
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.Change;
import dev.superstep.state.Channels;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// E53: durable steps of functions in Java, on the engine in memory.
class StepsTests {
  private static final Duration HOUR = Duration.ofHours(1);

  private final TestRuns runs = new TestRuns();

  /// Effects, in the order in which they began.
  private final List<String> calls = new CopyOnWriteArrayList<>();

  record Receipt(String id, BigDecimal amount, LocalDate day, List<String> items) {}

  @FunctionalInterface
  private interface Code {
    FunctionResult run(FunctionCall call, Steps steps) throws Exception;
  }

  private static NodeRunner node(Code code, String config) {
    NodeFunction function = (_, _, call) -> code.run(call, call.steps());
    return new FunctionNodeType(
            new NodeFunctions(Map.of("f", function), Map.of(), Map.of()), TestCall.EXPRESSIONS)
        .create(
            TestCall.node("function", config), new GraphOutline(Channels.of(List.of()), Set.of()));
  }

  private static TestGraph graph(UnaryOperator<TestGraph.Policies> policy, Code code) {
    return new TestGraph()
        .node("f", policy, node(code, "{\"function\": \"f\"}"))
        .edge("__start__", "f");
  }

  private TestRun start(Code code) {
    return start(it -> it, code);
  }

  private TestRun start(UnaryOperator<TestGraph.Policies> policy, Code code) {
    return runs.start(graph(policy, code).program(), ObjectValue.empty());
  }

  private TestRun change(TestRun run, Code code) {
    run.program = graph(it -> it, code).program();
    return run;
  }

  private String called(String name) {
    calls.add(name);
    return name + " " + calls.size();
  }

  private static FunctionResult out(@Nullable Object value) {
    return FunctionResult.done().update("out", value);
  }

  /// Dies before it commits anything, but for steps.
  private record DyingStore(CheckpointStore store) implements CheckpointStore {
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

  private void die(TestRun run) {
    assertThatThrownBy(() -> run.drive(new DyingStore(runs.store)))
        .isInstanceOf(DyingStore.Death.class);
  }

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

  private Code once(AtomicInteger deaths) {
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

  @Test
  void sleepsWithoutAThread() {
    var until = new CopyOnWriteArrayList<Instant>();
    var run =
        start((_, steps) -> {
          steps.run("a", () -> called("a"));
          if (until.isEmpty()) {
            until.add(runs.clock.instant().plus(HOUR));
          }
          try {
            steps.sleep("pause", HOUR);
          } catch (Exception e) {
            calls.add("caught");
          }
          steps.run("b", () -> called("b"));
          return out(1);
        });

    assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
    assertThat(run.head().wakesAt().orElseThrow())
        .isBetween(until.getFirst(), until.getFirst().plusSeconds(30));
    assertThat(calls).containsExactly("a");
    runs.pass(Duration.ofMinutes(30));
    assertThat(run.drive()).as("woken too early").isEqualTo(RunStatus.WAITING);
    runs.pass(Duration.ofMinutes(31));
    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("a", "b");
  }

  /// It sleeps from when the step began, whoever drives the run then.
  @Test
  void doesNotSleepAgainWhenItsProcessDied() {
    var run =
        start((_, steps) -> {
          steps.sleep("pause", HOUR);
          return out(1);
        });
    die(run);
    runs.pass(HOUR.plusMinutes(1));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(runs.store.stepWrites()).isEqualTo(1);
  }

  private TestRun asking() {
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

  @Test
  void asksInItsMidst() {
    var run = asking();

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(calls).containsExactly("quote");
    assertThat(run.answer(Value.TRUE)).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(calls).containsExactly("quote", "between");
    assertThat(run.answer(Value.of("yes"))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("quote", "between", "ship");
    assertThat(run.state("out")).isEqualTo(ListValue.texts("true", "yes"));
  }

  @Test
  void losesNoAnswerWhenItsProcessDies() {
    var run = asking();
    run.drive();
    var first = run.openInterrupts().getFirst();
    assertThat(runs.store.answer(run.header.id(), first, Value.TRUE)).isTrue();
    die(run);
    assertThat(calls).containsExactly("quote", "between");

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.answer(Value.NULL)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("quote", "between", "ship");
  }

  @Test
  void asksAgainWhenAQuestionHasExpired() {
    var run =
        start((_, steps) -> {
          steps.run("quote", () -> called("quote"));
          var answer =
              steps.ask(
                  "ok", String.class, FunctionResult.interrupt("ok", null).expiresAfter(HOUR));
          return out(answer);
        });
    run.drive();
    runs.pass(HOUR.plusMinutes(1));
    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("interrupt_expired");

    assertThat(run.resume()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.answer(Value.of("yes"))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("quote");
    assertThat(run.state("out")).isEqualTo(Value.of("yes"));
  }

  /// E40: what was done for another state, or before an answer to the result, is of another
  /// generation.
  @Test
  void beginsItsStepsAnewInAnotherGeneration() {
    var run =
        start((call, steps) -> {
          steps.run("a", () -> called("a"));
          return call.resume().isPresent()
              ? out(call.resume().orElseThrow().answer())
              : FunctionResult.interrupt("ok", null);
        });
    run.drive();
    run.edit(Change.update("other", Value.of(1)));
    run.drive();
    assertThat(calls).as("the question stays").hasSize(1);

    assertThat(run.answer(Value.of("yes"))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("a", "a");
  }

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

  @SuppressWarnings("NullAway") // what code of users may do
  private static String nothing() {
    return null;
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
            it -> it.timeout(Duration.ofMillis(50)).attempts(2, Duration.ofMillis(1)),
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

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (true) {
      try {
        latch.await();
        return;
      } catch (InterruptedException _) {
        // as code does that does not answer
      }
    }
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

  private TestRun approving() {
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

  /// What a person said of another state is no answer.
  @Test
  void asksAnewAboutAnEditedState() {
    var run = approving();
    run.drive();
    assertThat(run.answer(Value.TRUE)).isEqualTo(RunStatus.FAILED);
    assertThat(calls).containsExactly("quote", "true");
    run.edit(Change.update("amount", Value.of(60_000)));

    assertThat(run.resume()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(calls).containsExactly("quote", "true", "quote");
    run.answer(Value.FALSE);
    assertThat(calls).containsExactly("quote", "true", "quote", "false");
  }

  @Test
  void asksAgainForAnAnswerThatItCannotRead() {
    var run = approving();
    run.drive();

    assertThat(run.answer(Value.of("maybe"))).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.openInterrupts()).hasSize(1);
    assertThat(run.answer(Value.TRUE)).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("no_funds");
    assertThat(calls).containsExactly("quote", "true");
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
