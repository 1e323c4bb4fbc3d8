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
/// made again would be seen.
///
/// Each call has a place in its run: a request grows with each message, and the calls of tools that
/// it asks for come between it and the next one.
final class AgentProvider implements AutoCloseable {
  private static final Pattern RUN = Pattern.compile("run-\\d+-\\d+");

  /// There are fewer messages than that.
  private static final int QUESTION = 100;

  private static final Duration PAUSE = Duration.ofMillis(60);

  private final HttpServer server;
  private final AtomicInteger number = new AtomicInteger();

  /// How long an answer may take from here until a replica has recorded it.
  private static final Duration RECORDING = Duration.ofSeconds(2);

  /// The calls of each place, by `run/place`.
  private final ConcurrentMap<String, List<AgentVisit>> requests = new ConcurrentHashMap<>();

  private final List<Span> kills = new CopyOnWriteArrayList<>();
  private volatile Predicate<String> recorded = _ -> false;

  /// The last place of each run at which a call has arrived.
  private final ConcurrentMap<String, Integer> reached = new ConcurrentHashMap<>();

  private final Set<String> wrong = new ConcurrentSkipListSet<>();

  /// @param from by `System.nanoTime`, as `to`
  private record Span(long from, long to) {}

  /// @param at when it came
  private record AgentVisit(String answer, long at) {
    /// Whether it may have been neither answered nor recorded when the kill came.
    boolean isHitBy(Span kill) {
      return at < kill.to() && kill.from() < at + PAUSE.plus(RECORDING).toNanos();
    }
  }

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
                    select exists (select from task_step
                                   where position(convert_to(:answer, 'UTF8') in content) > 0)
                    """)
                .param("answer", answer)
                .query(Boolean.class)
                .single();
  }

  /// Kills a replica: calls that are in flight meanwhile, and no others, may come again.
  void during(Kill kill) throws InterruptedException {
    long from = System.nanoTime();
    kill.run();
    kills.add(new Span(from, System.nanoTime()));
  }

  /// Ends when the process has.
  @FunctionalInterface
  interface Kill {
    void run() throws InterruptedException;
  }

  /// Calls that came when their run was further on, that were recorded, or that no kill has hit.
  Set<String> wrong() {
    return wrong;
  }

  int places() {
    return requests.size();
  }

  int calls() {
    return requests.values().stream().mapToInt(List::size).sum();
  }

  boolean hasGiven(String run, String answer) {
    return requests.entrySet().stream()
        .filter(it -> it.getKey().startsWith(run + "/"))
        .flatMap(it -> it.getValue().stream())
        .anyMatch(it -> it.answer().equals(answer));
  }

  private String answered(String run, int place) {
    int last = reached.merge(run, place, Math::max);
    if (last > place) {
      wrong.add("%s was called at %d when it was at %d already".formatted(run, place, last));
    }
    var now = new AgentVisit("answer %d.".formatted(number.incrementAndGet()), System.nanoTime());
    var here = requests.computeIfAbsent(run + "/" + place, _ -> new CopyOnWriteArrayList<>());
    if (!here.isEmpty()) {
      check(run, place, here.getLast());
    }
    here.add(now);
    LockSupport.parkNanos(PAUSE.toNanos());
    return now.answer();
  }

  /// A call that is made again.
  private void check(String run, int place, AgentVisit before) {
    if (recorded.test(before.answer())) {
      wrong.add("%s was called again at %d, which is recorded".formatted(run, place));
    }
    if (kills.stream().noneMatch(before::isHitBy)) {
      wrong.add("%s was called again at %d, which no kill had hit".formatted(run, place));
    }
  }

  /// `/orders/{run}/{place}`.
  private void order(HttpExchange exchange) throws IOException {
    try (exchange) {
      var parts = exchange.getRequestURI().getPath().split("/", -1);
      send(exchange, "text/plain", answered(parts[2], Integer.parseInt(parts[3])));
    }
  }

  private void chat(HttpExchange exchange) throws IOException {
    try (exchange) {
      var request =
          (ObjectValue)
              Json.read(
                  new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      var messages = request.list("messages").items(ObjectValue.class).toList();
      var run = RUN.matcher(Json.write(request)).results().findFirst().orElseThrow().group();
      int place = place(messages);
      var answer = answered(run, place);
      boolean streamed = request.getOr("stream", Value.NULL).equals(Value.TRUE);
      var message = message(run, place, results(messages), answer);
      var body = streamed ? streamed(message) : Json.write(whole(message));
      send(exchange, streamed ? "text/event-stream" : "application/json", body);
    }
  }

  /// A memory may leave out what was between two questions.
  private static int place(List<ObjectValue> messages) {
    long questions = messages.stream().filter(it -> it.text("role").equals("user")).count();
    return QUESTION * Math.toIntExact(questions) + messages.size();
  }

  /// How many tools have answered since the last question.
  private static int results(List<ObjectValue> messages) {
    int results = 0;
    for (var it : messages.reversed()) {
      if (it.text("role").equals("user")) {
        break;
      }
      results += it.text("role").equals("tool") ? 1 : 0;
    }
    return results;
  }

  private static ObjectValue message(String run, int place, int results, String answer) {
    var said = ObjectValue.of("role", "assistant");
    return switch (results) {
      case 0 -> said.plus("tool_calls", calls(run, place, 1));
      case 1 -> said.plus("tool_calls", calls(run, place, 2));
      default -> said.plus("content", answer);
    };
  }

  private static ListValue calls(String run, int place, int count) {
    var calls = ListValue.builder();
    for (int i = 0; i < count; i++) {
      var arguments = ObjectValue.of("fruit", run).plus("boxes", place + i + 1);
      calls.add(
          ObjectValue.of("id", "call_%d_%d".formatted(place, i))
              .plus("index", i)
              .plus("type", "function")
              .plus(
                  "function",
                  ObjectValue.of("name", "order").plus("arguments", Json.write(arguments))));
    }
    return calls.build();
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
