package dev.superstep.definition.web;

import dev.superstep.definition.read.Diagrams;
import dev.superstep.definition.store.Definitions;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// Answers with diagrams of graphs.
@Tag(name = "Graphs")
@RestController
class DiagramController {
  private static final String TEXT = MediaType.TEXT_PLAIN_VALUE + ";charset=UTF-8";
  private final Definitions definitions;

  DiagramController(Definitions definitions) {
    this.definitions = definitions;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "drawGraph")
  @QueryParameters({"version", "format"})
  @Fails({ErrorCode.GRAPH_NOT_FOUND, ErrorCode.VERSION_NOT_FOUND})
  @GetMapping(path = "/v1/graphs/{name}/diagram", produces = TEXT)
  String draw(@PathVariable String name, Query query) {
    query.oneOf("format", new String[] {"mermaid"}, it -> it);
    var version =
        query
            .integer("version", 1, Integer.MAX_VALUE)
            .map(it -> definitions.version(name, it))
            .orElseGet(() -> definitions.newest(name));
    return Diagrams.render(version.definition(), Map.of());
  }
}
