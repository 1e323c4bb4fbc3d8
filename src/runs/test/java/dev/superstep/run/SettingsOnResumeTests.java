package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.refused;
import static dev.superstep.run.RunActions.resume;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Limits;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.ResumeRun.ResumeAnswer;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// What a call sets for the steps to come of a run that goes on, and of a fork (E38).
@RunTest
class SettingsOnResumeTests {
  @Autowired private RunActions on;

  private static SettingsChange before(String... nodes) {
    return new SettingsChange(Optional.of(Set.of(nodes)), Optional.empty());
  }

  private static SettingsChange after(String... nodes) {
    return new SettingsChange(Optional.empty(), Optional.of(Set.of(nodes)));
  }

  /// Asks, then drafts, then sends.
  private String sending() {
    var name = fresh("sending");
    on.graphs()
        .add(
            graph(name)
                .node("ask", asks(InterruptRequest.of("why", Value.of("Well?"))))
                .node("draft", says("draft"))
                .node("send", says("send"))
                .edge("__start__", "ask")
                .edge("ask", "draft")
                .edge("draft", "send"));
    return name;
  }

  private static ResumeRun answer(String run) {
    var yes = new ResumeAnswer(Optional.empty(), Value.of("yes"));
    return new ResumeRun(run, List.of(yes), List.of(), Optional.empty(), Limits.NONE);
  }

  private void assertStands(String run, String when, String... nodes) {
    var view = on.await(run, RunStatus.INTERRUPTED);
    assertThat(view.summary().standing().breakpoint().orElseThrow().when()).isEqualTo(when);
    assertThat(view.summary().standing().breakpoint().orElseThrow().nodes()).containsExactly(nodes);
  }

  @Test
  void stopsBeforeANodeThatTheAnswerNames() {
    var run = on.start(sending());
    on.await(run, RunStatus.INTERRUPTED);

    on.runs().resume(answer(run).with(before("send")));

    assertStands(run, "before", "send");
    assertThat(on.log(run)).containsExactly("yes", "draft");
    on.runs().resume(resume(run));
    on.await(run, RunStatus.SUCCEEDED);
  }

  @Test
  void stopsAfterANodeAndAtEachOneOfTheRest() {
    var run = on.start(sending());
    on.await(run, RunStatus.INTERRUPTED);

    on.runs().resume(answer(run).with(after("draft")));
    assertStands(run, "after", "draft");
    on.runs().resume(resume(run).with(before("*")));

    assertStands(run, "before", "send");
    assertThat(on.log(run)).containsExactly("yes", "draft");
  }

  /// The answered node has begun: it is not stopped before once more.
  @Test
  void doesNotStopBeforeWhatHasBegun() {
    var run = on.start(sending());
    on.await(run, RunStatus.INTERRUPTED);

    on.runs().resume(answer(run).with(before("*")));

    assertStands(run, "before", "draft");
  }

  @Test
  void keepsBreakpointsThatAreNotGivenAndLiftsThemWithNone() {
    var run = on.start(sending());
    on.await(run, RunStatus.INTERRUPTED);
    on.runs().resume(answer(run).with(before("draft", "send")));
    assertStands(run, "before", "draft");

    on.runs().resume(resume(run).with(after("draft")));
    assertStands(run, "after", "draft");
    on.runs().resume(resume(run).with(before()));

    on.await(run, RunStatus.SUCCEEDED);
  }

  @Test
  void givesAForkBreakpointsOfItsOwn() {
    var run = on.start(sending());
    on.await(run, RunStatus.INTERRUPTED);
    on.runs().resume(answer(run));
    on.await(run, RunStatus.SUCCEEDED);

    var request = TestFork.of(run, 2).request();
    var fork =
        on.runs()
            .fork(
                new ForkRun(
                    request.run(),
                    request.checkpoint(),
                    request.version(),
                    request.change(),
                    request.asNode(),
                    request.limits(),
                    request.context(),
                    request.thread(),
                    request.ifBusy(),
                    before("send")));

    assertStands(fork, "before", "send");
  }

  @Test
  void refusesNodesThatTheGraphDoesNotHave() {
    var run = on.start(sending());
    on.await(run, RunStatus.INTERRUPTED);

    var error = refused(() -> on.runs().resume(answer(run).with(before("sned"))));

    assertThat(error.code()).isEqualTo(ErrorCode.INVALID_VALUE);
    assertThat(error.errors().getFirst().pointer()).isEqualTo("/interrupt_before");
    assertThat(on.queries().run(run).interrupts()).hasSize(1);
  }
}
