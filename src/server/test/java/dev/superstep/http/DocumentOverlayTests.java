package dev.superstep.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.json.Yaml;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/// What is written beside the code for the OpenAPI documents is about something that they have.
@ApiTest
class DocumentOverlayTests {
  @LocalServerPort private int port;

  /// Operation → its parameters, in the documents of both APIs.
  private final Map<String, Set<String>> operations = new HashMap<>();

  private final Set<String> schemas = new HashSet<>();

  @BeforeEach
  void readsBothDocuments() throws Exception {
    for (var group : List.of("", "/langgraph")) {
      var request =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:%d/v3/api-docs%s".formatted(port, group)))
              .build();
      var text = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
      var document = (ObjectValue) Json.read(text);
      schemas.addAll(members(document.object("components"), "schemas").keySet());
      for (var path : members(document, "paths").values()) {
        members(path).values().forEach(it -> operations.put(it.text("operationId"), names(it)));
      }
    }
  }

  private static Set<String> names(ObjectValue operation) {
    var names = new HashSet<String>();
    operation.objects("parameters").forEach(it -> names.add(it.text("name")));
    return names;
  }

  private static Map<String, ObjectValue> members(ObjectValue parent, String name) {
    return members(parent.object(name));
  }

  private static Map<String, ObjectValue> members(ObjectValue parent) {
    var members = new HashMap<String, ObjectValue>();
    parent.forEach((name, it) -> members.put(name, ObjectValue.orEmpty(it)));
    return members;
  }

  private static List<Resource> files(String ending) throws IOException {
    return List.of(
        new PathMatchingResourcePatternResolver()
            .getResources("classpath*:dev/superstep/openapi/*." + ending));
  }

  private static ObjectValue read(Resource file) {
    try {
      return (ObjectValue) Yaml.read(file.getContentAsByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void describesOperationsAndSchemasThatThereAre() throws IOException {
    var overlays = files("yaml").stream().map(DocumentOverlayTests::read).toList();
    assertThat(overlays).hasSizeGreaterThan(1);
    for (var overlay : overlays) {
      var described = members(overlay, "operations");
      assertThat(operations.keySet()).containsAll(described.keySet());
      described.forEach((id, operation) ->
          assertThat(operations.get(id))
              .as("parameters of %s", id)
              .containsAll(operation.object("parameters").asMap().keySet()));
      assertThat(operations.values().stream().flatMap(Set::stream))
          .containsAll(overlay.object("parameters").asMap().keySet());
      assertThat(schemas).containsAll(overlay.object("schemas").asMap().keySet());
    }
  }

  @Test
  void showsExamplesOfOperationsThatThereAre() throws IOException {
    var examples =
        files("json").stream()
            .flatMap(it -> Stream.ofNullable(it.getFilename()))
            .map(it -> it.substring(0, it.indexOf('.')))
            .toList();
    assertThat(examples).hasSizeGreaterThan(20).isSubsetOf(operations.keySet());
  }
}
