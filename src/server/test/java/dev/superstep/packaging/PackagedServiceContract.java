package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.examples.ExampleExtension;
import dev.superstep.fault.Replica;
import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.json.Yaml;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.util.FileSystemUtils;

/// What one process of the packaged service must do, however it is packaged: its document, its
/// Swagger UI, its health and the functions of its extensions.
@TestInstance(Lifecycle.PER_CLASS)
abstract class PackagedServiceContract {
  static final Path EXAMPLES = Path.of("examples");

  private final HttpClient http = HttpClient.newHttpClient();
  final Replica service;

  /// @param folder the working directory of the process, which is emptied
  /// @param settings beside those that the pages need
  PackagedServiceContract(Path folder, List<String> command, Map<String, String> settings)
      throws IOException {
    FileSystemUtils.deleteRecursively(folder);
    service = new Replica(Files.createDirectories(folder), command, environment(settings));
  }

  /// @param settings beside those that pages and examples need
  static Map<String, String> environment(Map<String, String> settings) {
    var environment = new HashMap<>(settings);
    environment.put("SUPERSTEP_EXTENSIONS", ExampleExtension.build().toAbsolutePath().toString());
    environment.put(
        "SPRING_CONFIG_ADDITIONALLOCATION",
        "file:%s/".formatted(EXAMPLES.resolve("agents").toAbsolutePath()));
    return environment;
  }

  @BeforeAll
  void starts() {
    service.start();
    service.awaitReady();
  }

  @AfterAll
  void ends() {
    service.close();
    http.close();
  }

  @Test
  void showsTheCommittedDocument() throws Exception {
    var committed = Files.readString(Path.of("docs/openapi.yaml"));

    assertThat(get("/v3/api-docs.yaml")).isEqualTo(committed);
    assertThat(Json.read(get("/v3/api-docs"))).isEqualTo(Yaml.read(committed));
  }

  /// What libraries do when nothing is wrong is of no interest to who starts a service.
  @Test
  void saysOnceWhereEverythingIsAndNothingOfLibraries() throws Exception {
    var log = Files.readString(service.log());

    assertThat(log)
        .containsOnlyOnce("is ready after")
        .contains(
            "API         http://127.0.0.1:%d/v1".formatted(service.port()),
            "Swagger UI  http://127.0.0.1:%d/swagger-ui.html".formatted(service.port()),
            "Health      http://127.0.0.1:%d/actuator/health".formatted(service.managementPort()),
            "Data        ");
    assertThat(log.lines().filter(it -> it.matches("\\S+\\s+(INFO|WARN) .*")))
        .isNotEmpty()
        .allSatisfy(it -> assertThat(it).containsPattern(" (dev|d)[.](superstep|s)[.]"));
  }

  @Test
  void servesSwaggerUi() throws Exception {
    var moved = send(service.port(), "/swagger-ui.html");

    assertThat(moved.statusCode()).isEqualTo(302);
    assertThat(moved.headers().firstValue("Location").orElse(""))
        .endsWith("/swagger-ui/index.html");
    assertThat(get("/swagger-ui/index.html")).contains("swagger-ui-bundle.js");
    assertThat(get("/swagger-ui/swagger-ui-bundle.js")).isNotBlank();
    assertThat(get("/v3/api-docs/swagger-config")).contains("/v3/api-docs");
  }

  @Test
  void showsHealthAndMetricsOnTheManagementPort() throws Exception {
    for (var path : List.of("", "/liveness", "/readiness")) {
      var health = send(service.managementPort(), "/actuator/health" + path);
      assertThat(health.statusCode()).as(path).isEqualTo(200);
      assertThat(health.body()).as(path).contains("\"status\":\"UP\"");
    }
    var metrics = send(service.managementPort(), "/actuator/prometheus");
    assertThat(metrics.statusCode()).isEqualTo(200);
    var shown = MetricsPage.shown(metrics.body());
    assertThat(shown)
        .contains("jvm_memory_used_bytes", "superstep_queue_age_seconds", "hikaricp_connections");
    assertThat(shown)
        .filteredOn(it -> it.startsWith("superstep_"))
        .allSatisfy(it -> assertThat(MetricsPage.series()).contains(it));
  }

  /// Compiled as an author of an extension does it.
  @Test
  void runsTheSampleOfNodeFunction() {
    var graph =
        """
        name: greeting
        channels: { name: {}, greeting: {} }
        nodes: [{ id: greet, type: function, config: { function: greet } }]
        edges: [{ from: __start__, to: greet }]
        """;
    var posted = service.post("/v1/graphs", "application/yaml", graph);
    assertThat(posted.status()).as("%s", posted.body()).isEqualTo(201);

    var run =
        service.post(
            "/v1/runs?wait=20s",
            "application/json",
            "{\"graph\": \"greeting\", \"input\": {\"name\": \"Ada\"}}");

    assertThat(Pointer.find(run.body(), "/output/greeting")).contains(Value.of("Hello Ada"));
  }

  private String get(String path) throws IOException, InterruptedException {
    var answer = send(service.port(), path);
    assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(200);
    return answer.body();
  }

  private HttpResponse<String> send(int port, String path)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    return http.send(request, BodyHandlers.ofString());
  }
}
