package dev.superstep.http.openapi;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import tools.jackson.databind.json.JsonMapper;

/// Adds examples to the OpenAPI document, from `openapi/<operationId>.request.json` and
/// `openapi/<operationId>.json` on the class path.
@Component
class OperationExamples implements GlobalOperationCustomizer {
  private final JsonMapper json;

  OperationExamples(JsonMapper json) {
    this.json = json;
  }

  @Override
  public Operation customize(Operation operation, HandlerMethod method) {
    if (operation.getRequestBody() != null) {
      example(operation.getOperationId() + ".request")
          .ifPresent(it -> set(operation.getRequestBody().getContent(), it));
    }
    example(operation.getOperationId())
        .ifPresent(it ->
            operation
                .getResponses()
                .forEach((status, response) -> {
                  if (status.startsWith("2")) {
                    set(response.getContent(), it);
                  }
                }));
    return operation;
  }

  private static void set(@Nullable Content content, Object example) {
    var media = content == null ? null : content.get(MediaType.APPLICATION_JSON_VALUE);
    if (media != null) {
      media.setExample(example);
    }
  }

  private Optional<Object> example(String name) {
    var file = new ClassPathResource("openapi/" + name + ".json");
    if (!file.exists()) {
      return Optional.empty();
    }
    try (var in = file.getInputStream()) {
      return Optional.of(json.readValue(in, Object.class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
