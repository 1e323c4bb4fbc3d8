package dev.superstep.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.Pointer;
import dev.superstep.json.Yaml;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// The committed OpenAPI document: what it promises to clients, and that it is the service's own.
@ApiTest
class OpenApiDocumentTests {
  @LocalServerPort private int port;
  private String committed = "";

  @BeforeEach
  void reads() throws Exception {
    committed = Files.readString(Path.of("docs/openapi.yaml"));
  }

  @Test
  void isWhatTheServiceShows() throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v3/api-docs.yaml".formatted(port)))
            .build();
    var live = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();

    assertThat(live)
        .as("docs/openapi.yaml is out of date: mvn -Popenapi,quick test-compile")
        .isEqualTo(committed);
  }

  @Test
  void namesEveryOperationAndShowsExamples() {
    var missing = new ArrayList<String>();
    operations((name, operation) -> {
      for (var key : List.of("operationId", "summary", "tags")) {
        if (!operation.has(key)) {
          missing.add(name + " has no " + key);
        }
      }
      contents(operation)
          .filter(it -> !it.has("example") && !it.has("examples") && !isStream(it))
          .forEach(_ -> missing.add(name + " lacks an example"));
    });
    assertThat(missing).isEmpty();
  }

  @Test
  void saysHowEveryOperationCanFail() {
    operations((name, operation) ->
        assertThat(member(operation, "/responses").asMap().keySet())
            .as(name)
            .contains("401", "422", "503"));
    assertThat(committed).contains("application/problem+json");
  }

  @Test
  void hasOneTypePerFieldInSnakeCase() {
    assertThat(committed).doesNotContain("oneOf:", "anyOf:", "allOf:");
    var schemas = member((ObjectValue) Yaml.read(committed), "/components/schemas");
    schemas.forEach((name, schema) -> {
      if (schema instanceof ObjectValue object
          && object.get("properties") instanceof ObjectValue properties) {
        assertThat(properties.asMap().keySet()).as(name).allMatch(it -> it.matches("[a-z_]+"));
      }
    });
  }

  /// Generated classes would hide, or be hidden by, what every file of a client sees.
  @Test
  void namesNoSchemaLikeATypeOfALanguage() {
    var schemas = member((ObjectValue) Yaml.read(committed), "/components/schemas");

    assertThat(schemas.asMap().keySet())
        .allSatisfy(it ->
            assertThatThrownBy(() -> Class.forName("java.lang." + it))
                .isInstanceOf(ClassNotFoundException.class))
        .doesNotContain(
            "Array", "Blob", "Date", "Error", "Event", "File", "Function", "List", "Map")
        .doesNotContain("Optional", "Promise", "Request", "Response", "Set", "Symbol", "UUID");
  }

  /// A field with the keyword would be mandatory for openapi-typescript.
  @Test
  void saysDefaultsOfFieldsInWords() {
    member((ObjectValue) Yaml.read(committed), "/components/schemas")
        .forEach((name, schema) -> {
          if (((ObjectValue) schema).get("properties") instanceof ObjectValue fields) {
            fields.forEach((field, it) ->
                assertThat(((ObjectValue) it).has("default")).as(name + "." + field).isFalse());
          }
        });
    assertThat(committed).contains("Default: `sync`");
  }

  private void operations(BiConsumer<String, ObjectValue> check) {
    member((ObjectValue) Yaml.read(committed), "/paths")
        .forEach((path, calls) ->
            ((ObjectValue) calls)
                .forEach((method, operation) ->
                    check.accept(method + " " + path, (ObjectValue) operation)));
  }

  /// What the operation takes and gives if all goes well.
  private static java.util.stream.Stream<ObjectValue> contents(ObjectValue operation) {
    var found = new ArrayList<ObjectValue>();
    if (operation.get("requestBody") instanceof ObjectValue body) {
      member(body, "/content").forEach((_, it) -> found.add((ObjectValue) it));
    }
    member(operation, "/responses")
        .forEach((status, response) -> {
          if (status.startsWith("2")
              && ((ObjectValue) response).get("content") instanceof ObjectValue content) {
            content.forEach((_, it) -> found.add((ObjectValue) it));
          }
        });
    return found.stream();
  }

  private static boolean isStream(ObjectValue content) {
    return content.toString().equals("{\"schema\":{\"type\":\"string\"}}");
  }

  private static ObjectValue member(ObjectValue parent, String pointer) {
    Value found = Pointer.find(parent, pointer).orElseThrow();
    return (ObjectValue) found;
  }
}
