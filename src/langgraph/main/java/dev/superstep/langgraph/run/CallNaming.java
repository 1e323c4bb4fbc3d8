package dev.superstep.langgraph.run;

import dev.superstep.langgraph.AssistantIds;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.thread.RunNaming;
import dev.superstep.run.RunSummary;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.springframework.stereotype.Component;

/// Names the runs that have committed checkpoints as the calls that have begun them, or have gone
/// on with them.
@Component
@OnLangGraph
class CallNaming implements RunNaming {
  private final RunCallRows rows;

  CallNaming(RunCallRows rows) {
    this.rows = rows;
  }

  @Override
  public NamedRun name(RunSummary run, int checkpoint) {
    return rows.ofCheckpoint(run.id(), checkpoint)
        .map(it -> new NamedRun(it.id(), it.options().assistant(), it.options().metadata()))
        .orElseGet(() -> byItself(run));
  }

  private static NamedRun byItself(RunSummary run) {
    var metadata = ObjectValue.builder();
    run.origin().metadata().forEach((key, value) -> metadata.put(key, Value.of(value)));
    return new NamedRun(run.id(), AssistantIds.ofGraph(run.origin().graph()), metadata.build());
  }
}
