package dev.superstep.node.tool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.engine.node.Span;
import dev.superstep.json.Json;
import dev.superstep.node.tool.Tool.Invocation;
import dev.superstep.node.tool.Tool.Outcome;
import dev.superstep.secret.CallerTokens;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.unit.DataSize;

/// An MCP server that answers without end: what is read of it is bounded.
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class HostileMcpTests {
  private static final int ANSWER_MAX = 100_000;
  private static final int TOOLS_MAX = 50;

  /// What the two sides of a connection may have in their buffers.
  private static final int BUFFERS_MAX = 16 << 20;

  private static final int WRITTEN_MAX = 256 << 20;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final String TOOL =
      "{\"name\": \"echo%d\", \"description\": \"%s\", \"inputSchema\": {\"type\": \"object\"}}";

  private final AtomicLong written = new AtomicLong();
  private final AtomicInteger lists = new AtomicInteger();
  private volatile Answer list = this::oneTool;
  private HttpServer server;

  /// Answers a request with this id.
  private interface Answer {
    void to(HttpExchange exchange, String id) throws IOException;
  }

  @BeforeEach
  void starts() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/mcp", this::serve);
    server.start();
  }

  @AfterEach
  void stops() {
    server.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var bytes = exchange.getRequestBody().readAllBytes();
      if (bytes.length == 0) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      var request = (ObjectValue) Json.read(bytes);
      var id = request.has("id") ? Json.write(Objects.requireNonNull(request.get("id"))) : "";
      switch (Json.write(Objects.requireNonNull(request.get("method")))) {
        case "\"initialize\"" ->
            json(
                exchange,
                id,
                "{\"protocolVersion\": \"2025-03-26\", \"capabilities\": {\"tools\": {}},"
                    + " \"serverInfo\": {\"name\": \"hostile\", \"version\": \"1\"}}");
        case "\"tools/list\"" -> {
          lists.incrementAndGet();
          list.to(exchange, id);
        }
        case "\"tools/call\"" -> endless(exchange, "application/json", "a".repeat(1_000));
        default -> exchange.sendResponseHeaders(202, -1);
      }
    }
  }

  private static void json(HttpExchange exchange, String id, String result) throws IOException {
    var bytes =
        "{\"jsonrpc\": \"2.0\", \"id\": %s, \"result\": %s}".formatted(id, result).getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /// Writes until the client closes the connection.
  private void endless(HttpExchange exchange, String type, String part) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(200, 0);
    var bytes = part.repeat(1_000).getBytes(UTF_8);
    OutputStream out = exchange.getResponseBody();
    while (written.get() < WRITTEN_MAX) {
      out.write(bytes);
      written.addAndGet(bytes.length);
    }
  }

  private void oneTool(HttpExchange exchange, String id) throws IOException {
    json(exchange, id, "{\"tools\": [%s]}".formatted(TOOL.formatted(0, "")));
  }

  private McpTools tools() {
    return tools(TIMEOUT.multipliedBy(2));
  }

  private McpTools tools(Duration listWait) {
    var mcp =
        new ToolSettings.Mcp(
            "http://127.0.0.1:%d/mcp".formatted(server.getAddress().getPort()),
            null,
            null,
            TIMEOUT,
            Duration.ofMinutes(5),
            DataSize.ofBytes(ANSWER_MAX),
            TOOLS_MAX,
            listWait);
    var settings =
        new ToolSettings(
            Map.of(), Map.of("test", mcp), List.of(), DataSize.ofKilobytes(64), 16, 64, List.of());
    return new McpTools(
        "test", settings, mcp, new Secrets(new StandardEnvironment()), CallerTokens.NONE);
  }

  static Stream<Arguments> endless() {
    var event = "event: message|data: {\"jsonrpc\": \"2.0\", \"method\": \"notifications/x\"}||";
    return Stream.of(
        Arguments.of("application/json", "a"),
        Arguments.of("text/event-stream", "a"),
        Arguments.of("text/event-stream", event.replace('|', '\n')));
  }

  @ParameterizedTest
  @MethodSource("endless")
  void breaksOffAListWithoutEnd(String type, String part, CapturedOutput log) {
    list = (exchange, _) -> endless(exchange, type, part);

    assertThat(tools().tools()).isEmpty();
    assertThat(written).hasValueLessThan(BUFFERS_MAX);
    assertThat(log).contains("longer than the %d bytes".formatted(ANSWER_MAX));
  }

  @Test
  void endsAListWithoutALastPage(CapturedOutput log) {
    list = (exchange, id) -> json(exchange, id, "{\"tools\": [], \"nextCursor\": \"more\"}");

    assertThat(tools().tools()).isEmpty();
    assertThat(lists).hasValue(100);
    assertThat(log).contains("more than 100 pages");
  }

  @Test
  void takesNoMoreToolsThanThereMayBe(CapturedOutput log) {
    var many =
        IntStream.rangeClosed(0, TOOLS_MAX)
            .mapToObj(it -> TOOL.formatted(it, ""))
            .collect(Collectors.joining(","));
    list = (exchange, id) -> json(exchange, id, "{\"tools\": [%s]}".formatted(many));

    assertThat(tools().tools()).isEmpty();
    assertThat(log).contains("more than the %d tools of tools-max".formatted(TOOLS_MAX));
  }

  /// Each page fits.
  @Test
  void takesNoMoreAboutItsToolsThanThereMayBe(CapturedOutput log) {
    var page =
        "{\"tools\": [%s], \"nextCursor\": \"more\"}"
            .formatted(TOOL.formatted(0, "d".repeat(ANSWER_MAX / 2)));
    list = (exchange, id) -> json(exchange, id, page);

    assertThat(tools().tools()).isEmpty();
    assertThat(lists).hasValue(2);
    assertThat(log).contains("longer than the %d bytes of answer-max".formatted(ANSWER_MAX));
  }

  /// Three servers that never answer hold a call for the time of one.
  @Test
  void waitsAMomentForServersThatHang() throws Exception {
    var gate = new CountDownLatch(1);
    list =
        (exchange, id) -> {
          try {
            gate.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          oneTool(exchange, id);
        };
    var wait = Duration.ofSeconds(3);
    var sources = List.<ToolSource>of(tools(wait), tools(wait), tools(wait));
    long begun = System.nanoTime();

    assertThat(new Tools(sources).all()).isEmpty();
    assertThat(new Tools(sources).find("test_echo0")).isEmpty();

    // One after the other they would take three times the wait, and without it five seconds each.
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(wait.multipliedBy(3));
    gate.countDown();
    await().until(() -> new Tools(sources).find("test_echo0").isPresent());
  }

  @Test
  void leavesOutToolsWhoseNamesNobodyCanCall(CapturedOutput log) {
    var names =
        List.of("fine", "line\\nbreak", "a b", "dot.ted", "x".repeat(60), "\\u202egnp", "").stream()
            .map("{\"name\": \"%s\", \"inputSchema\": {\"type\": \"object\"}}"::formatted)
            .collect(Collectors.joining(","));
    list = (exchange, id) -> json(exchange, id, "{\"tools\": [%s]}".formatted(names));

    assertThat(tools().tools())
        .extracting(it -> it.description().name())
        .containsExactly("test_fine", "test_");
    assertThat(log).contains("which is left out: line?break");
  }

  @Test
  void breaksOffTheResultOfACallWithoutEnd() throws Exception {
    var tool = tools().tools().getFirst();
    var call =
        new Invocation(
            ObjectValue.empty(), "key-1", "run-1", "graph", TIMEOUT, Span.NONE, Optional.empty());

    assertThat(tool.call(call))
        .isInstanceOfSatisfying(
            Outcome.Unknown.class,
            it ->
                assertThat(it.toString())
                    .contains("longer than the %d bytes".formatted(ANSWER_MAX)));
    assertThat(written).hasValueLessThan(BUFFERS_MAX);
  }
}
