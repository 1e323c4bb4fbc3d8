package dev.superstep.http.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.superstep.http.QueryParameters;
import dev.superstep.json.Json;
import dev.superstep.json.Yaml;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;

/// What the OpenAPI document says beyond what types say. Each file `dev/superstep/openapi/*.yaml`
/// on the class path has `operations` by their ids with `parameters` by their names, `parameters`
/// that several of them take in queries, and `schemas`; all is merged over what is generated (RFC
/// 7396: null removes). `<operationId>.request.json` and `<operationId>.json` beside them are
/// examples.
@Component
@Lazy
class DocumentOverlay {
  // Its own serializers: springdoc sets the order of members in those of Json31 later.
  private static final ObjectMapper JSON = Json31.mapper().copy();
  private static final String FOLDER = "dev/superstep/openapi/";
  private static final String PARAMETERS = "parameters";
  private final List<JsonNode> files = new ArrayList<>();

  DocumentOverlay() throws IOException {
    var resolver = new PathMatchingResourcePatternResolver(DocumentOverlay.class.getClassLoader());
    for (var file : resolver.getResources("classpath*:" + FOLDER + "*.yaml")) {
      files.add(JSON.readTree(Json.write(Yaml.read(file.getContentAsByteArray()))));
    }
    if (files.isEmpty()) {
      throw new IllegalStateException("there is no " + FOLDER + "*.yaml on the class path");
    }
  }

  /// The file that describes it, if any does.
  private JsonNode describing(String kind, String name) {
    return files.stream()
        .filter(it -> it.path(kind).has(name))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private static void merge(ObjectNode target, JsonNode overlay) {
    overlay
        .properties()
        .forEach(it -> {
          if (it.getValue().isNull()) {
            target.remove(it.getKey());
          } else if (it.getValue().isObject()
              && target.get(it.getKey()) instanceof ObjectNode generated) {
            merge(generated, it.getValue());
          } else {
            target.set(it.getKey(), it.getValue());
          }
        });
  }

  private static <T> T read(ObjectNode tree, Class<T> type) {
    try {
      return JSON.treeToValue(tree, type);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Describes operations before other parts of the document look at them.
  @Component
  @Order(Ordered.HIGHEST_PRECEDENCE)
  static class Operations implements GlobalOperationCustomizer {
    private final ObjectProvider<DocumentOverlay> overlay;

    Operations(ObjectProvider<DocumentOverlay> overlay) {
      this.overlay = overlay;
    }

    @Override
    public Operation customize(Operation generated, HandlerMethod method) {
      addParameters(generated, method.getMethod());
      var id = generated.getOperationId();
      var texts = overlay.getObject().describing("operations", id);
      var own = texts.path("operations").path(id);
      var tree = JSON.<ObjectNode>valueToTree(generated);
      own.properties().stream()
          .filter(it -> !it.getKey().equals(PARAMETERS))
          .forEach(it -> merge(tree, JSON.createObjectNode().set(it.getKey(), it.getValue())));
      tree.path(PARAMETERS)
          .forEach(it -> merge((ObjectNode) it, parameter(it, own, texts.path(PARAMETERS))));
      var operation = DocumentOverlay.read(tree, Operation.class);
      // No file describes one, and reading it back would sort the members of its examples.
      operation.setRequestBody(generated.getRequestBody());
      examples(id, operation);
      return operation;
    }

    /// Those of the method itself come before headers, those of its annotations behind.
    private static void addParameters(Operation operation, Method method) {
      var all =
          new ArrayList<>(
              Objects.requireNonNullElse(operation.getParameters(), List.<Parameter>of()));
      int own = (int) all.stream().filter(it -> "path".equals(it.getIn())).count();
      MergedAnnotations.from(method).stream(QueryParameters.class)
          .forEach(it ->
              all.addAll(
                  it.isDirectlyPresent() ? own : all.size(),
                  Stream.of(it.getStringArray(MergedAnnotation.VALUE))
                      .map(name -> new QueryParameter().name(name))
                      .toList()));
      if (!all.isEmpty()) {
        operation.setParameters(all);
      }
    }

    private static JsonNode parameter(JsonNode generated, JsonNode own, JsonNode shared) {
      var name = generated.path("name").textValue();
      var described = own.path(PARAMETERS).path(name);
      return described.isMissingNode() && generated.path("in").textValue().equals("query")
          ? shared.path(name)
          : described;
    }

    private static void examples(String id, Operation operation) {
      if (operation.getRequestBody() != null) {
        set(operation.getRequestBody().getContent(), id + ".request");
      }
      operation
          .getResponses()
          .forEach((status, response) -> {
            if (status.startsWith("2")) {
              set(response.getContent(), id);
            }
          });
    }

    private static void set(@Nullable Content content, String example) {
      var media = content == null ? null : content.get("application/json");
      var file = new ClassPathResource(FOLDER + example + ".json");
      if (media != null && file.exists()) {
        media.setExample(read(file));
      }
    }

    private static Object read(ClassPathResource file) {
      try (var in = file.getInputStream()) {
        return JSON.readValue(in, Object.class);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /// Describes schemas, those that other parts of the document add among them.
  @Component
  @Order(Ordered.LOWEST_PRECEDENCE)
  static class Schemas implements GlobalOpenApiCustomizer {
    private final ObjectProvider<DocumentOverlay> overlay;

    Schemas(ObjectProvider<DocumentOverlay> overlay) {
      this.overlay = overlay;
    }

    @Override
    public void customise(OpenAPI document) {
      document
          .getComponents()
          .getSchemas()
          .replaceAll((name, generated) -> {
            var texts = overlay.getObject().describing("schemas", name);
            if (texts.isMissingNode()) {
              return generated;
            }
            var tree = JSON.<ObjectNode>valueToTree(generated);
            merge(tree, texts.path("schemas").path(name));
            return DocumentOverlay.read(tree, Schema.class);
          });
    }
  }
}
