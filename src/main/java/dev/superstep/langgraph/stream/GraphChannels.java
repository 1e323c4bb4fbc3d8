package dev.superstep.langgraph.stream;

import dev.superstep.definition.GraphRegistry;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.message.MessageChannels;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.view.RunSummary;
import org.springframework.stereotype.Component;

/// Finds which channels of a graph hold messages.
@Component
@OnLangGraph
public class GraphChannels {
  private final GraphRegistry graphs;

  GraphChannels(GraphRegistry graphs) {
    this.graphs = graphs;
  }

  /// Of the graph of a run; none if this server cannot compile it: the run can be read
  /// nevertheless.
  public MessageChannels of(RunSummary run) {
    try {
      return of(run.origin().graph(), run.origin().version());
    } catch (ServiceException e) {
      return MessageChannels.NONE;
    }
  }

  public MessageChannels of(String graph, int version) {
    return MessageChannels.of(graphs.compiled(graph, version).program().graph().channels());
  }
}
