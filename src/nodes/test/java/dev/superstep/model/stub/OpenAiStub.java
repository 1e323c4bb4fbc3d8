package dev.superstep.model.stub;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// A server that speaks OpenAI's chat completions as OpenAI does, whole and streamed, and says what
/// it is told to.
public final class OpenAiStub implements AutoCloseable {
  private static final int ASKED_MAX = 1_000;
  private final HttpServer server;
  private final Function<Asked, Reply> brain;
  private final AtomicInteger count = new AtomicInteger();
  private final ConcurrentLinkedDeque<Asked> asked = new ConcurrentLinkedDeque<>();
  private volatile Duration pause = Duration.ZERO;

  private OpenAiStub(HttpServer server, Function<Asked, Reply> brain) {
    this.server = server;
    this.brain = brain;
  }

  /// @param port 0: any that is free
  public static OpenAiStub start(int port, Function<Asked, Reply> brain) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    var server = HttpServer.create(address, 1_024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    var stub = new OpenAiStub(server, brain);
    server.createContext("/v1/chat/completions", stub::serve);
    server.start();
    return stub;
  }

  /// Answers one after the other with these; after the last it says so.
  public static OpenAiStub of(Reply... replies) throws IOException {
    return start(
        0,
        it ->
            it.number() <= replies.length
                ? replies[it.number() - 1]
                : Reply.error(400, "script_over", "the script has no more replies"));
  }

  /// For a model's `base-url`.
  public String url() {
    return "http://127.0.0.1:%d/v1".formatted(server.getAddress().getPort());
  }

  /// Of streamed answers, from now on.
  public void pauseBetweenPieces(Duration pause) {
    this.pause = pause;
  }

  /// The last requests, the oldest first.
  public List<Asked> asked() {
    return List.copyOf(asked);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var header = exchange.getRequestHeaders().getFirst("Authorization");
      var traceparent = exchange.getRequestHeaders().getFirst("traceparent");
      var request =
          new Asked(
              count.incrementAndGet(),
              header == null ? "" : header,
              traceparent == null ? "" : traceparent,
              body);
      remember(request);
      answer(exchange, request, brain.apply(request));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void remember(Asked request) {
    asked.add(request);
    if (request.number() > ASKED_MAX) {
      asked.pollFirst();
    }
  }

  private void answer(HttpExchange exchange, Asked request, Reply reply)
      throws IOException, InterruptedException {
    switch (reply) {
      case Reply.Late(var after, var then) -> {
        Thread.sleep(after);
        answer(exchange, request, then);
      }
      case Reply.Status(int status, var body, var headers) -> {
        headers.forEach(exchange.getResponseHeaders()::set);
        send(exchange, status, body);
      }
      case Reply.Garbage(var body) -> send(exchange, 200, body);
      case Reply.Broken _ -> broken(exchange, completion(request, reply), request);
      case Reply.Held(_, var gate) -> held(exchange, completion(request, reply), request, gate);
      default -> whole(exchange, completion(request, reply), request);
    }
  }

  private static Completion completion(Asked request, Reply reply) {
    return Completion.of(String.valueOf(request.body().get("model")), reply);
  }

  private void whole(HttpExchange exchange, Completion completion, Asked request)
      throws IOException, InterruptedException {
    if (!request.isStreamed()) {
      send(exchange, 200, completion.whole(request));
      return;
    }
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    for (var chunk : completion.chunks(request)) {
      event(exchange, chunk);
      Thread.sleep(pause);
    }
  }

  private static void held(
      HttpExchange exchange, Completion completion, Asked request, CountDownLatch gate)
      throws IOException, InterruptedException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    int sent = 0;
    for (var chunk : completion.chunks(request)) {
      if (sent++ == Reply.Held.PIECES) {
        gate.await();
      }
      event(exchange, chunk);
    }
  }

  /// Says that there is more than it sends, and hangs up.
  private static void broken(HttpExchange exchange, Completion completion, Asked request)
      throws IOException {
    if (request.isStreamed()) {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 1_000_000);
      event(exchange, completion.chunks(request).get(1));
    } else {
      var bytes = completion.whole(request).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes, 0, bytes.length / 2);
      exchange.getResponseBody().flush();
    }
  }

  private static void event(HttpExchange exchange, String data) throws IOException {
    var out = exchange.getResponseBody();
    out.write("data: %s\n\n".formatted(data).getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /// What a model that uses a tool says to a request, for a server that is not this one.
  ///
  /// @param number of the request, from 1
  /// @return a chat completion, whole
  public static String exampleAnswer(int number, String request) {
    var asked = new Asked(number, "", "", request);
    return completion(asked, new ExampleModel().apply(asked)).whole(asked);
  }
}
