package dev.superstep.http.openapi;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import dev.superstep.problem.Query;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.core.jackson.TypeNameResolver;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.util.List;
import java.util.Set;
import org.springdoc.core.providers.ObjectMapperProvider;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/// Describes the API as a whole in the OpenAPI document.
@Configuration(proxyBeanMethods = false)
class ApiDocument {
  private static final String BEARER = "bearer";

  ApiDocument() {
    SpringDocUtils.getConfig()
        .replaceWithSchema(Value.class, any())
        .replaceWithSchema(ObjectValue.class, typed("object").additionalProperties(true))
        .replaceWithSchema(ListValue.class, typed("array").items(any()))
        .addRequestWrapperToIgnore(Query.class);
  }

  @Bean
  OpenAPI openApi() {
    return new OpenAPI()
        .info(
            new Info()
                .title("Superstep")
                .version("v1")
                .description(
                    "Runs graphs of language-model agents in Pregel supersteps on PostgreSQL.")
                .license(
                    new License()
                        .name("Apache-2.0")
                        .url("https://www.apache.org/licenses/LICENSE-2.0.txt")))
        .servers(List.of(new Server().url("/").description("This server")))
        .addSecurityItem(new SecurityRequirement().addList(BEARER))
        .components(
            new Components()
                .addSecuritySchemes(
                    BEARER,
                    new SecurityScheme()
                        .type(SecurityScheme.Type.HTTP)
                        .scheme(BEARER)
                        .description(
                            "A key of SUPERSTEP_API_KEYS, or one made by `POST /v1/keys` with"
                                + " the scope that the operation names; none is needed on a server"
                                + " without keys")));
  }

  /// Names fields as the service writes them. Converters are called in reverse order.
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  ModelResolver modelResolver(ObjectMapperProvider mappers) {
    var mapper =
        mappers.jsonMapper().copy().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
    return new ModelResolver(mapper, new SchemaNames()).openapi31(true);
  }

  private static Schema<?> any() {
    return new JsonSchema();
  }

  private static Schema<?> typed(String type) {
    return new JsonSchema().types(Set.of(type));
  }

  /// Names schemas as their types, without `Body`.
  private static final class SchemaNames extends TypeNameResolver {

    @Override
    protected String nameForClass(Class<?> type, Set<Options> options) {
      return super.nameForClass(type, options).replaceFirst("Body$", "");
    }
  }
}
