package dev.superstep.run.store;

import dev.superstep.definition.ActiveRuns;
import dev.superstep.definition.GraphName;
import org.springframework.stereotype.Component;

/// Counts active runs of graphs, which must not be deleted.
@Component
class ActiveRunCount implements ActiveRuns {
  private final RunRows runs;

  ActiveRunCount(RunRows runs) {
    this.runs = runs;
  }

  @Override
  public long countActive(String graph) {
    return runs.countActive(graph, GraphName.beforeInline(graph), GraphName.afterInline(graph));
  }
}
