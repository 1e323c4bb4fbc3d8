package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.Value;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

/// Runs that an earlier release has begun with another `durability` than `sync`.
@RunTest
class FormerDurabilityTests {
  @Autowired private RunActions on;

  private String graphOfFive() {
    var name = fresh("durable");
    on.graphs()
        .add(
            graph(name)
                .node("first", says("first"))
                .node("ask", asks(InterruptRequest.of("ask", Value.NULL)))
                .node("second", says("second"))
                .node("third", says("third"))
                .node("last", says("last"))
                .edge("__start__", "first")
                .edge("first", "ask")
                .edge("ask", "second")
                .edge("second", "third")
                .edge("third", "last"));
    return name;
  }

  private List<String> checkpoints(String run) {
    return on.jdbc()
        .sql("select kind from checkpoint where run = ? order by number")
        .param(run)
        .query((row, _) -> row.getString(1))
        .list();
  }

  @ParameterizedTest
  @ValueSource(strings = {"async", "exit"})
  void goOnWithACheckpointOfEachSuperstep(String stored) {
    var run = on.start(graphOfFive());
    var asked = on.await(run, RunStatus.INTERRUPTED);
    on.jdbc().sql("update run set durability = ? where id = ?").params(stored, run).update();

    on.runs().answer(asked.interrupts().getFirst().id(), Value.TRUE);

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).startsWith("first").endsWith("second", "third", "last");
    assertThat(checkpoints(run))
        .containsExactly("input", "step", "held", "step", "step", "step", "final");
    assertThat(on.events(run)).filteredOn(it -> it.equals("superstep.committed")).hasSize(5);
  }
}
