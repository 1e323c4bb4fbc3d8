package dev.superstep.model.stub;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// A server that speaks Anthropic's messages, whole, and keeps a cache of prompts as Anthropic
/// does: a beginning of a prompt that ends at a mark, and at a mark of an earlier request, is read
/// from it. It is stricter than Anthropic in that it does not look for beginnings before a mark.
public final class AnthropicStub implements AutoCloseable {
  /// Shorter beginnings are not kept.
  private static final long TOKENS_MIN = 1_024;

  private static final int MARKS_MAX = 4;
  private static final int CHARS_PER_TOKEN = 4;

  private final HttpServer server;
  private final Function<Asked, Reply> brain;
  private final AtomicInteger count = new AtomicInteger();
  private final Set<String> kept = new HashSet<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final List<Counted> counted = new CopyOnWriteArrayList<>();

  /// Tokens of a request.
  ///
  /// @param plain neither read from the cache nor written into it
  public record Counted(long plain, long read, long written) {
    public long input() {
      return plain + read + written;
    }
  }

  /// @param marked whether a beginning that is to be kept ends here
  private record Block(String text, boolean marked) {}

  private AnthropicStub(HttpServer server, Function<Asked, Reply> brain) {
    this.server = server;
    this.brain = brain;
  }

  public static AnthropicStub start(Function<Asked, Reply> brain) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var server = HttpServer.create(address, 1_024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    var stub = new AnthropicStub(server, brain);
    server.createContext("/v1/messages", stub::serve);
    server.start();
    return stub;
  }

  /// For a model's `base-url`.
  public String url() {
    return "http://127.0.0.1:%d".formatted(server.getAddress().getPort());
  }

  public List<Asked> asked() {
    return List.copyOf(asked);
  }

  /// Of each request, as it counts them.
  public List<Counted> counted() {
    return List.copyOf(counted);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var request = new Asked(count.incrementAndGet(), "", "", body);
      asked.add(request);
      var problem = problem(blocks(request.body()));
      if (!problem.isEmpty()) {
        send(
            exchange,
            400,
            "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":%s}}"
                .formatted(MiniJson.quote(problem)));
        return;
      }
      switch (brain.apply(request)) {
        case Reply.Text(var text) ->
            send(exchange, 200, answer(request, "[" + text(text) + "]", "end_turn"));
        case Reply.Calls(var calls) -> {
          var blocks = calls.stream().map(AnthropicStub::call).toList();
          send(exchange, 200, answer(request, "[" + String.join(",", blocks) + "]", "tool_use"));
        }
        case Reply.Status(int status, var text, var headers) -> {
          headers.forEach(exchange.getResponseHeaders()::set);
          send(exchange, status, text);
        }
        case Reply other -> throw new IllegalArgumentException(other.toString());
      }
    }
  }

  private static String problem(List<Block> blocks) {
    if (blocks.stream().filter(Block::marked).count() > MARKS_MAX) {
      return "A maximum of 4 blocks with cache_control may be provided.";
    }
    return blocks.stream().anyMatch(it -> it.text().endsWith("{type=text, text=}"))
        ? "text content blocks must be non-empty"
        : "";
  }

  private String answer(Asked request, String content, String reason) {
    var tokens = count(blocks(request.body()));
    counted.add(tokens);
    return """
    {"id": "msg_%d", "type": "message", "role": "assistant", "model": "claude-stub", "content": %s,
     "stop_reason": "%s", "stop_sequence": null,
     "usage": {"input_tokens": %d, "cache_read_input_tokens": %d,
               "cache_creation_input_tokens": %d, "output_tokens": 5}}
    """
        .formatted(
            request.number(), content, reason, tokens.plain(), tokens.read(), tokens.written());
  }

  private synchronized Counted count(List<Block> blocks) {
    long tokens = 0;
    long read = 0;
    long marked = 0;
    var prefix = new StringBuilder();
    var begun = new ArrayList<String>();
    for (var block : blocks) {
      tokens += 1 + block.text().length() / CHARS_PER_TOKEN;
      prefix.append(block.text()).append('\n');
      if (block.marked() && tokens >= TOKENS_MIN) {
        marked = tokens;
        read = kept.contains(prefix.toString()) ? tokens : read;
        begun.add(prefix.toString());
      }
    }
    kept.addAll(begun);
    return new Counted(tokens - marked, read, marked - read);
  }

  /// In the order in which the provider puts them together.
  private static List<Block> blocks(Map<String, Object> body) {
    var blocks = new ArrayList<Block>();
    add(blocks, "tools", body.getOrDefault("tools", List.of()));
    add(blocks, "system", body.getOrDefault("system", List.of()));
    for (var message : objects(body.getOrDefault("messages", List.of()))) {
      add(blocks, String.valueOf(message.get("role")), message.getOrDefault("content", List.of()));
    }
    return blocks;
  }

  private static void add(List<Block> to, String where, Object content) {
    if (content instanceof String text) {
      to.add(new Block("%s {type=text, text=%s}".formatted(where, text), false));
    }
    for (var block : objects(content)) {
      var rest = new LinkedHashMap<>(block);
      rest.remove("type");
      boolean marked = rest.remove("cache_control") != null;
      to.add(new Block("%s {type=%s, %s".formatted(where, block.get("type"), inner(rest)), marked));
    }
  }

  private static String inner(Map<String, Object> object) {
    return object.toString().substring(1);
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> objects(Object list) {
    return list instanceof List<?> ? (List<Map<String, Object>>) list : List.of();
  }

  private static String text(String text) {
    return "{\"type\":\"text\",\"text\":" + MiniJson.quote(text) + "}";
  }

  private static String call(Reply.Call call) {
    return "{\"type\":\"tool_use\",\"id\":%s,\"name\":%s,\"input\":%s}"
        .formatted(MiniJson.quote(call.id()), MiniJson.quote(call.name()), call.arguments());
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
}
