package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// Steps that sleep and ask, and what begins them anew.
class WaitingStepsTests extends StepRuns {
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
}
