package dev.superstep.fault;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.fault.TimedCalls.Call;
import dev.superstep.json.Json;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// A remote node function that takes its time and keeps a ledger of who called it with what. Each
/// answer adds 1 to `calls` and appends a block of three to `log`, named after the task.
final class Ledger implements AutoCloseable {
  private static final long NANOS = 40_000_000;

  private final HttpServer server;
  private final Map<String, String> bodies = new ConcurrentHashMap<>();
  private final Map<String, Integer> arrivals = new ConcurrentHashMap<>();
  private final Queue<String> needless = new ConcurrentLinkedQueue<>();
  private final Knowledge knowledge;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger mismatches = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private volatile Gate gate = _ -> LockSupport.parkNanos(NANOS);

  /// What a call waits for before it is answered.
  @FunctionalInterface
  interface Gate {
    /// @param arrival 1 for the first call with this key
    void await(int arrival) throws InterruptedException;
  }

  /// What is known of calls beside the ledger.
  @FunctionalInterface
  interface Knowledge {
    /// Whether the outcome of the call was there when it began.
    boolean hadOutcome(Call call, Instant began);
  }

  Ledger() throws IOException {
    this((_, _) -> false);
  }

  Ledger(Knowledge knowledge) throws IOException {
    this.knowledge = knowledge;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/work", this::work);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/work";
  }

  void gate(Gate wanted) {
    gate = wanted;
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

  /// Calls with a key that had been used before.
  int repeats() {
    return calls.get() - bodies.size();
  }

  /// Calls that repeated a key with another body (I10).
  int mismatches() {
    return mismatches.get();
  }

  /// Calls that came again although their outcome was known when they began (I10).
  List<String> needless() {
    return List.copyOf(needless);
  }

  private void work(HttpExchange exchange) throws IOException {
    try (exchange) {
      var key = String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
      var body = Json.read(exchange.getRequestBody().readAllBytes());
      arrive(key, body, began(exchange));
      open.incrementAndGet();
      try {
        gate.await(arrivals.getOrDefault(key, 1));
      } finally {
        open.decrementAndGet();
      }
      answer(exchange, body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// By the database's clock: a process that is frozen between the beginning of a call and its
  /// sending calls late, and cannot know it.
  private static Instant began(HttpExchange exchange) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst("Superstep-Deadline"))
        .map(it -> Instant.parse(it).minus(Shapes.TIMEOUT))
        .orElseGet(Instant::now);
  }

  /// Enters a call, before it is answered.
  void arrive(String key, Value body, Instant began) {
    calls.incrementAndGet();
    int arrival = arrivals.merge(key, 1, Integer::sum);
    var text = Canonical.text(body);
    var before = bodies.putIfAbsent(key, text);
    if (before != null && !before.equals(text)) {
      mismatches.incrementAndGet();
    }
    if (arrival > 1) {
      lookUp(Call.of(body), arrival, began);
    }
  }

  private void lookUp(Call call, int arrival, Instant began) {
    if (knowledge.hadOutcome(call, began)) {
      needless.add("call %d of %s, which began at %s".formatted(arrival, call, began));
    }
  }

  private static void answer(HttpExchange exchange, Value body) throws IOException {
    var name = named(body);
    var block = ListValue.empty();
    for (int part = 1; part <= 3; part++) {
      block = block.plus(Value.of(name + "#" + part));
    }
    var answer =
        Canonical.bytes(
            ObjectValue.of("update", ObjectValue.of("log", block).plus("calls", Value.of(1))));
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
  }

  private static String named(Value body) {
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
