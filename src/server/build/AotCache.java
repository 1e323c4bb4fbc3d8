import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// Fills a cache of classes and profiles for the JVM: `AotCache <cache> java <flags> -jar <jar>`.
/// The command is run once over a database of its own, with some requests, in the current folder: a
/// later start with `-XX:AOTCache=<cache>` must have the same JVM, flags and jars. The class path
/// is that of a jar with an embedded PostgreSQL.
public class AotCache {
  private static final Duration START_MAX = Duration.ofMinutes(4);
  private static final Duration END_MAX = Duration.ofMinutes(8);

  /// At a time, as under load.
  private static final int CALLERS = 8;

  /// Of each caller. The profile of what has not become hot in them is not in the cache.
  private static final int RUNS = Integer.getInteger("runs", 250);

  private static final String GRAPH =
      """
      name: training
      channels:
        findings: { reducer: append }
      nodes:
        - id: plan
          type: expression
          config: { dispatch: "{{ fan_out('work', input.topics, 'topic') }}" }
          targets: [work]
        - id: work
          type: expression
          config: { update: { findings: "about {{ input.topic }}" } }
        - id: report
          type: expression
          config: { update: { report: "{{ state.findings.join('; ') }}" } }
      edges:
        - { from: __start__, to: plan }
        - { from: work, to: report }
      """;

  private static final String RUN =
      """
      {"graph": "training", "input": {"topics": ["sea", "sun", "salt"]}}\
      """;

  private final HttpClient http = HttpClient.newHttpClient();
  private final int port = freePort();
  private final int managementPort = freePort();

  public static void main(String[] arguments) throws Exception {
    var cache = Path.of(arguments[0]).toAbsolutePath();
    var command = new ArrayList<>(Arrays.asList(arguments).subList(1, arguments.length));
    command.add(1, "-XX:AOTCacheOutput=" + cache);
    Files.deleteIfExists(cache);
    var folder = Files.createTempDirectory("aot-cache");
    var log = folder.resolve("service.log");
    try {
      new AotCache().train(command, log, folder);
      if (Files.notExists(cache)) {
        throw new IllegalStateException("The JVM has written no cache.");
      }
    } catch (Exception e) {
      if (Files.exists(log)) {
        System.err.println(Files.readString(log));
      }
      throw e;
    } finally {
      delete(folder);
    }
    System.out.printf("%s: %d MB%n", cache, Files.size(cache) / 1_000_000);
  }

  private void train(List<String> command, Path log, Path folder) throws Exception {
    try (var database =
        EmbeddedPostgres.builder()
            .setOverrideWorkingDirectory(folder.resolve("bin").toFile())
            .setDataDirectory(folder.resolve("pg"))
            .setLocaleConfig("locale", "C")
            .setServerConfig("synchronous_commit", "on")
            .setPGStartupWait(START_MAX)
            .start()) {
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.redirectOutput(log.toFile());
      builder.environment().putAll(settings(database));
      var service = builder.start();
      try {
        awaitReady(service);
        work();
        service.destroy();
        if (!service.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)) {
          throw new IllegalStateException("The service does not end.");
        }
      } finally {
        service.destroyForcibly();
      }
    }
  }

  private Map<String, String> settings(EmbeddedPostgres database) {
    return Map.of(
        "SPRING_DATASOURCE_URL",
        database.getJdbcUrl("postgres", "postgres"),
        "SPRING_DATASOURCE_USERNAME",
        "postgres",
        "SPRING_DATASOURCE_PASSWORD",
        "postgres",
        "SERVER_ADDRESS",
        "127.0.0.1",
        "SERVER_PORT",
        String.valueOf(port),
        "MANAGEMENT_SERVER_PORT",
        String.valueOf(managementPort));
  }

  private void awaitReady(Process service) throws InterruptedException {
    var end = Instant.now().plus(START_MAX);
    while (!isReady()) {
      if (!service.isAlive() || Instant.now().isAfter(end)) {
        throw new IllegalStateException("The service does not start.");
      }
      Thread.sleep(200);
    }
  }

  private boolean isReady() throws InterruptedException {
    try {
      var health = "http://127.0.0.1:" + managementPort + "/actuator/health/readiness";
      var request = HttpRequest.newBuilder(URI.create(health)).build();
      return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /// What is done here is in the cache, so it is what services do first.
  private void work() throws Exception {
    post("/v1/graphs", "application/yaml", GRAPH);
    runs();
    send(request("/v1/runs").build());
    send(request("/v1/graphs").build());
  }

  private void runs() throws Exception {
    try (var callers = Executors.newFixedThreadPool(CALLERS)) {
      var all = new ArrayList<Callable<Void>>();
      for (int i = 0; i < CALLERS; i++) {
        all.add(
            () -> {
              for (int run = 0; run < RUNS; run++) {
                post("/v1/runs?wait=20s", "application/json", RUN);
              }
              return null;
            });
      }
      for (var done : callers.invokeAll(all)) {
        done.get();
      }
    }
  }

  private void post(String path, String type, String body)
      throws IOException, InterruptedException {
    send(request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)).build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private void send(HttpRequest request) throws IOException, InterruptedException {
    var answer = http.send(request, BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IllegalStateException(request + ": " + answer.statusCode() + " " + answer.body());
    }
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
