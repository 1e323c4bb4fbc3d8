package dev.superstep.definition.web;

import dev.superstep.definition.AuthorText.Format;
import dev.superstep.definition.read.DefinitionText;
import dev.superstep.http.QueryParameters;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.http.MediaType;

/// Reads definitions from request bodies and describes them in the OpenAPI document.
final class Texts {
  static final String ZIP = "application/zip";
  static final String BUNDLE =
      "graph.yaml or graph.json, prompts/*.md for prompts, graphs/*.yaml for graphs";
  static final String BUNDLE_EXAMPLE = "(the bytes of a zip)";
  static final String DEFINITION = "#/components/schemas/GraphDefinition";

  static final String JSON_EXAMPLE =
      """
      {
        "name": "greeting",
        "nodes": [
          {"id": "greet", "type": "expression",
           "config": {"update": {"greeting": "Hello {{ state.name }}!"}}}
        ],
        "edges": [{"from": ["__start__"], "to": ["greet"]}],
        "tests": [
          {"name": "greets", "input": {"name": "Ada"}, "expect": {"output": {"greeting": "Hello Ada!"}}}
        ]
      }
      """;

  static final String YAML_EXAMPLE =
      """
      name: greeting
      nodes:
        - { id: greet, type: expression, config: { update: { greeting: "Hello {{ state.name }}!" } } }
      edges:
        - { from: __start__, to: greet }
      tests:
        - { name: greets, input: { name: Ada }, expect: { output: { greeting: Hello Ada! } } }
      """;

  private Texts() {}

  static DefinitionText of(byte[] body, MediaType type) {
    return new DefinitionText(body, format(type));
  }

  private static Format format(MediaType type) {
    if (MediaType.APPLICATION_YAML.includes(type)) {
      return Format.YAML;
    }
    return MediaType.valueOf(ZIP).includes(type) ? Format.ZIP : Format.JSON;
  }

  /// Describes a body that is a definition.
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
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
            examples = @ExampleObject(YAML_EXAMPLE)),
        @Content(
            mediaType = ZIP,
            schema = @Schema(type = "string", format = "binary", description = BUNDLE),
            examples = @ExampleObject(BUNDLE_EXAMPLE))
      })
  @interface DefinitionBody {}

  /// Describes an answer that is a version, as JSON or as YAML.
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @ApiResponse(
      responseCode = "200",
      description = "The version; as YAML its definition alone, as it was posted",
      content = {
        @Content(
            mediaType = MediaType.APPLICATION_JSON_VALUE,
            schema = @Schema(implementation = GraphBody.class)),
        @Content(
            mediaType = MediaType.APPLICATION_YAML_VALUE,
            schema = @Schema(type = "string"),
            examples = @ExampleObject(YAML_EXAMPLE))
      })
  @QueryParameters("form")
  @interface VersionAnswer {}
}
