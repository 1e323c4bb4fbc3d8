package dev.superstep.process;

import dev.superstep.json.Json;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/// The packaged jar, started as a user would start it, with the database it brings. It can be
/// killed as often as a test likes; calls wait until it is up again.
final class ServiceProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final Path folder;
  private final int port = freePort();
  private final int managementPort = freePort();
  private @Nullable Process process;

  ServiceProcess(Path folder) {
    this.folder = folder;
  }

  /// @param status 0 if the service could not be reached
  record Answer(int status, Value body) {
    Value get(String member) {
      return body instanceof ObjectValue object ? object.getOr(member, Value.NULL) : Value.NULL;
    }
  }

  synchronized void start() {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var jar = Objects.requireNonNull(System.getProperty("superstep.jar"), "superstep.jar");
    var builder =
        new ProcessBuilder(java, "-Xmx512m", "--enable-native-access=ALL-UNNAMED", "-jar", jar)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve("service.log").toFile()));
    var environment = builder.environment();
    environment.put("SERVER_PORT", String.valueOf(port));
    environment.put("MANAGEMENT_SERVER_PORT", String.valueOf(managementPort));
    environment.put("SUPERSTEP_EGRESS_ALLOW", "127.0.0.1:*");
    environment.put("SUPERSTEP_LEASE", "2s");
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// SIGKILL: no shutdown hook runs, and the database is left behind.
  synchronized void kill() throws InterruptedException {
    var running = process;
    if (running != null) {
      running.destroyForcibly().waitFor();
    }
  }

  Answer get(String path) {
    return call(HttpRequest.newBuilder(uri(path)).GET());
  }

  Answer post(String path, String type, String body) {
    return call(
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body)));
  }

  /// Calls again until the service answers: it may be down.
  private Answer call(HttpRequest.Builder request) {
    var built = request.timeout(Duration.ofSeconds(70)).build();
    return Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> once(built), it -> it.status() != 0 && it.status() != 503);
  }

  private Answer once(HttpRequest request) throws InterruptedException {
    try {
      var response = http.send(request, BodyHandlers.ofString());
      var body = response.body();
      return new Answer(response.statusCode(), body.isBlank() ? Value.NULL : Json.read(body));
    } catch (IOException e) {
      return new Answer(0, Value.NULL);
    }
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// SIGTERM: the database goes down with the service.
  @Override
  public synchronized void close() {
    var running = process;
    if (running != null && running.isAlive()) {
      running.destroy();
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !running.isAlive());
    }
  }
}
