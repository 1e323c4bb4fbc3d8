package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.engine.OthersWork;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.json.Json;
import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.model.ModelRequest.ToolOffer;
import dev.superstep.model.stub.OpenAiStub;
import dev.superstep.model.stub.Reply;
import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.StandardEnvironment;

/// A model against a server that speaks OpenAI's protocol.
class ModelTests {
  private static final Reply.Call CATS = new Reply.Call("c1", "weather", "{\"city\":\"Paris\"}");
  private static final Reply.Call DOGS = new Reply.Call("c2", "weather", "{\"city\":\"Rome\"}");

  @Test
  void answersWithTextUsageAndReason() throws Exception {
    try (var stub = OpenAiStub.of(Reply.text("Hello there"))) {
      var answer = model(stub).call(whole());

      assertThat(answer.text()).isEqualTo("Hello there");
      assertThat(answer.finishReason()).isEqualTo("stop");
      assertThat(answer.usage()).isEqualTo(new ModelAnswer.Usage(11, 7));
      assertThat(stub.asked().getFirst().body()).containsEntry("model", "tiny");
    }
  }

  @Test
  void handsOverPiecesOfTextAsTheyArrive() throws Exception {
    try (var stub = OpenAiStub.of(Reply.text("Hello there, reader"))) {
      var pieces = new ArrayList<String>();

      var answer = model(stub).call(streamed(pieces));

      assertThat(pieces).hasSizeGreaterThan(1);
      assertThat(String.join("", pieces)).isEqualTo("Hello there, reader");
      assertThat(answer.text()).isEqualTo("Hello there, reader");
      assertThat(answer.usage()).isEqualTo(new ModelAnswer.Usage(11, 7));
    }
  }

  @Test
  void readsSeveralToolCallsWholeAndStreamed() throws Exception {
    try (var stub = OpenAiStub.of(Reply.calls(CATS, DOGS), Reply.calls(CATS, DOGS))) {
      var whole = model(stub).call(whole());
      var streamed = model(stub).call(streamed(new ArrayList<>()));

      assertThat(whole.finishReason()).isEqualTo("tool_calls");
      assertThat(whole.toolCalls())
          .containsExactly(
              new ModelAnswer.ToolCall("c1", "weather", "{\"city\":\"Paris\"}"),
              new ModelAnswer.ToolCall("c2", "weather", "{\"city\":\"Rome\"}"));
      assertThat(streamed.toolCalls()).isEqualTo(whole.toolCalls());
      assertThat(streamed.finishReason()).isEqualTo("tool_calls");
    }
  }

  @Test
  void sendsMessagesToolsSchemaAndOptions() throws Exception {
    try (var stub = OpenAiStub.of(Reply.text("{}"))) {
      var history =
          messages(
              "{'role':'system','content':'Be brief'}",
              "{'role':'user','content':[{'type':'text','text':'Hi'}]}",
              "{'role':'assistant','tool_calls':[{'id':'c1','name':'weather','arguments':{'city':'Paris'}}]}",
              "{'role':'tool','tool_call_id':'c1','content':'sunny'}");
      var schema = object("{'type':'object'}");
      var options = object("{'temperature':0.5,'max_tokens':9,'stop':['x'],'seed':4}");

      model(stub)
          .call(
              new ModelRequest(
                  history,
                  List.of(new ToolOffer("weather", "Tells it", schema)),
                  Optional.of(schema),
                  options,
                  new Delivery.Whole()));

      var sent = object(stub.asked().getFirst().text());
      assertThat(sent.getOr("messages", Value.NULL).toString())
          .contains(
              "Be brief", "Hi", "\"tool_call_id\":\"c1\"", "sunny", "{\\\"city\\\":\\\"Paris\\\"}");
      assertThat(sent.get("temperature")).isEqualTo(Value.of(0.5));
      assertThat(sent.get("seed")).isEqualTo(Value.of(4L));
      assertThat(sent.get("max_tokens")).isEqualTo(Value.of(9L));
      assertThat(sent.getOr("tools", Value.NULL).toString()).contains("\"name\":\"weather\"");
      assertThat(sent.getOr("response_format", Value.NULL).toString()).contains("json_schema");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "400,context_length_exceeded,This model's maximum context length is 8"
        + " tokens,context_length_exceeded,NO",
    "400,content_filter,The response was filtered,content_filter,NO",
    "400,bad,Unknown parameter,model_bad_request,NO",
    "401,invalid_api_key,Incorrect API key,model_unauthorized,NO",
    "404,model_not_found,No such model,model_not_found,NO",
    "429,insufficient_quota,You exceeded your quota,model_quota_exceeded,NO",
    "429,rate_limit_exceeded,Slow down,model_rate_limited,YES",
    "500,server_error,Oops,model_unavailable,YES",
    "529,overloaded,Busy,model_unavailable,YES"
  })
  void namesWhatTheProviderRefuses(
      int status, String code, String message, String expected, Retryable retryable)
      throws Exception {
    try (var stub = OpenAiStub.of(Reply.error(status, code, message))) {
      var error = failure(stub, whole());

      assertThat(error.code()).isEqualTo(expected);
      assertThat(error.retryable()).isEqualTo(retryable);
      assertThat(error.message()).contains("'tiny'", String.valueOf(status), message);
      assertThat(stub.asked()).hasSize(1);
    }
  }

