package dev.superstep.fault;

import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/// One process of the service, which can be killed, frozen and started again as often as a test
/// likes.
public final class Replica implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern NAME = Pattern.compile("This replica is (\\S+)");

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final Path folder;
  private final Map<String, String> environment;
  private final int port = Processes.freePort();
  private final int managementPort = Processes.freePort();
  private volatile List<String> command;
  private volatile boolean frozen;
  private volatile @Nullable Process process;

  /// @param folder its working directory, and where its log goes
  public Replica(Path folder, List<String> command, Map<String, String> environment) {
    this.folder = folder;
    this.command = List.copyOf(command);
    this.environment = Map.copyOf(environment);
    Runtime.getRuntime().addShutdownHook(new Thread(this::leaveNothingBehind));
  }

  /// A suite that is cut off takes its processes with it.
  private void leaveNothingBehind() {
    var running = process;
    if (running != null) {
      running.destroyForcibly();
    }
  }

  /// @param status 0 if the service could not be reached
  public record Answer(int status, Value body) {
    static final Answer NONE = new Answer(0, Value.NULL);

    static Answer of(HttpResponse<String> response) {
      return new Answer(response.statusCode(), parsed(response.body()));
    }

    Value get(String member) {
      return body instanceof ObjectValue object ? object.getOr(member, Value.NULL) : Value.NULL;
    }

    String text(String member) {
      return get(member) instanceof Value.Text(var text) ? text : "";
    }

    long number(String member) {
      return get(member) instanceof Value.Int(var number) ? number : -1;
    }

    /// Whether somebody who looked into the request has answered it.
    boolean given() {
      return status != 0 && status != 503;
    }
  }

  public synchronized void start() {
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    builder.environment().put("SERVER_PORT", String.valueOf(port));
    builder.environment().put("MANAGEMENT_SERVER_PORT", String.valueOf(managementPort));
    builder.environment().put("SUPERSTEP_EGRESS_ALLOW", "127.0.0.1:*");
    builder.environment().putAll(environment);
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What the next start runs, of another release perhaps.
  void become(List<String> other) {
    command = List.copyOf(other);
  }

  public Path log() {
    return folder.resolve("service.log");
  }

  public int port() {
    return port;
  }

  public int managementPort() {
    return managementPort;
  }

  public long pid() {
    return handle().pid();
  }

  public boolean alive() {
    var running = process;
    return running != null && running.isAlive();
  }

  boolean reachable() {
    return alive() && !frozen;
  }

  public void awaitReady() {
    awaitReady(PATIENCE);
  }

  /// @throws AssertionError with its log if it ends instead, and with its threads if it does
  ///   neither
  void awaitReady(Duration atMost) {
    try {
      Awaitility.await()
          .atMost(atMost)
          .pollInterval(Duration.ofMillis(100))
          .until(() -> ready() || !alive());
    } catch (ConditionTimeoutException _) {
      throw notReady();
    }
    if (!alive()) {
      throw StartFailure.ended(log(), exitCode());
    }
  }

  private AssertionError notReady() {
    try {
      return StartFailure.stuck(log(), handle());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  boolean ready() {
    return reachable() && readiness() == 200;
  }

  /// The status of the probe; 0 if it is not answered.
  public int readiness() {
    return once(management("/actuator/health/readiness"), 2).status();
  }

  /// The status of one attempt; 0 if it is not answered.
  public int tryGet(String path) {
    return once(request(path).GET(), 2).status();
  }

  /// Its name in the cluster, which owns runs; empty before it has one.
  Optional<String> owner() {
    try {
      return NAME.matcher(Files.readString(log()))
          .results()
          .map(it -> it.group(1))
          .reduce((_, last) -> last);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Threads that ended by an exception nobody expected.
  List<String> brokenThreads() {
    try (var lines = Files.lines(log())) {
      return lines.filter(it -> it.startsWith("Exception in thread")).limit(3).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// SIGKILL: no shutdown hook runs.
  public synchronized void kill() throws InterruptedException {
    var running = process;
    if (running != null) {
      running.destroyForcibly().waitFor();
    }
    frozen = false;
  }

  void freeze() throws InterruptedException {
    frozen = true;
    Processes.send(handle(), Processes.Signal.STOP);
  }

  void thaw() throws InterruptedException {
    Processes.send(handle(), Processes.Signal.CONT);
    frozen = false;
  }

  private ProcessHandle handle() {
    var running = process;
    if (running == null) {
      throw new IllegalStateException("the replica was never started");
    }
    return running.toHandle();
  }

  /// Writes of its drivers that the fence has refused, since its start.
  double rejectedWrites() {
    return Awaitility.await("the metrics of the replica in " + folder)
        .atMost(Duration.ofSeconds(30))
        .ignoreException(IOException.class)
        .until(this::readRejectedWrites, it -> it >= 0);
  }

  private double readRejectedWrites() throws IOException, InterruptedException {
    var request = management("/actuator/prometheus").timeout(Duration.ofSeconds(5)).build();
    return http.send(request, BodyHandlers.ofString())
        .body()
        .lines()
        .filter(it -> it.startsWith("superstep_commits_rejected_total"))
        .mapToDouble(it -> Double.parseDouble(it.substring(it.lastIndexOf(' ') + 1)))
        .max()
        .orElse(-1);
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private HttpRequest.Builder management(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + managementPort + path));
  }

  HttpResponse<Void> head(String path) throws IOException, InterruptedException {
    return http.send(request(path).GET().build(), BodyHandlers.discarding());
  }

  public Answer get(String path) {
    return call(request(path).GET());
  }

  public Answer post(String path, String type, String body) {
    return call(request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
  }

  /// Calls again until the service answers: it may be down.
  private Answer call(HttpRequest.Builder request) {
    return Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> once(request, 70), Answer::given);
  }

  /// @return [Answer#NONE] if there was no answer within so many seconds
  Answer once(HttpRequest.Builder request, int seconds) {
    try {
      var built = request.copy().timeout(Duration.ofSeconds(seconds)).build();
      return Answer.of(http.send(built, BodyHandlers.ofString()));
    } catch (IOException e) {
      return Answer.NONE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.NONE;
    }
  }

  private static Value parsed(String body) {
    return body.startsWith("{") ? Json.read(body) : Value.NULL;
  }

  /// SIGTERM.
  public void terminate() {
    handle().destroy();
  }

  public void awaitEnd() {
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !alive());
  }

  /// Of the process that has ended last.
  public int exitCode() {
    var ended = process;
    if (ended == null) {
      throw new IllegalStateException("the replica was never started");
    }
    return ended.exitValue();
  }

  /// SIGTERM; an embedded database goes down with the service.
  @Override
  public void close() {
    if (alive()) {
      terminate();
      awaitEnd();
    }
    http.close();
  }
}
