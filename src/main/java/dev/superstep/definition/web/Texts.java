package dev.superstep.definition.web;

import dev.superstep.definition.AuthorText.Format;
import dev.superstep.definition.service.DefinitionText;
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
        "edges": [{"from": ["__start__"], "to": ["greet"]}]
      }
      """;

  static final String YAML_EXAMPLE =
      """
      name: greeting
      nodes:
        - { id: greet, type: expression, config: { update: { greeting: "Hello {{ state.name }}!" } } }
      edges:
        - { from: __start__, to: greet }
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
}
