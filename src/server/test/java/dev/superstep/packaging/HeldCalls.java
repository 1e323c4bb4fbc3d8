package dev.superstep.packaging;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A service whose answers are held back, by path, until the test lets them go.
final class HeldCalls implements AutoCloseable {
  private static final byte[] ANSWER = "{}".getBytes(StandardCharsets.UTF_8);

  private final Map<String, List<String>> keys = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> answers = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  HeldCalls() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::hold);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// The idempotency keys of the calls that have come in.
  List<String> keys(String path) {
    return keys.getOrDefault(path, List.of());
  }

  /// Answers all calls of this path, those to come included.
  void answer(String path) {
    latch(path).countDown();
  }

  private CountDownLatch latch(String path) {
    return answers.computeIfAbsent(path, _ -> new CountDownLatch(1));
  }

  private void hold(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      var path = exchange.getRequestURI().getPath().substring(1);
      keys.computeIfAbsent(path, _ -> new CopyOnWriteArrayList<>())
          .add(String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")));
      latch(path).await();
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, ANSWER.length);
      exchange.getResponseBody().write(ANSWER);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    answers.values().forEach(CountDownLatch::countDown);
    server.stop(0);
    threads.shutdownNow();
  }
}
