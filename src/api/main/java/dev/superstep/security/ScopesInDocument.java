package dev.superstep.security;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import java.util.stream.Stream;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;

/// Shows in the OpenAPI document of which scopes an operation requires one.
@Component
class ScopesInDocument implements GlobalOperationCustomizer {

  @Override
  public Operation customize(Operation operation, HandlerMethod method) {
    var required = method.getMethodAnnotation(Requires.class);
    if (required != null) {
      var scopes = Stream.of(required.value()).map(ApiScope::text).toList();
      operation.addExtension("x-scopes", scopes);
      operation.setSecurity(
          scopes.stream().map(it -> new SecurityRequirement().addList("bearer", it)).toList());
    }
    return operation;
  }
}
