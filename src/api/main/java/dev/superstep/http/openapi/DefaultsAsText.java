package dev.superstep.http.openapi;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import java.util.Objects;
import java.util.stream.Stream;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.stereotype.Component;

/// Moves defaults of fields into their descriptions. Generators of TypeScript take a field with the
/// keyword `default` for one that is always there, so that callers would have to send it.
@Component
class DefaultsAsText implements GlobalOpenApiCustomizer {

  @Override
  public void customise(OpenAPI document) {
    for (Schema<?> schema : document.getComponents().getSchemas().values()) {
      var fields = schema.getProperties();
      if (fields != null) {
        for (Schema<?> field : fields.values()) {
          describe(field);
        }
      }
    }
  }

  private static void describe(Schema<?> field) {
    if (field.getDefault() == null) {
      return;
    }
    var text = "Default: `%s`".formatted(field.getDefault());
    field.setDescription(
        Stream.of(field.getDescription(), text)
            .filter(Objects::nonNull)
            .reduce((first, second) -> first.replaceFirst("\\.?$", ". ") + second)
            .orElse(text));
    field.setDefault(null);
    field.setDefaultSetFlag(false);
  }
}