  @Test
  void waitsAsLongAsTheProviderAsks() throws Exception {
    try (var stub = OpenAiStub.of(Reply.rateLimited("7"), Reply.rateLimited("7"))) {
      assertThat(failure(stub, whole()).retryAfter()).contains(Duration.ofSeconds(7));
      assertThat(failure(stub, streamed(new ArrayList<>())).retryAfter())
          .contains(Duration.ofSeconds(7));
    }
  }

  @Test
  void triesAgainAfterAnswersThatAreNone() throws Exception {
    try (var stub =
        OpenAiStub.of(
            new Reply.Garbage("{\"choices\": [{]"),
            new Reply.Garbage("{\"object\":\"chat.completion\",\"choices\":[]}"),
            new Reply.Broken("Once upon a time there was"),
            new Reply.Broken("Once upon a time there was"))) {
      for (var request : List.of(whole(), whole(), whole(), streamed(new ArrayList<>()))) {
        var error = failure(stub, request);

        assertThat(error.code()).isIn("model_bad_answer", "model_unreachable");
        assertThat(error.retryable()).isEqualTo(Retryable.YES);
      }
    }
  }

  @Test
  void saysThatNobodyIsThere() throws Exception {
    var stub = OpenAiStub.of();
    stub.close();

    var error = failure(stub, whole());

    assertThat(error.code()).isEqualTo("model_unreachable");
    assertThat(error.retryable()).isEqualTo(Retryable.YES);
  }

  @Test
  void givesUpAfterItsTimeout() throws Exception {
    try (var stub = OpenAiStub.of(new Reply.Late(Duration.ofMinutes(1), Reply.text("late")))) {
      var model = model("tiny", entry(stub, null, Duration.ofMillis(200)));

      var error =
          Objects.requireNonNull(
                  catchThrowableOfType(ModelException.class, () -> model.call(whole())))
              .error();

      assertThat(error.code()).isEqualTo("node_timeout");
    }
  }

  /// The JDK's one thread for timed waits would wake twice for each (`Deadline`).
  @Test
  void waitsForItsAnswerWithoutATimedWait() throws Exception {
    try (var stub = OpenAiStub.of(new Reply.Late(Duration.ofSeconds(2), Reply.text("late")))) {
      var model = model(stub);
      var call = new FutureTask<>(() -> model.call(whole()));
      var caller = Thread.ofVirtual().start(call);
      await().until(() -> !stub.asked().isEmpty());

      await().until(() -> caller.getState() == Thread.State.WAITING);

      assertThat(call.get().text()).isEqualTo("late");
    }
  }

  /// The whole time counts, also of an answer that goes on and on.
  @Test
  void givesUpAnAnswerThatTakesTooLongAltogether() throws Exception {
    try (var stub = OpenAiStub.of(Reply.text("a few words and then some more"))) {
      stub.pauseBetweenPieces(Duration.ofMillis(150));
      var model = model("tiny", entry(stub, null, Duration.ofMillis(400)));

      var error =
          Objects.requireNonNull(
                  catchThrowableOfType(
                      ModelException.class, () -> model.call(streamed(new ArrayList<>()))))
              .error();

      assertThat(error.code()).isEqualTo("node_timeout");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void letsOthersWorkWhileItWaits(boolean isStreamed) throws Exception {
    var others = new OthersWork();
    try (var stub =
        OpenAiStub.start(
            0,
            _ -> {
              try {
                others.await();
                return Reply.text("ok");
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            })) {
      var model = model(stub);

      others.during(() -> model.call(isStreamed ? streamed(new ArrayList<>()) : whole()));
    }
  }

  /// Some providers send the head of an answer at once, and the rest when they have it.
  @Test
  void letsOthersWorkWhileTheRestOfAnAnswerComes() throws Exception {
    var others = new OthersWork();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/v1/chat/completions", exchange -> answerInTwo(exchange, others));
    server.start();
    var url = "http://127.0.0.1:%d/v1".formatted(server.getAddress().getPort());
    var model =
        model(
            "tiny",
            new ModelSettings.ModelEntry(
                Provider.OPENAI, url, "tiny", null, Duration.ofMinutes(1), "", Map.of(), null));
    try {
      others.during(() -> model.call(whole()));
    } finally {
      server.stop(0);
    }
  }

  private static void answerInTwo(HttpExchange exchange, OthersWork others) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write(' ');
      exchange.getResponseBody().flush();
      others.await();
      exchange
          .getResponseBody()
          .write(
              """
              {"id": "1", "object": "chat.completion", "created": 1, "model": "tiny",
               "choices": [{"index": 0, "finish_reason": "stop",
                            "message": {"role": "assistant", "content": "ok"}}]}
              """
                  .getBytes(StandardCharsets.UTF_8));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void stopsWhenItsThreadIsInterrupted() throws Exception {
    try (var stub = OpenAiStub.of(new Reply.Late(Duration.ofSeconds(5), Reply.text("late")))) {
      var model = model(stub);
      var ended = new ArrayList<Throwable>();
      var caller =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  model.call(whole());
                } catch (ModelException | InterruptedException e) {
                  ended.add(e);
                }
              });
      await().until(() -> !stub.asked().isEmpty());
      caller.interrupt();

      assertThat(caller.join(Duration.ofSeconds(30))).isTrue();
      assertThat(ended).first().isInstanceOf(InterruptedException.class);
    }
  }

