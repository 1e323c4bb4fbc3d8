package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.with;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.task.InterruptRequest;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

/// The commit path's `durability`, from start to end.
@RunTest
class RunDurabilityTests {
  @Autowired private RunActions on;

  private String graphOfFour() {
    var name = fresh("durable");
    on.graphs()
        .add(
            graph(name)
                .node("first", says("first"))
                .node("second", says("second"))
                .node("ask", asks(InterruptRequest.of("ask", Value.NULL)))
                .node("last", says("last"))
                .edge("__start__", "first")
                .edge("first", "second")
                .edge("second", "ask")
                .edge("ask", "last"));
    return name;
  }

  private String start(String durability) {
    var options =
        new StartRun.Options(Limits.NONE, Breakpoints.NONE, 0, durability, Optional.empty());
    return on.runs().start(with(request(graphOfFour()), options)).run();
  }

  private List<String> checkpoints(String run) {
    return on
        .jdbc()
        .sql("select kind from checkpoint where run = ? order by number")
        .param(run)
        .query(String.class)
        .list()
        .stream()
        .map(String::valueOf)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sync", "async", "exit"})
  void tellsTheSameStoryHoweverDurableARunIs(String durability) {
    var run = start(durability);
    var asked = on.await(run, RunStatus.INTERRUPTED);
    assertThat(asked.summary().standing().superstep()).isEqualTo(2);

    on.runs().answer(asked.interrupts().getFirst().id(), Value.TRUE);

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).startsWith("first", "second").endsWith("last");
    assertThat(on.events(run)).filteredOn(it -> it.equals("superstep.committed")).hasSize(4);
    assertThat(on.events(run)).endsWith("run.succeeded");
  }

  /// `exit`: input, holds and final only. What a hold brings with it is one superstep's row, and
  /// the superstep that it held is one of the database's, since it closes a question.
  @Test
  void writesOnlyHoldsAndTheEndOfAnExitRun() {
    var run = start("exit");
    var asked = on.await(run, RunStatus.INTERRUPTED);
    assertThat(checkpoints(run)).containsExactly("input", "step", "held");

    on.runs().answer(asked.interrupts().getFirst().id(), Value.TRUE);

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(checkpoints(run)).containsExactly("input", "step", "held", "step", "final");
  }
}
