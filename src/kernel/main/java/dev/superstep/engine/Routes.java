package dev.superstep.engine;

import dev.superstep.graph.Graph;

/// The routing classes of a graph; made once per run.
record Routes(Planner planner, Router router, ErrorEdges errorEdges, Joins joins) {
  public static Routes of(Graph graph, long ordinal) {
    var router = new Router(graph, ordinal);
    return new Routes(new Planner(graph), router, new ErrorEdges(graph, router), new Joins(graph));
  }
}