  /// A key that is rotated counts at once, and a provider that repeats it does not spread it.
  @Test
  void looksUpItsKeyForEachCallAndNeverSaysIt(@TempDir Path folder) throws Exception {
    var file = folder.resolve("key");
    Files.writeString(file, "canary-1\n");
    try (var stub =
        OpenAiStub.of(Reply.text("ok"), Reply.error(401, "invalid_api_key", "no: canary-2"))) {
      var model = model("tiny", entry(stub, "file:" + file, Duration.ofSeconds(5)));
      model.call(whole());
      Files.writeString(file, "canary-2");

      var failed = catchThrowableOfType(ModelException.class, () -> model.call(whole()));

      assertThat(stub.asked())
          .extracting("authorization")
          .containsExactly("Bearer canary-1", "Bearer canary-2");
      assertThat(Objects.requireNonNull(failed).error().toString()).doesNotContain("canary");
    }
  }

  /// A refusal comes in pieces, and the last chunk of an answer has none of it.
  @Test
  void readsARefusalWholeAndStreamed() throws Exception {
    var refusal = new Reply.Refusal("I would rather not say anything about that, sorry");
    try (var stub = OpenAiStub.of(refusal, refusal)) {
      var model = model(stub);

      assertThat(List.of(model.call(whole()), model.call(streamed(new ArrayList<>()))))
          .extracting(ModelAnswer::refusal)
          .containsOnly("I would rather not say anything about that, sorry");
    }
  }

  @Test
  void saysWhereTheKeyIsMissing() throws Exception {
    try (var stub = OpenAiStub.of(Reply.text("ok"))) {
      var model = model("tiny", entry(stub, "env:SUPERSTEP_NO_SUCH_KEY", Duration.ofSeconds(5)));

      var failed = catchThrowableOfType(ModelException.class, () -> model.call(whole()));

      var error = Objects.requireNonNull(failed).error();
      assertThat(error.code()).isEqualTo("model_unauthorized");
      assertThat(error.message()).contains("env:SUPERSTEP_NO_SUCH_KEY");
      assertThat(stub.asked()).isEmpty();
    }
  }

  private static TaskError failure(OpenAiStub stub, ModelRequest request) {
    var model = model(stub);
    return Objects.requireNonNull(
            catchThrowableOfType(ModelException.class, () -> model.call(request)))
        .error();
  }

  private static Model model(OpenAiStub stub) {
    return model("tiny", entry(stub, null, Duration.ofSeconds(5)));
  }

  private static ModelSettings.ModelEntry entry(
      OpenAiStub stub, @Nullable String key, Duration timeout) {
    return new ModelSettings.ModelEntry(
        Provider.OPENAI, stub.url(), "tiny", key, timeout, "", Map.of(), null);
  }

  private static Model model(String name, ModelSettings.ModelEntry entry) {
    var reference = Optional.ofNullable(entry.apiKey()).flatMap(SecretReference::parse);
    var apiKey = new ApiKey(reference, new Secrets(new StandardEnvironment()));
    var clients = new ChatClients(Thread.ofVirtual().factory());
    return new Model(
        name,
        entry,
        new ModelFailures(name, apiKey),
        () -> clients.create(entry, apiKey, PromptCache.AUTO));
  }

  private static ModelRequest whole() {
    return request(new Delivery.Whole());
  }

  private static ModelRequest streamed(List<String> pieces) {
    return request(new Delivery.Streamed(() -> pieces::add));
  }

  private static ModelRequest request(Delivery delivery) {
    return new ModelRequest(
        messages("{'role':'user','content':'Hi'}"),
        List.of(),
        Optional.empty(),
        ObjectValue.empty(),
        delivery);
  }

  private static List<ObjectValue> messages(String... texts) {
    return Stream.of(texts).map(ModelTests::object).toList();
  }

  private static ObjectValue object(String text) {
    return (ObjectValue) Json.read(text.startsWith("{'") ? text.replace('\'', '"') : text);
  }
}
