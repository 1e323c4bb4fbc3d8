package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.StepJournal;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// What an attempt finds of the steps that others have recorded.
class LiveStepsTests {
  private final TestRuns runs = new TestRuns();

  /// Calls, in the order in which they were made.
  private final List<String> made = new CopyOnWriteArrayList<>();

  private TestRuns.TestRun start(int attempts, NodeRunner code) {
    return runs.start(program(attempts, code), ObjectValue.empty());
  }

  private static Program program(int attempts, NodeRunner code) {
    return new TestGraph()
        .node("f", it -> it.attempts(attempts, Duration.ofMillis(1)), code)
        .edge("__start__", "f")
        .program();
  }

  /// Makes a step that is not recorded.
  private Value step(NodeCall call, String name, StepKind kind) throws Exception {
    var steps = call.steps();
    var step = steps.begin(name, kind, 1).getFirst();
    if (step.end().isPresent()) {
      return value(step.end().get());
    }
    made.add(name);
    return value(steps.end(step, new StepEnd.StepResult(Value.of(made.size()))));
  }

  private static Value value(StepEnd end) {
    return switch (end) {
      case StepEnd.StepResult(var result) -> result;
      case StepEnd.StepFailure(var error) -> throw new TaskFailedException(error);
    };
  }

  private static Outcome done(NodeCall call, Value value) throws Exception {
    call.steps().finish();
    return new Outcome.Done(NodeResult.of(Change.update("out", value)));
  }

  private static Outcome fail(String code) {
    return new Outcome.Failed(TaskError.retryable(code, "of this attempt"));
  }

  /// E53
  @Test
  void makesNoRecordedStepAgainInARetry() {
    var run =
        start(
            3,
            call -> {
              var first = step(call, "first", StepKind.RUN);
              if (call.attempt() == 1) {
                return fail("later");
              }
              var _ = step(call, "second", StepKind.RUN);
              return done(call, first);
            });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(made).containsExactly("first", "second");
    assertThat(run.state("out")).isEqualTo(Value.of(1));
  }

  /// A failure that the code has caught is part of what it goes on from.
  @Test
  void findsTheFailureThatTheCodeHasGoneOnFrom() {
    var run =
        start(
            2,
            call -> {
              var steps = call.steps();
              var step = steps.begin("charge", StepKind.RUN, 1).getFirst();
              if (step.end().isEmpty()) {
                made.add("charge");
                var _ =
                    steps.end(
                        step,
                        new StepEnd.StepFailure(
                            TaskError.retryable("away", "no answer \uD83D\uDE00".repeat(20_000))));
              } else {
                made.add(step.end().get() instanceof StepEnd.StepFailure ? "failed" : "ended");
              }
              var other = step(call, "other", StepKind.RUN);
              return call.attempt() == 1 ? fail("later") : done(call, other);
            });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(made).containsExactly("charge", "other", "failed");
  }

  @Test
  void makesAStepOnceThatMayBeMadeOnce() {
    var run =
        start(
            3,
            call -> {
              var steps = call.steps();
              var step = steps.begin("pay", StepKind.ONCE, 1).getFirst();
              if (step.end().isPresent()) {
                return done(call, value(step.end().get()));
              }
              made.add("pay");
              return fail("in_flight");
            });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("unknown_outcome");
    assertThat(made).containsExactly("pay");
  }

  @Test
  void keepsTheFailureOfAStepThatMayBeMadeOnce() {
    var run =
        start(
            2,
            call -> {
              var step = call.steps().begin("pay", StepKind.ONCE, 1).getFirst();
              if (step.end().isPresent()) {
                return done(call, value(step.end().get()));
              }
              made.add("pay");
              var end =
                  call.steps()
                      .end(step, new StepEnd.StepFailure(TaskError.retryable("no_funds", "no")));
              assertThat(end).isInstanceOf(StepEnd.StepFailure.class);
              return fail("later");
            });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("no_funds");
    assertThat(made).containsExactly("pay");
  }

