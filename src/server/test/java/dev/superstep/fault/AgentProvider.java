package dev.superstep.fault;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
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
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;

/// A model with the API of OpenAI, and the service that the tools of its agents call. It has an
/// agent call a tool, then two, then it answers: each time something else, so that a call that is
/// made again would be seen. Agents of workflows it answers as their roles want.
final class AgentProvider implements AutoCloseable {
  private static final Pattern RUN = Pattern.compile("run-\\d+-\\d+");

  private static final Duration PAUSE = Duration.ofMillis(60);

  private final HttpServer server;
  private final AtomicInteger number = new AtomicInteger();

  /// What has asked the same, by run and what was asked.
  private final ConcurrentMap<String, List<AgentVisit>> visits = new ConcurrentHashMap<>();

  /// When they were over, by `System.nanoTime`.
  private final List<Long> kills = new CopyOnWriteArrayList<>();

  private volatile Predicate<String> recorded = _ -> false;

  private final Set<String> wrong = new ConcurrentSkipListSet<>();

  /// @param token that only this answer has in it
  /// @param at when it came
  private record AgentVisit(String answer, String token, long at) {}

  AgentProvider() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/orders/", this::order);
    server.createContext("/v1/chat/completions", this::chat);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// Where the replicas record steps.
  void recordedIn(JdbcClient database) {
    recorded =
        answer ->
            database
                .sql(
                    """
                    select exists (select from superstep.task_step
                                   where position(convert_to(:answer, 'UTF8') in content) > 0)
                    """)
                .param("answer", answer)
                .query(Boolean.class)
                .single();
  }

  /// Kills a replica. A call that came before, and is not recorded, may come again, and no other.
  void during(Kill kill) throws InterruptedException {
    kill.run();
    kills.add(System.nanoTime());
  }

  /// Ends when the process has.
  @FunctionalInterface
  interface Kill {
    void run() throws InterruptedException;
  }

  /// Calls that came again though they were recorded, or without a kill.
  Set<String> wrong() {
    return wrong;
  }

  int places() {
    return visits.size();
  }

  int calls() {
    return visits.values().stream().mapToInt(List::size).sum();
  }

  boolean hasGiven(String run, String answer) {
    return visits.entrySet().stream()
        .filter(it -> it.getKey().startsWith(run + "/"))
        .flatMap(it -> it.getValue().stream())
        .anyMatch(it -> it.answer().equals(answer));
  }

  private AgentVisit answered(String run, String asked, AgentRole role) {
    int last = number.incrementAndGet();
    var now = new AgentVisit(role.answer(last), role.token(last), System.nanoTime());
    var here = visits.computeIfAbsent(run + "/" + asked, _ -> new CopyOnWriteArrayList<>());
    if (!here.isEmpty()) {
      check(run, asked, here.getLast());
    }
    here.add(now);
    LockSupport.parkNanos(PAUSE.toNanos());
    return now;
  }

  private void check(String run, String asked, AgentVisit before) {
    if (recorded.test(before.token())) {
      wrong.add("%s asked again what is recorded: %s".formatted(run, asked));
    }
    if (kills.stream().noneMatch(it -> it - before.at() > 0)) {
      wrong.add("%s asked again without a kill: %s".formatted(run, asked));
    }
  }

  /// `/orders/{run}/{boxes}`.
  private void order(HttpExchange exchange) throws IOException {
    try (exchange) {
      var parts = exchange.getRequestURI().getPath().split("/", -1);
      send(
          exchange,
          "text/plain",
          answered(parts[2], parts[3], new AgentRole.Answering(parts[2], "")).answer());
    }
  }

  private void chat(HttpExchange exchange) throws IOException {
    try (exchange) {
      var request =
          (ObjectValue)
              Json.read(
                  new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      var text = Json.write(request);
      var run = RUN.matcher(text).results().findFirst().orElseThrow().group();
      var messages = request.list("messages").items(ObjectValue.class).toList();
      var role = AgentRole.of(run, messages, request.has("tools"));
      var answer = answered(run, Json.write(request.list("messages")), role);
      boolean streamed = request.getOr("stream", Value.NULL).equals(Value.TRUE);
      var message = role.message(answer.answer());
      var body = streamed ? streamed(message) : Json.write(whole(message));
      send(exchange, streamed ? "text/event-stream" : "application/json", body);
    }
  }

  private static ObjectValue whole(ObjectValue message) {
    var usage =
        ObjectValue.of("prompt_tokens", 10).plus("completion_tokens", 5).plus("total_tokens", 15);
    return envelope("chat.completion", choice("message", message)).plus("usage", usage);
  }

  private static ObjectValue choice(String key, ObjectValue message) {
    var reason = message.has("tool_calls") ? "tool_calls" : "stop";
    return ObjectValue.of("index", 0).plus(key, message).plus("finish_reason", reason);
  }

  private static ObjectValue envelope(String type, ObjectValue choice) {
    return ObjectValue.of("id", "chatcmpl-1")
        .plus("object", type)
        .plus("created", 1_700_000_000L)
        .plus("model", "gpt-4o-mini")
        .plus("choices", ListValue.of(choice));
  }

  private static String streamed(ObjectValue message) {
    return "data: %s\n\ndata: [DONE]\n\n"
        .formatted(Json.write(envelope("chat.completion.chunk", choice("delta", message))));
  }

  private static void send(HttpExchange exchange, String type, String text) throws IOException {
    var body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
