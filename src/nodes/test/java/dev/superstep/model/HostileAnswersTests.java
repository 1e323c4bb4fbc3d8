package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.json.Json;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ObjectValue;
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
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.env.StandardEnvironment;

/// What a provider, or who stands in its place, may not do to the process.
@Timeout(60)
class HostileAnswersTests {
  private static final Map<Provider, String> USAGE =
      Map.of(
          Provider.OPENAI,
          """
          {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0, "finish_reason": "stop",
           "message": {"role": "assistant", "content": "Hi", "refusal": null}, "logprobs": null}],
           "usage": {"prompt_tokens": %1$d, "completion_tokens": %2$d, "total_tokens": 1}}
          """,
          Provider.ANTHROPIC,
          """
          {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [{"type": "text", "text": "Hi"}],
           "stop_reason": "end_turn", "stop_sequence": null, "usage": {"input_tokens": %1$d, "output_tokens": %2$d}}
          """,
          Provider.OLLAMA,
          """
          {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant", "content": "Hi"},
           "done": true, "done_reason": "stop", "prompt_eval_count": %1$d, "eval_count": %2$d}
          """);

  private final HttpServer server;

  HostileAnswersTests() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  @AfterEach
  void end() {
    server.stop(0);
  }

  @ParameterizedTest
  @EnumSource(names = {"OPENAI", "ANTHROPIC", "OLLAMA"})
  void stopsReadingAnAnswerWithoutEnd(Provider provider) {
    answer(exchange -> {
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, 0);
      var spaces = " ".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
      while (true) {
        exchange.getResponseBody().write(spaces);
      }
    });

    assertTooLong(failed(provider, new Delivery.Whole()));
  }

  /// 64 MB of spaces in 64 KB.
  @ParameterizedTest
  @EnumSource(names = {"OPENAI", "ANTHROPIC"})
  void stopsUnpackingAnAnswerAtTheLimit(Provider provider) {
    answer(exchange -> {
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.getResponseHeaders().add("Content-Encoding", "gzip");
      exchange.sendResponseHeaders(200, 0);
      var spaces = " ".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
      try (var out = new GZIPOutputStream(exchange.getResponseBody())) {
        for (int i = 0; i < 1_024; i++) {
          out.write(spaces);
        }
      }
    });

    assertTooLong(failed(provider, new Delivery.Whole()));
  }

  @ParameterizedTest
  @EnumSource(names = {"OPENAI", "ANTHROPIC"})
  void stopsReadingAStreamWhosePieceHasNoEnd(Provider provider) {
    answer(exchange -> {
      exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write("data: ".getBytes(StandardCharsets.UTF_8));
      var letters = "x".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
      while (true) {
        exchange.getResponseBody().write(letters);
      }
    });

    assertTooLong(failed(provider, new Delivery.Streamed(() -> _ -> {})));
  }

  @ParameterizedTest
  @EnumSource(names = {"OPENAI", "ANTHROPIC", "OLLAMA"})
  void offersNothingButGzip(Provider provider) throws Exception {
    var seen = new CopyOnWriteArrayList<String>();
    answer(exchange -> {
      seen.add(
          Objects.requireNonNullElse(
              exchange.getRequestHeaders().getFirst("Accept-Encoding"), "identity"));
      send(exchange, USAGE.getOrDefault(provider, "").formatted(3, 4));
    });

    model(provider).call(request(new Delivery.Whole()));

    assertThat(seen).isSubsetOf("identity", "gzip").isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"OPENAI", "ANTHROPIC", "OLLAMA"})
  void answersWithAnErrorToAnEncodingThatNobodyAskedFor(Provider provider) {
    answer(exchange -> {
      exchange.getResponseHeaders().add("Content-Encoding", "xz");
      send(exchange, "\u00fd7zXZ");
    });

    assertThat(failed(provider, new Delivery.Whole()).code()).isEqualTo("model_bad_answer");
  }

  /// A negative count would give budget back.
  @ParameterizedTest
  @CsvSource({
    "OPENAI,    -5, 3, 0, 3",
    "ANTHROPIC, -5, 3, 0, 3",
    "OLLAMA,    3, -2147483648, 3, 0",
    "OPENAI,    2147483647, 3, 10000000, 3",
    "OLLAMA,    10000001, 10000000, 10000000, 10000000",
  })
  void countsOnlyTokensThatCanBe(Provider provider, int in, int out, long input, long output)
      throws Exception {
    answer(exchange -> send(exchange, USAGE.getOrDefault(provider, "").formatted(in, out)));

    var answer = model(provider).call(request(new Delivery.Whole()));

    assertThat(answer.text()).isEqualTo("Hi");
    assertThat(answer.usage()).isEqualTo(new Usage(input, output));
  }

  private static void assertTooLong(TaskError error) {
    assertThat(error)
        .extracting(TaskError::code, TaskError::retryable)
        .containsExactly("model_bad_answer", Retryable.NO);
    assertThat(error.message()).contains("longer than");
  }

  private void answer(HttpHandler handler) {
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            handler.handle(exchange);
          }
        });
  }

  private static void send(HttpExchange exchange, String body) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 0);
    exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
  }

  private TaskError failed(Provider provider, Delivery delivery) {
    return Objects.requireNonNull(
            catchThrowableOfType(
                ModelException.class, () -> model(provider).call(request(delivery))))
        .error();
  }

  private Model model(Provider provider) {
    var url = "http://127.0.0.1:" + server.getAddress().getPort();
    var entry =
        new ModelSettings.ModelEntry(
            provider, url, "m", null, Duration.ofSeconds(30), "", Map.of(), null);
    var apiKey = new ApiKey(Optional.empty(), new Secrets(new StandardEnvironment()));
    var clients = new ChatClients(Thread.ofVirtual().factory());
    return new Model(
        "m",
        entry,
        new ModelFailures("m", apiKey),
        () -> clients.create(entry, apiKey, PromptCache.AUTO));
  }

  private static ModelRequest request(Delivery delivery) {
    return new ModelRequest(
        List.of((ObjectValue) Json.read("{\"role\": \"user\", \"content\": \"Hi\"}")),
        List.of(),
        Optional.empty(),
        ObjectValue.empty(),
        delivery);
  }
}
