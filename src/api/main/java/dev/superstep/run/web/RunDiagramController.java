package dev.superstep.run.web;

import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.read.Diagrams;
import dev.superstep.definition.read.Mark;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.NodeStatus;
import dev.superstep.run.RunQueries;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.HashMap;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// Draws the graph of a run with the status of its nodes.
@Tag(name = "State")
@RestController
class RunDiagramController {
  private static final String TEXT = MediaType.TEXT_PLAIN_VALUE + ";charset=UTF-8";
  private final RunQueries queries;
  private final GraphRegistry graphs;

  RunDiagramController(RunQueries queries, GraphRegistry graphs) {
    this.queries = queries;
    this.graphs = graphs;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "drawRun")
  @QueryParameters("format")
  @Fails({ErrorCode.RUN_NOT_FOUND, ErrorCode.STORED_BY_NEWER_RELEASE})
  @GetMapping(path = "/v1/runs/{id}/diagram", produces = TEXT)
  String draw(@PathVariable String id, Query query) {
    query.oneOf("format", new String[] {"mermaid"}, it -> it);
    var origin = queries.summary(id).origin();
    var version =
        graphs
            .version(origin.graph(), origin.version())
            .orElseThrow(() ->
                new ServiceException(ErrorCode.VERSION_NOT_FOUND, "the graph of this run is gone"));
    return Diagrams.render(version.definition(), marks(id));
  }

  private Map<String, Mark> marks(String run) {
    var marks = new HashMap<String, Mark>();
    queries.marks(run).forEach((node, mark) -> marks.put(node.value(), of(mark)));
    return marks;
  }

  private static Mark of(NodeStatus mark) {
    return switch (mark) {
      case DONE -> Mark.DONE;
      case HANDLED -> Mark.HANDLED;
      case ACTIVE -> Mark.ACTIVE;
      case FAILED -> Mark.FAILED;
      case INTERRUPTED -> Mark.INTERRUPTED;
    };
  }
}
