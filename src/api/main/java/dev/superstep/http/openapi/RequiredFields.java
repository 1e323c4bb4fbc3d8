package dev.superstep.http.openapi;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Marks every field of ours that is not `@Nullable` as required in the OpenAPI document.
@Component
class RequiredFields implements ModelConverter {
  private static final String OURS = "dev.superstep";
  private static final PropertyNamingStrategies.SnakeCaseStrategy SNAKE =
      new PropertyNamingStrategies.SnakeCaseStrategy();

  @Override
  public @Nullable Schema<?> resolve(
      AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
    var schema = chain.hasNext() ? chain.next().resolve(type, context, chain) : null;
    if (schema == null) {
      return null;
    }
    var java = Json31.mapper().constructType(type.getType()).getRawClass();
    if (java.getPackageName().startsWith(OURS) && !java.isEnum()) {
      var model = model(schema, context);
      if (model.getProperties() != null) {
        fields(java)
            .filter(it -> !it.getAnnotatedType().isAnnotationPresent(Nullable.class))
            .map(RequiredFields::name)
            .filter(it -> model.getProperties().containsKey(it))
            .filter(it -> model.getRequired() == null || !model.getRequired().contains(it))
            .forEach(model::addRequiredItem);
      }
    }
    return schema;
  }

  private static Schema<?> model(Schema<?> schema, ModelConverterContext context) {
    var reference = schema.get$ref();
    return reference == null
        ? schema
        : Objects.requireNonNullElse(
            context.getDefinedModels().get(reference.substring(reference.lastIndexOf('/') + 1)),
            schema);
  }

  private static Stream<Field> fields(Class<?> type) {
    var parent = type.getSuperclass();
    var own =
        Arrays.stream(type.getDeclaredFields()).filter(it -> !Modifier.isStatic(it.getModifiers()));
    return parent == null ? own : Stream.concat(fields(parent), own);
  }

  private static String name(Field field) {
    var property = field.getAnnotation(JsonProperty.class);
    return property == null || property.value().isEmpty()
        ? SNAKE.translate(field.getName())
        : property.value();
  }
}
