package dev.superstep.langgraph.thread;

import dev.superstep.langgraph.AssistantIds;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.thread.RunNaming.NamedRun;
import dev.superstep.run.RunSummary;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/// Names runs: as their [RunNaming] does, else by what is known of every run.
@Component
@OnLangGraph
class RunNames {
  private final ObjectProvider<RunNaming> naming;

  RunNames(ObjectProvider<RunNaming> naming) {
    this.naming = naming;
  }

  /// The metadata of a checkpoint that say whose it is.
  ObjectValue of(RunSummary run, int checkpoint) {
    var known = naming.getIfAvailable();
    var named = known == null ? byItself(run) : known.name(run, checkpoint);
    return named
        .metadata()
        .plus("run_id", Value.of(named.run()))
        .plus(ThreadLabels.GRAPH, Value.of(run.origin().graph()))
        .plus(ThreadLabels.ASSISTANT, Value.of(named.assistant()));
  }

  private static NamedRun byItself(RunSummary run) {
    var metadata = ObjectValue.builder();
    run.origin().metadata().forEach((key, value) -> metadata.put(key, Value.of(value)));
    return new NamedRun(run.id(), AssistantIds.ofGraph(run.origin().graph()), metadata.build());
  }
}
