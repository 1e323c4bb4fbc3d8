package dev.superstep.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.state.Canonical;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// A remote node function that takes its time and keeps a ledger of who called it with what.
final class SlowServer implements AutoCloseable {
  private static final long NANOS = 40_000_000;

  private final HttpServer server;
  private final Map<String, String> bodies = new ConcurrentHashMap<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger mismatches = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();

  SlowServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/work", this::work);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/work";
  }

  int calls() {
    return calls.get();
  }

  /// Calls that have not been answered yet.
  int open() {
    return open.get();
  }

  int keys() {
    return bodies.size();
  }

  /// Calls that repeated a key with another body (I10).
  int mismatches() {
    return mismatches.get();
  }

  private void work(HttpExchange exchange) throws IOException {
    var key = String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
    var body = Json.read(exchange.getRequestBody().readAllBytes());
    calls.incrementAndGet();
    var before = bodies.putIfAbsent(key, Canonical.text(body));
    if (before != null && !before.equals(Canonical.text(body))) {
      mismatches.incrementAndGet();
    }
    open.incrementAndGet();
    LockSupport.parkNanos(NANOS);
    open.decrementAndGet();
    var answer =
        Canonical.bytes(
            ObjectValue.of(
                "update",
                ObjectValue.of("done", Value.of(described(body))).plus("calls", Value.of(1))));
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private static String described(Value body) {
    return body instanceof ObjectValue object
        ? "%s %s %s"
            .formatted(
                Canonical.text(object.getOr("node", Value.NULL)),
                Canonical.text(object.getOr("superstep", Value.NULL)),
                Canonical.text(object.getOr("input", Value.NULL)))
        : "?";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
