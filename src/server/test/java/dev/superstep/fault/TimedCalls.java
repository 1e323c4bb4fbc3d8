package dev.superstep.fault;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// A remote node function that answers after a random time, and knows when it has answered whom.
final class TimedCalls implements AutoCloseable {
  private static final byte[] ANSWER =
      "{\"update\": {\"calls\": 1}}".getBytes(StandardCharsets.UTF_8);

  private final Map<Call, Instant> answered = new ConcurrentHashMap<>();
  private final Map<Call, Integer> arrivals = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SplittableRandom random;
  private final Duration least;
  private final Duration most;
  private final HttpServer server;

  /// What the database calls a task.
  record Call(String run, long superstep, String task) {
    static Call of(Value body) {
      var node = text(body, "/node");
      var dispatch = text(body, "/dispatch/id");
      return new Call(
          text(body, "/run/id"),
          Pointer.find(body, "/superstep").orElseThrow() instanceof Value.Int(var at) ? at : -1,
          dispatch.isEmpty() ? node : node + ":" + dispatch);
    }

    private static String text(Value body, String path) {
      return Pointer.find(body, path).orElse(Value.NULL) instanceof Value.Text(var text)
          ? text
          : "";
    }
  }

  TimedCalls(long seed, Duration least, Duration most) throws IOException {
    random = new SplittableRandom(seed);
    this.least = least;
    this.most = most;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
    server.setExecutor(threads);
    server.createContext("/", this::work);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /// When each call was answered first.
  Map<Call, Instant> answered() {
    return Map.copyOf(answered);
  }

  /// How often each call has come in.
  Map<Call, Integer> arrivals() {
    return Map.copyOf(arrivals);
  }

  private synchronized long pause() {
    return random.nextLong(least.toMillis(), most.toMillis());
  }

  private void work(HttpExchange exchange) throws IOException {
    try (exchange) {
      var call = Call.of(Json.read(exchange.getRequestBody().readAllBytes()));
      arrivals.merge(call, 1, Integer::sum);
      TimeUnit.MILLISECONDS.sleep(pause());
      answered.putIfAbsent(call, Instant.now());
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, ANSWER.length);
      exchange.getResponseBody().write(ANSWER);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