  @Test
  void noticesThatTheCodeHasChanged() {
    for (var other : List.of("refund", "none")) {
      var run =
          start(
              1,
              call -> {
                var _ = step(call, "charge", StepKind.RUN);
                return fail("later");
              });
      run.drive();
      run.program =
          program(
              1,
              call -> {
                if (other.equals("refund")) {
                  var _ = step(call, other, StepKind.RUN);
                }
                return done(call, Value.NULL);
              });

      assertThat(run.resume()).isEqualTo(RunStatus.FAILED);
      assertThat(run.errorCode()).as(other).isEqualTo("step_mismatch");
      assertThat(run.head().error().orElseThrow().error().message()).contains("'charge'");
    }
    assertThat(made).containsExactly("charge", "charge");
  }

  private Outcome asking(NodeCall call, String name) throws Exception {
    var _ = step(call, "quote", StepKind.RUN);
    var steps = call.steps();
    var question = steps.begin(name, StepKind.ASK, 1).getFirst();
    if (question.end().isEmpty()) {
      return steps.ask(question, InterruptRequest.of("ask", Value.NULL));
    }
    var answer = value(question.end().get());
    var _ = step(call, "ship", StepKind.RUN);
    return done(call, answer);
  }

  @Test
  void goesOnFromTheAnswerToAStep() {
    var run = start(1, call -> asking(call, "approve"));

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.answer(Value.TRUE)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("out")).isEqualTo(Value.TRUE);
    assertThat(made).containsExactly("quote", "ship");
  }

  @Test
  void givesAnAnswerToNoOtherStep() {
    var run = start(1, call -> asking(call, "approve"));
    run.drive();
    run.program = program(1, call -> asking(call, "confirm"));

    assertThat(run.answer(Value.TRUE)).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("step_mismatch");
  }

  @Test
  void bounds() {
    var many =
        start(
            1,
            call -> {
              var _ = call.steps().begin("all", StepKind.RUN, StepJournal.COUNT_MAX);
              var _ = call.steps().begin("more", StepKind.RUN, 1);
              return done(call, Value.NULL);
            });
    many.drive();
    assertThat(many.errorCode()).isEqualTo("too_many_steps");

    var large =
        start(
            1,
            call -> {
              var steps = call.steps();
              var step = steps.begin("large", StepKind.RUN, 1).getFirst();
              return done(
                  call,
                  value(steps.end(step, new StepEnd.StepResult(Value.of("x".repeat(5 << 20))))));
            });
    large.drive();
    assertThat(large.errorCode()).isEqualTo("result_too_large");
  }

  @Test
  void givesEachStepAKeyOfItsOwnThatStays() {
    var keys = new CopyOnWriteArrayList<String>();
    var run =
        start(
            2,
            call -> {
              for (var step : call.steps().begin("each", StepKind.RUN, 2)) {
                keys.add(call.steps().idempotencyKey(step));
              }
              return call.attempt() == 1 ? fail("later") : done(call, Value.NULL);
            });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(keys).hasSize(4);
    assertThat(keys.subList(0, 2)).doesNotHaveDuplicates().isEqualTo(keys.subList(2, 4));
  }

  /// The driver ends with it, so that nothing is made beside the new owner.
  @Test
  void recordsNothingForADriverThatHasLostItsRun() {
    var run =
        start(
            5,
            call -> {
              assertThat(runs.store.claim("run-0").lease().epoch()).isEqualTo(2);
              return done(call, step(call, "late", StepKind.RUN));
            });

    assertThatThrownBy(run::drive).hasMessageContaining("was taken over");
    assertThat(made).containsExactly("late");
  }

  @Test
  void hasNoneWhereACallHasNone() {
    var step = new StepJournal.JournaledStep(0, "a", StepKind.RUN, Optional.empty());
    assertThatThrownBy(() -> StepJournal.NONE.begin("a", StepKind.RUN, 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> StepJournal.NONE.idempotencyKey(step))
        .isInstanceOf(IllegalStateException.class);
  }
}
