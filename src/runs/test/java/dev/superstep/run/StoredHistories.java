package dev.superstep.run;

import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.fails;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;

import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Limits;
import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// Runs of many kinds, as one database may hold them.
record StoredHistories(RunActions on, ThreadService threads) {
  /// A run of some supersteps.
  String chain(int nodes) {
    var name = RunActions.fresh("chain");
    var chain = graph(name);
    var before = "__start__";
    for (int i = 0; i < nodes; i++) {
      chain.node("n" + i, says("word " + i)).edge(before, "n" + i);
      before = "n" + i;
    }
    on.graphs().add(chain);
    var run = on.start(name);
    on.await(run, RunStatus.SUCCEEDED);
    return run;
  }

  /// A run that has asked, and was answered.
  String answered() {
    var run = asking();
    var question = on.queries().run(run).interrupts().getFirst();
    on.runs().answer(question.id(), Value.of("well"));
    on.await(run, RunStatus.SUCCEEDED);
    return run;
  }

  /// A run that asks.
  String asking() {
    var name = RunActions.fresh("asks");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("ask", asks(InterruptRequest.of("why", Value.of("Well?"))))
                .edge("__start__", "a")
                .edge("a", "ask"));
    var run = on.start(name);
    on.await(run, RunStatus.INTERRUPTED);
    return run;
  }

  /// A run whose failed task a person has declared done.
  String resolved() {
    var name = RunActions.fresh("fails");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", _ -> fails("as_told"))
                .node("c", says("c"))
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("b", "c"));
    var run = on.start(name);
    var failed = on.await(run, RunStatus.FAILED).failedTasks().getFirst().id();
    var done =
        new ResumeRun.Resolution(failed, Optional.of(Change.update("log", Value.of("by hand"))));
    on.runs().resume(new ResumeRun(run, List.of(), List.of(done), Optional.empty(), Limits.NONE));
    on.await(run, RunStatus.SUCCEEDED);
    return run;
  }

  /// A fork of a run.
  String forked(String run, int checkpoint) {
    var fork = on.runs().fork(TestFork.of(run, checkpoint).request());
    on.await(fork, RunStatus.SUCCEEDED);
    return fork;
  }
}
