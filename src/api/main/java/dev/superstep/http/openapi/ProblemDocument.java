package dev.superstep.http.openapi;

import dev.superstep.http.Problem;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// Describes problem documents in the OpenAPI document. It also removes the type "object" that
/// springdoc gives to values of any type.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class ProblemDocument implements GlobalOpenApiCustomizer {

  @Override
  public void customise(OpenAPI document) {
    var components = document.getComponents();
    ModelConverters.getInstance(true).readAll(Problem.class).forEach(components::addSchemas);
    Objects.requireNonNull(components.getSchemas().get("Problem"))
        .addProperty("interrupts", interrupts())
        .addProperty("budget", typed("string").description("Its name; of `budget_exhausted`"))
        .addProperty(
            "renews_at",
            typed("string")
                .format("date-time")
                .description("When the budget is renewed; of `budget_exhausted`"))
        .addProperty(
            "retry_after",
            typed("integer")
                .description("Seconds until then; of `budget_exhausted` and `rate_limited`"));
    for (var code : used(document)) {
      components.addExamples(code.code(), new Example().value(example(code)));
      components.addResponses(code.code(), response(List.of(code)));
    }
    freeAnyTypes(components);
  }

  static ApiResponse response(List<ErrorCode> codes) {
    var media = new MediaType().schema(new JsonSchema().$ref("#/components/schemas/Problem"));
    codes.forEach(it ->
        media.addExamples(it.code(), new Example().$ref("#/components/examples/" + it.code())));
    var response =
        new ApiResponse()
            .description(
                codes.stream().map(it -> "`" + it.code() + "`").collect(Collectors.joining(", ")))
            .content(new Content().addMediaType("application/problem+json", media));
    if (codes.getFirst().status().value() == 503) {
      response.addHeaderObject(
          "Retry-After",
          new Header().description("Seconds after which to try again").schema(typed("integer")));
    }
    return response;
  }

  private static Map<String, Object> example(ErrorCode code) {
    var problem = Problem.of(new ServiceException(code, code.title()), "/v1/…");
    var members = new LinkedHashMap<String, Object>();
    members.put("type", problem.type());
    members.put("title", problem.title());
    members.put("status", problem.status());
    members.put("detail", problem.detail());
    members.put("instance", problem.instance());
    members.put("code", problem.code());
    members.put("help", problem.help());
    return members;
  }

  private static Schema<?> interrupts() {
    return new ArraySchema()
        .items(typed("string"))
        .types(Set.of("array"))
        .description("Ids of the open ones; of `nothing_to_resume` and `interrupt_ambiguous`");
  }

  private static Schema<?> typed(String type) {
    return new JsonSchema().types(Set.of(type));
  }

  private static void freeAnyTypes(Components components) {
    for (Schema<?> schema : components.getSchemas().values()) {
      if (schema.getProperties() != null) {
        for (Schema<?> property : schema.getProperties().values()) {
          if (property.get$ref() != null) {
            property.setTypes(null);
            property.setAdditionalProperties(null);
          } else if (Set.of("object").equals(property.getTypes())
              && property.getProperties() == null
              && property.getAdditionalProperties() == null) {
            property.setTypes(null);
          }
        }
      }
    }
  }

  /// Codes of the problems that the operations of the document can answer with.
  private static Set<ErrorCode> used(OpenAPI document) {
    var text = document.getPaths().toString();
    return Stream.of(ErrorCode.values())
        .filter(it -> text.contains("/" + it.code() + "\n"))
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(ErrorCode.class)));
  }
}
