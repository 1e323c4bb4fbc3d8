package dev.superstep.http.openapi;

import dev.superstep.http.Located;
import dev.superstep.http.RequestBytes;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.Set;
import java.util.function.Consumer;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;

/// Adds the headers of successful answers to the OpenAPI document.
@Component
class AnswerHeaders implements GlobalOperationCustomizer {

  @Override
  public Operation customize(Operation operation, HandlerMethod method) {
    if (method.hasMethodAnnotation(Located.class)) {
      forSuccess(operation, it -> it.addHeaderObject("Location", text("Path of what was made")));
    }
    if (operation.getParameters() != null
        && operation.getParameters().stream()
            .anyMatch(it -> RequestBytes.KEY_HEADER.equals(it.getName()))) {
      forSuccess(
          operation,
          it ->
              it.addHeaderObject(
                  "Idempotency-Replayed",
                  text("`true`: an earlier call with this key has done the work")));
    }
    return operation;
  }

  private static void forSuccess(Operation operation, Consumer<ApiResponse> change) {
    operation
        .getResponses()
        .forEach((status, response) -> {
          if (status.startsWith("2")) {
            change.accept(response);
          }
        });
  }

  private static Header text(String description) {
    return new Header().description(description).schema(new JsonSchema().types(Set.of("string")));
  }
}
