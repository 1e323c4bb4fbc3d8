package dev.superstep.fault;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// A service that steps call under `/task/place…`, slowly enough to be killed meanwhile. It answers
/// each call with another number, and knows which calls should not have come: those of a step when
/// one behind it was called already, and the second one of a step that may be called once only.
final class CalledSteps implements AutoCloseable {
  private static final Duration TIME = Duration.ofMillis(60);

  private final HttpServer server;
  private final int once;
  private final AtomicInteger number = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();

  /// What was answered to the calls of each step, by its path.
  private final ConcurrentMap<String, List<String>> answers = new ConcurrentHashMap<>();

  /// The last place of each task at which a call has arrived.
  private final ConcurrentMap<String, Integer> reached = new ConcurrentHashMap<>();

  private final Set<String> wrong = new ConcurrentSkipListSet<>();

  /// @param once the place of the step that may be called once only
  CalledSteps(int once) throws IOException {
    this.once = once;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::serve);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
  }

  int calls() {
    return number.get();
  }

  int steps() {
    return answers.size();
  }

  /// Calls beyond the first one of each step.
  int repeats() {
    return answers.values().stream().mapToInt(it -> it.size() - 1).sum();
  }

  int inFlight() {
    return inFlight.get();
  }

  /// What should not have come.
  Set<String> wrong() {
    return wrong;
  }

  /// Looks whether the results of a run are answers that were given to steps of it.
  ///
  /// @param tasks what paths of its steps begin with
  void check(String run, String tasks, ListValue results) {
    var given =
        answers.entrySet().stream()
            .filter(it -> it.getKey().startsWith(tasks))
            .flatMap(it -> it.getValue().stream())
            .toList();
    for (var result : results) {
      var text = ((Value.Text) result).value();
      if (!text.equals("unknown_outcome") && !given.contains(text)) {
        wrong.add("%s has a result that nobody gave: %s".formatted(run, text));
      }
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var step = exchange.getRequestURI().getPath().substring(1);
      var parts = step.split("/", -1);
      int place = Integer.parseInt(parts[1]);
      int last = reached.merge(parts[0], place, Math::max);
      if (last > place) {
        wrong.add("%s was called when its task was at %d already".formatted(step, last));
      }
      var answer = String.valueOf(number.incrementAndGet());
      var all = answers.computeIfAbsent(step, _ -> new CopyOnWriteArrayList<>());
      all.add(answer);
      if (place == once && all.size() > 1) {
        wrong.add(step + " was called more than once");
      }
      inFlight.incrementAndGet();
      LockSupport.parkNanos(TIME.toNanos());
      inFlight.decrementAndGet();
      var body = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
