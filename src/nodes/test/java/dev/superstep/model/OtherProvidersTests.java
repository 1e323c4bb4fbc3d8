package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.model.ModelAnswer.ToolCall;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.model.ModelRequest.ToolOffer;
import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
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
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

/// Models of Anthropic and Ollama against servers that answer as theirs do.
class OtherProvidersTests {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private static final String CLAUDE =
      """
      {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-tiny", "content": [%s],
       "stop_reason": "%s", "stop_sequence": null, "usage": {"input_tokens": 12, "output_tokens": 3}}
      """;

  private static final String LLAMA =
      """
      {"model": "llama-tiny", "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant", %s},
       "done": true, "done_reason": "stop", "total_duration": 5, "load_duration": 1,
       "prompt_eval_count": 12, "prompt_eval_duration": 1, "eval_count": 3, "eval_duration": 1}
      """;

  private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();
  private String answer = "";
  private int status = 200;
  private final HttpServer server = serve();

  record Arrival(String path, String key, String authorization, String trace, ObjectValue body) {}

  private HttpServer serve() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void begin() {
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            var headers = exchange.getRequestHeaders();
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            arrivals.add(
                new Arrival(
                    exchange.getRequestURI().getPath(),
                    String.valueOf(headers.getFirst("X-Api-Key")),
                    String.valueOf(headers.getFirst("Authorization")),
                    String.valueOf(headers.getFirst("traceparent")),
                    (ObjectValue) Json.read(body)));
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, 0);
            exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
          }
        });
    server.start();
  }

  @AfterEach
  void end() {
    server.stop(0);
  }

  private Model model(Provider provider) {
    var url = "http://127.0.0.1:" + server.getAddress().getPort();
    var entry =
        new ModelSettings.ModelEntry(
            provider, url, "tiny", "property:a.key", Duration.ofSeconds(5), "", Map.of(), null);
    var secrets = new Secrets(new MockEnvironment().withProperty("a.key", "key-7"));
    var apiKey = new ApiKey(SecretReference.parse("property:a.key"), secrets);
    var clients = new ChatClients(Thread.ofVirtual().factory());
    return new Model(
        "m",
        entry,
        new ModelFailures("m", apiKey),
        () -> clients.create(entry, apiKey, PromptCache.AUTO));
  }

  private static ModelRequest request() {
    var schema = (ObjectValue) Json.read("{\"type\":\"object\"}");
    return new ModelRequest(
            List.of(message("system", "Be brief"), message("user", "Hi")),
            List.of(new ToolOffer("weather", "Tells it", schema)),
            Optional.empty(),
            ObjectValue.of("max_tokens", Value.of(9)),
            new Delivery.Whole())
        .within(Optional.of(TRACE));
  }

  private static ObjectValue message(String role, String content) {
    return ObjectValue.of("role", Value.of(role)).plus("content", Value.of(content));
  }

  @Test
  void talksToAnthropic() throws Exception {
    answer = CLAUDE.formatted("{\"type\": \"text\", \"text\": \"Hello\"}", "end_turn");

    var said = model(Provider.ANTHROPIC).call(request());

    assertThat(said.text()).isEqualTo("Hello");
    assertThat(said.finishReason()).isEqualTo("stop");
    assertThat(said.usage()).isEqualTo(new Usage(12, 3));
    var sent = arrivals.getFirst();
    assertThat(sent.path()).isEqualTo("/v1/messages");
    assertThat(sent.key()).isEqualTo("key-7");
    assertThat(sent.trace()).isEqualTo(TRACE);
    assertThat(sent.body().get("max_tokens")).isEqualTo(Value.of(9));
    assertThat(sent.body().toString()).contains("Be brief", "\"name\":\"weather\"");
  }

  @Test
  void readsToolCallsOfAnthropic() throws Exception {
    answer =
        CLAUDE.formatted(
            "{\"type\": \"tool_use\", \"id\": \"t1\", \"name\": \"weather\", \"input\": {\"city\":"
                + " \"Paris\"}}",
            "tool_use");

    var said = model(Provider.ANTHROPIC).call(request());

    assertThat(said.finishReason()).isEqualTo("tool_calls");
    assertThat(said.toolCalls())
        .containsExactly(new ToolCall("t1", "weather", "{\"city\":\"Paris\"}"));
  }

  @Test
  void talksToOllama() throws Exception {
    answer = LLAMA.formatted("\"content\": \"Hello\"");

    var said = model(Provider.OLLAMA).call(request());

    assertThat(said.text()).isEqualTo("Hello");
    assertThat(said.finishReason()).isEqualTo("stop");
    assertThat(said.usage()).isEqualTo(new Usage(12, 3));
    var sent = arrivals.getFirst();
    assertThat(sent.path()).isEqualTo("/api/chat");
    assertThat(sent.authorization()).isEqualTo("Bearer key-7");
    assertThat(sent.trace()).isEqualTo(TRACE);
    assertThat(sent.body().toString())
        .contains("Be brief", "\"name\":\"weather\"", "\"num_predict\":9");
  }

  @Test
  void readsToolCallsOfOllama() throws Exception {
    answer =
        LLAMA.formatted(
            "\"content\": \"\", \"tool_calls\": [{\"function\": {\"name\": \"weather\","
                + " \"arguments\": {\"city\": \"Paris\"}}}]");

    var said = model(Provider.OLLAMA).call(request());

    assertThat(said.finishReason()).isEqualTo("tool_calls");
    assertThat(said.toolCalls()).singleElement().extracting(ToolCall::name).isEqualTo("weather");
  }

  @Test
  void namesWhatTheyRefuse() {
    status = 529;
    answer =
        "{\"type\": \"error\", \"error\": {\"type\": \"overloaded_error\", \"message\":"
            + " \"Overloaded\"}}";
    assertThat(code(Provider.ANTHROPIC)).isEqualTo("model_unavailable");

    status = 404;
    answer = "{\"error\": \"model 'tiny' not found\"}";
    assertThat(code(Provider.OLLAMA)).isEqualTo("model_not_found");
  }

  private String code(Provider provider) {
    var failure = catchThrowableOfType(ModelException.class, () -> model(provider).call(request()));
    return Objects.requireNonNull(failure).error().code();
  }
}
