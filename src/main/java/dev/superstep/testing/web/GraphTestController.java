package dev.superstep.testing.web;

import dev.superstep.definition.AuthorText.Format;
import dev.superstep.definition.service.DefinitionText;
import dev.superstep.definition.service.Definitions;
import dev.superstep.definition.service.TestedDefinitions;
import dev.superstep.http.Query;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
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
  private static final String DEFINITION = "#/components/schemas/GraphDefinition";

  private static final String JSON_EXAMPLE =
      """
      {
        "name": "greeting",
        "nodes": [
          {"id": "greet", "type": "llm",
           "config": {"prompt": "Greet {{ state.name }}", "messages": "", "output_to": "greeting"}}
        ],
        "edges": [{"from": ["__start__"], "to": ["greet"]}],
        "tests": [
          {"name": "greets", "input": {"name": "Ada"}, "mocks": {"greet": "Hello Ada!"},
           "expect": {"path": ["greet"], "output": {"greeting": "Hello Ada!"}}}
        ]
      }
      """;

  private static final String YAML_EXAMPLE =
      """
      name: greeting
      nodes:
        - { id: greet, type: llm, config: { prompt: "Greet {{ state.name }}", messages: "", output_to: greeting } }
      edges:
        - { from: __start__, to: greet }
      tests:
        - name: greets
          input: { name: Ada }
          mocks: { greet: "Hello Ada!" }
          expect: { path: [greet], output: { greeting: "Hello Ada!" } }
      """;

  private final Definitions definitions;
  private final TestedDefinitions tested;

  GraphTestController(Definitions definitions, TestedDefinitions tested) {
    this.definitions = definitions;
    this.tested = tested;
  }

  @Operation(
      operationId = "testGraph",
      summary = "Run the tests of a definition",
      description =
          "In memory: nothing is stored, nothing is called, waits pass at once. The answer is 200"
              + " for failing tests too; a definition that could not be posted is refused.")
  @io.swagger.v3.oas.annotations.parameters.RequestBody(
      required = true,
      content = {
        @Content(
            mediaType = MediaType.APPLICATION_JSON_VALUE,
            schema = @Schema(ref = DEFINITION),
            examples = @ExampleObject(JSON_EXAMPLE)),
        @Content(
            mediaType = MediaType.APPLICATION_YAML_VALUE,
            schema = @Schema(ref = DEFINITION),
            examples = @ExampleObject(YAML_EXAMPLE))
      })
  @ApiResponse(responseCode = "200", description = "Run", useReturnTypeSchema = true)
  @Fails(ErrorCode.INVALID_DEFINITION)
  @PostMapping(
      path = "/v1/graphs/test",
      consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE},
      produces = MediaType.APPLICATION_JSON_VALUE)
  TestReportBody test(
      @RequestBody byte[] body,
      @Parameter(hidden = true) @RequestHeader(HttpHeaders.CONTENT_TYPE) MediaType type) {
    var format = MediaType.APPLICATION_YAML.includes(type) ? Format.YAML : Format.JSON;
    return TestReportBody.of(tested.test(new DefinitionText(body, format)));
  }

  @Operation(
      operationId = "testStoredGraph",
      summary = "Run the tests of a stored graph",
      description = "Those of the text that was posted last with this version.")
  @Parameter(
      in = ParameterIn.QUERY,
      name = "version",
      description = "Absent: the newest",
      schema = @Schema(type = "integer", minimum = "1"))
  @ApiResponse(responseCode = "200", description = "Run", useReturnTypeSchema = true)
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
