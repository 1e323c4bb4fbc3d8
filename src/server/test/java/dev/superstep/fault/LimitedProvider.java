package dev.superstep.fault;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/// A provider that counts requests and tokens, both in any sixty seconds and by a bucket of a
/// minute's allowance that is filled evenly, and answers 429 to what exceeds either.
final class LimitedProvider implements AutoCloseable {
  /// Of each call.
  static final int TOKENS = 1_400;

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private static final String ANSWER =
      """
      {"id": "c", "object": "chat.completion", "created": 1, "model": "m",
       "choices": [{"index": 0, "finish_reason": "stop",
                    "message": {"role": "assistant", "content": "fine"}}],
       "usage": {"prompt_tokens": 400, "completion_tokens": 1000, "total_tokens": 1400}}
      """;

  private static final String REFUSAL =
      """
      {"error": {"message": "Rate limit reached", "type": "requests", "code": "rate_limit_exceeded"}}
      """;

  private final HttpServer server;
  private final double requestsMax;
  private final double tokensMax;
  private final Deque<Long> lastMinute = new ArrayDeque<>();
  private final List<Long> arrivals = new ArrayList<>();
  private double requestsLeft;
  private double tokensLeft;
  private long filled = System.nanoTime();
  private long begun;
  private final List<Duration> refused = new ArrayList<>();

  LimitedProvider(int requestsPerMinute, int tokensPerMinute) throws IOException {
    requestsMax = requestsPerMinute;
    tokensMax = tokensPerMinute;
    requestsLeft = requestsMax;
    tokensLeft = tokensMax;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/v1/chat/completions", this::serve);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:%d/v1".formatted(server.getAddress().getPort());
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean admitted = admits(System.nanoTime());
      exchange.getRequestBody().readAllBytes();
      if (admitted) {
        Thread.sleep(ThreadLocalRandom.current().nextLong(100, 1_000));
      }
      var body = (admitted ? ANSWER : REFUSAL).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(admitted ? 200 : 429, body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean admits(long now) {
    begun = arrivals.isEmpty() && refused.isEmpty() ? now : begun;
    while (!lastMinute.isEmpty() && now - lastMinute.peek() >= MINUTE) {
      lastMinute.remove();
    }
    double minutes = (double) (now - filled) / MINUTE;
    filled = now;
    requestsLeft = Math.min(requestsMax, requestsLeft + minutes * requestsMax);
    tokensLeft = Math.min(tokensMax, tokensLeft + minutes * tokensMax);
    boolean admitted =
        lastMinute.size() < requestsMax
            && (lastMinute.size() + 1.0) * TOKENS <= tokensMax
            && requestsLeft >= 1
            && tokensLeft >= TOKENS;
    if (admitted) {
      lastMinute.add(now);
      arrivals.add(now);
      requestsLeft--;
      tokensLeft -= TOKENS;
    } else {
      refused.add(Duration.ofNanos(now - begun));
    }
    return admitted;
  }

  /// When it has refused one, since the first request.
  synchronized List<Duration> refused() {
    return List.copyOf(refused);
  }

  /// Since the first request.
  synchronized Duration elapsed() {
    return arrivals.isEmpty() ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - begun);
  }

  /// The calls that it has answered.
  ///
  /// @param from since the first request
  synchronized int answered(Duration from, Duration to) {
    return (int)
        arrivals.stream()
            .filter(it -> it - begun >= from.toNanos() && it - begun < to.toNanos())
            .count();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
