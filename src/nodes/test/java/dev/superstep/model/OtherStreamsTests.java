package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.model.ModelAnswer.ToolCall;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

/// Answers that come in pieces, in the events of Anthropic and the lines of Ollama.
class OtherStreamsTests {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final String BEGIN =
      claude(
          "message_start",
          "\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-tiny\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":12,\"output_tokens\":1}}");
  private static final List<String> CLAUDE_WORDS =
      List.of(
          BEGIN,
          block(0, "{\"type\":\"text\",\"text\":\"\"}"),
          claude("ping", ""),
          delta(0, "{\"type\":\"text_delta\",\"text\":\"Hel\"}"),
          delta(0, "{\"type\":\"text_delta\",\"text\":\"lo, \"}"),
          delta(0, "{\"type\":\"text_delta\",\"text\":\"you\"}"));
  private static final String CLAUDE_STOP = claude("content_block_stop", "\"index\":0");
  private static final List<String> LLAMA_WORDS =
      List.of(
          llama("\"content\":\"Hel\""),
          llama("\"content\":\"lo, \""),
          llama("\"content\":\"you\""));

  private final List<String> traces = new CopyOnWriteArrayList<>();
  private final List<String> pieces = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private List<String> script = List.of();
  private int status = 200;

  /// More than there is: the connection breaks. 0: as much as comes.
  private long promised;

  private HttpServer server = HttpServer.create();

  OtherStreamsTests() throws IOException {}

