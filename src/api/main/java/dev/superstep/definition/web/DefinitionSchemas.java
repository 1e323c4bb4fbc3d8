package dev.superstep.definition.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.superstep.definition.read.Catalog;
import dev.superstep.json.Json;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.stereotype.Component;

/// Describes definitions in the OpenAPI document, from the tables by which they are read.
@Component
class DefinitionSchemas implements GlobalOpenApiCustomizer {
  private final Catalog catalog;

  DefinitionSchemas(Catalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public void customise(OpenAPI document) {
    if (document.getComponents() == null) {
      document.setComponents(new Components());
    }
    catalog
        .definitionSchemas()
        .forEach(
            (name, schema) -> document.getComponents().addSchemas(name, read(Json.write(schema))));
  }

  private static Schema<?> read(String text) {
    try {
      return Json31.mapper().readValue(text, Schema.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a schema that is no schema", e);
    }
  }
}
