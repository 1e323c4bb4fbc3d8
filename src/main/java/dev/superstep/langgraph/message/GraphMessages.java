package dev.superstep.langgraph.message;

import dev.superstep.definition.GraphRegistry;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.problem.ServiceException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Finds the channels of messages of stored graphs.
@Component
@OnLangGraph
public class GraphMessages {
  private static final Logger LOG = LoggerFactory.getLogger(GraphMessages.class);
  private final GraphRegistry graphs;

  GraphMessages(GraphRegistry graphs) {
    this.graphs = graphs;
  }

  /// Those of a version that can be compiled; of others none, so that runs whose function is gone
  /// can still be looked at.
  public MessageChannels of(String graph, int version) {
    try {
      return MessageChannels.of(graphs.compiled(graph, version).program().graph().channels());
    } catch (ServiceException unusable) {
      LOG.debug("messages of '{}' version {} stay as they are", graph, version, unusable);
      return MessageChannels.NONE;
    }
  }
}