  @BeforeEach
  void begin() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
    server.createContext("/", this::serve);
    server.start();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      traces.add(String.valueOf(exchange.getRequestHeaders().getFirst("traceparent")));
      var isEvents = exchange.getRequestURI().getPath().equals("/v1/messages");
      exchange
          .getResponseHeaders()
          .set("Content-Type", isEvents ? "text/event-stream" : "application/x-ndjson");
      exchange.sendResponseHeaders(status, promised);
      for (var piece : script) {
        exchange.getResponseBody().write(piece.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
      }
    }
  }

  @AfterEach
  void end() {
    server.stop(0);
    threads.shutdownNow();
  }

  @Test
  void handOverTheWordsOfAnthropicAsTheyArrive() throws Exception {
    script = with(CLAUDE_WORDS, CLAUDE_STOP, enough("end_turn"), claude("message_stop", ""));

    saysHello(model(Provider.ANTHROPIC).call(request()));
  }

  @Test
  void handOverTheWordsOfOllamaAsTheyArrive() throws Exception {
    script = with(LLAMA_WORDS, last());

    saysHello(model(Provider.OLLAMA).call(request()));
  }

  private void saysHello(ModelAnswer said) {
    assertThat(pieces).containsExactly("Hel", "lo, ", "you");
    assertThat(said.text()).isEqualTo("Hello, you");
    assertThat(said.finishReason()).isEqualTo("stop");
    assertThat(said.usage()).isEqualTo(new Usage(12, 9));
    assertThat(traces).containsExactly(TRACE);
  }

  @Test
  void putToolCallsOfAnthropicTogether() throws Exception {
    script =
        with(
            CLAUDE_WORDS,
            CLAUDE_STOP,
            block(1, "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"weather\",\"input\":{}}"),
            delta(1, "{\"type\":\"input_json_delta\",\"partial_json\":\"\"}"),
            delta(1, "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"city\\\":\"}"),
            delta(1, "{\"type\":\"input_json_delta\",\"partial_json\":\"\\\"Paris\\\"}\"}"),
            claude("content_block_stop", "\"index\":1"),
            block(2, "{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"weather\",\"input\":{}}"),
            delta(
                2,
                "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"city\\\":\\\"Rome\\\"}\"}"),
            claude("content_block_stop", "\"index\":2"),
            enough("tool_use"),
            claude("message_stop", ""));

    var said = model(Provider.ANTHROPIC).call(request());

    assertThat(said.text()).isEqualTo("Hello, you");
    assertThat(said.finishReason()).isEqualTo("tool_calls");
    assertThat(said.toolCalls())
        .containsExactly(
            new ToolCall("t1", "weather", "{\"city\":\"Paris\"}"),
            new ToolCall("t2", "weather", "{\"city\":\"Rome\"}"));
    assertThat(said.usage()).isEqualTo(new Usage(12, 9));
  }

  @Test
  void putToolCallsOfOllamaTogether() throws Exception {
    script =
        List.of(
            llama("\"content\":\"\",\"tool_calls\":[%s,%s]".formatted(call("Paris"), call("Rome"))),
            last());

    var said = model(Provider.OLLAMA).call(request());

    assertThat(said.finishReason()).isEqualTo("tool_calls");
    assertThat(said.toolCalls())
        .extracting(ToolCall::arguments)
        .containsExactly("{\"city\":\"Paris\"}", "{\"city\":\"Rome\"}");
    assertThat(said.usage()).isEqualTo(new Usage(12, 9));
  }

  /// Whether the connection breaks, or ends in good order.
  @Test
  void areNoAnswersIfTheyBreakOff() {
    for (long length : List.of(1_000_000L, 0L)) {
      promised = length;
      script = CLAUDE_WORDS;
      mayComeWhole(failure(Provider.ANTHROPIC));
      script = LLAMA_WORDS;
      mayComeWhole(failure(Provider.OLLAMA));
    }
  }

  @Test
  void areNoAnswersIfTheProviderGivesUp() {
    script =
        with(
            CLAUDE_WORDS,
            claude(
                "error", "\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}"));
    assertThat(failure(Provider.ANTHROPIC).retryable()).isEqualTo(Retryable.YES);

    script =
        with(LLAMA_WORDS, "{\"error\":\"an error was encountered while running the model\"}\n");
    assertThat(failure(Provider.OLLAMA).retryable()).isEqualTo(Retryable.YES);
  }

  @Test
  void nameWhatIsRefused() {
    status = 529;
    script =
        List.of(
            "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}");
    assertThat(failure(Provider.ANTHROPIC).code()).isEqualTo("model_unavailable");

    status = 404;
    script = List.of("{\"error\":\"model 'tiny' not found\"}");
    var error = failure(Provider.OLLAMA);
    assertThat(error.code()).isEqualTo("model_not_found");
    assertThat(error.message()).contains("model 'tiny' not found");
  }

  private static void mayComeWhole(TaskError error) {
    assertThat(error.code()).isIn("model_bad_answer", "model_unreachable");
    assertThat(error.retryable()).isEqualTo(Retryable.YES);
  }

  private TaskError failure(Provider provider) {
    var failed = catchThrowableOfType(ModelException.class, () -> model(provider).call(request()));
    return Objects.requireNonNull(failed).error();
  }

  private Model model(Provider provider) {
    var url = "http://127.0.0.1:" + server.getAddress().getPort();
    var entry =
        new ModelSettings.ModelEntry(
            provider, url, "tiny", null, Duration.ofSeconds(5), "", Map.of(), null);
    var apiKey = new ApiKey(Optional.empty(), new Secrets(new MockEnvironment()));
    var clients = new ChatClients(Thread.ofVirtual().factory());
    return new Model(
        "m",
        entry,
        new ModelFailures("m", apiKey),
        () -> clients.create(entry, apiKey, PromptCache.AUTO));
  }

  private ModelRequest request() {
    var message = ObjectValue.of("role", Value.of("user")).plus("content", Value.of("Hi"));
    return new ModelRequest(
            List.of(message),
            List.of(),
            Optional.empty(),
            ObjectValue.empty(),
            new Delivery.Streamed(() -> pieces::add))
        .within(Optional.of(TRACE));
  }

  private static List<String> with(List<String> first, String... then) {
    return Stream.concat(first.stream(), Stream.of(then)).toList();
  }

  private static String claude(String type, String rest) {
    var members = rest.isEmpty() ? "" : "," + rest;
    return "event: %s\ndata: {\"type\":\"%s\"%s}\n\n".formatted(type, type, members);
  }

  private static String block(int index, String content) {
    return claude(
        "content_block_start", "\"index\":%d,\"content_block\":%s".formatted(index, content));
  }

  private static String delta(int index, String delta) {
    return claude("content_block_delta", "\"index\":%d,\"delta\":%s".formatted(index, delta));
  }

  private static String enough(String reason) {
    return claude(
        "message_delta",
        "\"delta\":{\"stop_reason\":\"%s\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":9}"
            .formatted(reason));
  }

  private static String llama(String message) {
    return "{\"model\":\"llama-tiny\",\"created_at\":\"2026-01-01T00:00:00Z\",\"message\":{\"role\":\"assistant\",%s},\"done\":false}\n"
        .formatted(message);
  }

  private static String call(String city) {
    return "{\"function\":{\"name\":\"weather\",\"arguments\":{\"city\":\"%s\"}}}".formatted(city);
  }

  private static String last() {
    return "{\"model\":\"llama-tiny\",\"created_at\":\"2026-01-01T00:00:01Z\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"total_duration\":5,\"load_duration\":1,\"prompt_eval_count\":12,\"prompt_eval_duration\":1,\"eval_count\":9,\"eval_duration\":1}\n";
  }
}
