package dev.superstep.langgraph;

import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import java.lang.reflect.Method;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.filters.OpenApiMethodFilter;
import org.springdoc.core.models.GroupedOpenApi;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;

/// Describes this face in an OpenAPI document of its own, so that the one of `/v1` stays as it is.
/// The group of `/v1` is there because Swagger UI shows groups only, once there is one.
@Configuration(proxyBeanMethods = false)
@OnLangGraph
class LangGraphDocument {

  /// For the document without a group.
  @Bean
  OpenApiMethodFilter withoutLangGraph() {
    return it -> !isOurs(it);
  }

  @Bean
  GroupedOpenApi apiGroup() {
    return GroupedOpenApi.builder().group("v1").addOpenApiMethodFilter(it -> !isOurs(it)).build();
  }

  @Bean
  GroupedOpenApi langGraphGroup(LangGraphSettings settings) {
    return GroupedOpenApi.builder()
        .group("langgraph")
        .addOpenApiMethodFilter(LangGraphDocument::isOurs)
        .addOpenApiCustomizer(new DocumentTitle(settings.path()))
        .build();
  }

  private static boolean isOurs(Method method) {
    return AnnotatedElementUtils.hasAnnotation(
        method.getDeclaringClass(), LangGraphController.class);
  }

  /// Adds what is described in turn by the overlay.
  @Order(Ordered.HIGHEST_PRECEDENCE)
  private record DocumentTitle(String path) implements OpenApiCustomizer {

    @Override
    public void customise(OpenAPI document) {
      ModelConverters.getInstance(true)
          .readAll(LangGraphError.class)
          .forEach(document.getComponents()::addSchemas);
      document.info(
          new Info()
              .title("Superstep for clients of the LangGraph Agent Server")
              .version("v1")
              .description(
                  "What front ends and SDKs that were written for that server call, below `%s`."
                      .formatted(path)));
    }
  }
}
