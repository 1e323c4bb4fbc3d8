package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.refused;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.with;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.problem.ErrorCode;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// The wall time of a run (E15, E39).
@RunTest
class RunTimeoutTests {
  @Autowired private RunActions on;

  private static Limits timeout(Duration timeout) {
    return new Limits(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(timeout));
  }

  /// E39
  @Test
  void goesOnAfterItsTimeWasOverOnlyWithMoreTime() {
    var name = fresh("slow");
    var slow = new AtomicBoolean(true);
    on.graphs()
        .add(
            graph(name)
                .node(
                    "slow",
                    _ -> {
                      if (slow.get()) {
                        new CountDownLatch(1).await();
                      }
                      return log("slow");
                    })
                .node("next", says("next"))
                .edge("__start__", "slow")
                .edge("slow", "next"));
    var options =
        new StartRun.Options(timeout(Duration.ofSeconds(2)), Breakpoints.NONE, 0, Optional.empty());
    var run = on.runs().start(with(request(name), options)).run();

    var failed = on.await(run, RunStatus.FAILED).summary().standing().error().orElseThrow();

    assertThat(failed.error().code()).isEqualTo("run_timeout");
    var sameTime = refused(() -> on.runs().resume(RunActions.resume(run)));
    assertThat(sameTime.code()).isEqualTo(ErrorCode.RUN_NOT_RESUMABLE);
    slow.set(false);
    var longer = timeout(Duration.ofMinutes(5));
    on.runs().resume(new ResumeRun(run, List.of(), List.of(), Optional.empty(), longer));
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("slow", "next");
  }

  /// E35, E39: an answer is kept, but it is no higher limit.
  @Test
  void keepsAnAnswerUntilThereIsMoreTime() {
    var name = fresh("late");
    var slow = new AtomicBoolean(true);
    on.graphs()
        .add(
            graph(name)
                .node("ask", asks(InterruptRequest.of("well", Value.NULL)))
                .node(
                    "slow",
                    _ -> {
                      if (slow.get()) {
                        new CountDownLatch(1).await();
                      }
                      return log("slow");
                    })
                .edge("__start__", "ask")
                .edge("__start__", "slow"));
    var options =
        new StartRun.Options(timeout(Duration.ofSeconds(2)), Breakpoints.NONE, 0, Optional.empty());
    var run = on.runs().start(with(request(name), options)).run();
    var open = on.await(run, RunStatus.FAILED).interrupts().getFirst();

    on.runs().answer(open.id(), Value.of("yes"));

    assertThat(on.status(run)).isEqualTo(RunStatus.FAILED);
    assertThat(on.events(run)).doesNotContain("run.resumed");
    slow.set(false);
    var longer = timeout(Duration.ofMinutes(5));
    on.runs().resume(new ResumeRun(run, List.of(), List.of(), Optional.empty(), longer));
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("yes", "slow");
  }
}
