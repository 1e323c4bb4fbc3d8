package dev.superstep.definition.web;

import dev.superstep.definition.store.Definitions;
import dev.superstep.definition.store.TestedDefinitions;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/// Runs the tests of definitions, posted or stored.
@Tag(name = "Graphs")
@RestController
class GraphTestController {
  private final Definitions definitions;
  private final TestedDefinitions tested;

  GraphTestController(Definitions definitions, TestedDefinitions tested) {
    this.definitions = definitions;
    this.tested = tested;
  }

  @Requires(ApiScope.AUTHOR)
  @Operation(operationId = "testGraph")
  @Texts.DefinitionBody
  @Fails(ErrorCode.INVALID_DEFINITION)
  @PostMapping(
      path = "/v1/graphs/test",
      consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE, Texts.ZIP},
      produces = MediaType.APPLICATION_JSON_VALUE)
  TestReportBody test(
      @RequestBody byte[] body,
      @Parameter(hidden = true) @RequestHeader(HttpHeaders.CONTENT_TYPE) MediaType type) {
    return TestReportBody.of(tested.test(Texts.of(body, type)));
  }

  @Requires(ApiScope.AUTHOR)
  @Operation(operationId = "testStoredGraph")
  @QueryParameters("version")
  @Fails({ErrorCode.GRAPH_NOT_FOUND, ErrorCode.VERSION_NOT_FOUND, ErrorCode.INVALID_DEFINITION})
  @PostMapping(path = "/v1/graphs/{name}/test", produces = MediaType.APPLICATION_JSON_VALUE)
  TestReportBody testStored(@PathVariable String name, Query query) {
    int version =
        query
            .integer("version", 1, Integer.MAX_VALUE)
            .orElseGet(() -> definitions.newest(name).version());
    return TestReportBody.of(tested.test(name, version));
  }
}
