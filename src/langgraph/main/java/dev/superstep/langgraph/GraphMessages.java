package dev.superstep.langgraph;

import dev.superstep.definition.GraphRegistry;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.util.Set;
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

  /// Those of the newest version.
  ///
  /// @throws ServiceException `graph_not_found`
  public MessageChannels newest(String graph) {
    return of(graph, newestVersion(graph));
  }

  /// @throws ServiceException `graph_not_found`
  public int newestVersion(String graph) {
    var shown = graphs.shown(Set.of(graph)).get(graph);
    if (shown == null) {
      throw new ServiceException(
          ErrorCode.GRAPH_NOT_FOUND, "there is no graph '%s'".formatted(graph));
    }
    return shown.newest();
  }

  /// Those of a version that can be compiled; of others none, so that runs whose function is gone
  /// can still be looked at.
  ///
  /// @throws ServiceException if it cannot be read now
  public MessageChannels of(String graph, int version) {
    try {
      return MessageChannels.of(graphs.compiled(graph, version).program().graph().channels());
    } catch (ServiceException unusable) {
      if (unusable.isOverCost()) {
        throw unusable;
      }
      LOG.debug("messages of '{}' version {} stay as they are", graph, version, unusable);
      return MessageChannels.NONE;
    }
  }
}
