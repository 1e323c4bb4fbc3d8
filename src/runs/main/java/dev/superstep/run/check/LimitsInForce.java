package dev.superstep.run.check;

import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.graph.Limits;
import dev.superstep.problem.ServiceException;
import org.springframework.stereotype.Component;

/// Merges the limits of a run: its own, over those of its graph, over those of the server.
@Component
public class LimitsInForce {
  private final GraphRegistry graphs;
  private final EngineLimits server;

  LimitsInForce(GraphRegistry graphs, EngineLimits server) {
    this.graphs = graphs;
    this.server = server;
  }

  public Limits of(String graph, int version, Limits own) {
    return own.or(declared(graph, version)).or(server.standard());
  }

  private Limits declared(String graph, int version) {
    try {
      return graphs.compiled(graph, version).program().graph().settings().limits();
    } catch (ServiceException e) {
      return Limits.NONE; // this server cannot run the graph; its runs can still be looked at
    }
  }
}
