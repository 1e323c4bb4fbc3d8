package dev.superstep.durable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the effects of all cases reach: `/<case>/<name>`. It counts, and answers as the case says.
final class OutsideService implements AutoCloseable {
  private final Map<String, DurableCase> cases;
  private final Map<String, List<Effect>> effects = new ConcurrentHashMap<>();
  private final Map<String, String> tokens = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final HttpServer server;

  /// @param nanos when it came
  record Effect(String name, long nanos) {}

  OutsideService(List<DurableCase> cases) throws IOException {
    this.cases = cases.stream().collect(Collectors.toMap(DurableCase::id, Function.identity()));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::serve);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
  }

  /// What has arrived of a case, in order.
  List<Effect> effects(String id) {
    return List.copyOf(effects.getOrDefault(id, List.of()));
  }

  /// Whether a call that is never answered has arrived.
  boolean holds(DurableCase it) {
    var all = effects(it.id());
    if (all.isEmpty()) {
      return false;
    }
    var name = all.getLast().name();
    long count = all.stream().filter(one -> one.name().equals(name)).count();
    return answer(it, name, count).equals(Value.of("hold"));
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var parts = exchange.getRequestURI().getPath().substring(1).split("/", 2);
      var sent = exchange.getRequestBody().readAllBytes();
      long count = note(parts[0], new Effect(parts[1], System.nanoTime()));
      tokenIn(sent).ifPresent(it -> tokens.put(parts[0] + "/" + parts[1], it));
      var answer = answer(Objects.requireNonNull(cases.get(parts[0])), parts[1], count);
      if (answer.equals(Value.of("hold"))) {
        closed.await();
      } else if (answer instanceof Value.Null && sent.length > 0) {
        send(exchange, 200, Json.read(sent));
      } else {
        answer(exchange, answer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Optional<String> tokenIn(byte[] sent) {
    return sent.length > 0 && sent[0] == '{' && Json.read(sent) instanceof ObjectValue body
        ? body.findText("token")
        : Optional.empty();
  }

  /// The token of the callback that a call of this name has brought last; null: none has come.
  @Nullable String token(String id, String name) {
    return tokens.get(id + "/" + name);
  }

  /// @return how often it has been called
  private long note(String id, Effect effect) {
    return effects
        .merge(
            id, List.of(effect), (all, one) -> Stream.concat(all.stream(), one.stream()).toList())
        .stream()
        .filter(it -> it.name().equals(effect.name()))
        .count();
  }

  /// The last one again when all are used up; null, for what was sent, if the case says none.
  private static Value answer(DurableCase it, String name, long count) {
    var answers = it.answers(name);
    return answers.isEmpty() ? Value.NULL : answers.get((int) Math.min(count, answers.size()) - 1);
  }

  private static void answer(HttpExchange exchange, Value answer) throws IOException {
    if (answer instanceof ObjectValue object && object.has("fail")) {
      exchange.getResponseHeaders().add("Content-Type", "application/problem+json");
      var body = ObjectValue.of("code", object.text("fail")).plus("detail", object.text("fail"));
      send(exchange, object.flag("retryable", true) ? 503 : 422, body);
    } else if (answer instanceof ObjectValue object && object.has("late")) {
      LockSupport.parkNanos(Duration.ofMillis(object.whole("late")).toNanos());
      send(exchange, 200, object.getOr("give", Value.NULL));
    } else {
      send(exchange, 200, answer);
    }
  }

  private static void send(HttpExchange exchange, int status, Value body) throws IOException {
    var bytes = Canonical.text(body).getBytes(StandardCharsets.UTF_8);
    if (!exchange.getResponseHeaders().containsKey("Content-Type")) {
      exchange.getResponseHeaders().add("Content-Type", "application/json");
    }
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}
