package dev.superstep.model;

import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.openai.client.OpenAIClientAsyncImpl;
import com.openai.client.OpenAIClientImpl;
import com.openai.core.ClientOptions;
import com.openai.core.ObjectMappers;
import com.openai.core.Timeout;
import dev.superstep.model.http.ApiKey;
import dev.superstep.model.http.CallRegistry;
import dev.superstep.model.http.ModelHttpTransport;
import dev.superstep.model.http.OllamaHttp;
import dev.superstep.model.http.SpreadHttpClient;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.anthropic.AnthropicChatOptions;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.ollama.OllamaChatModel;
import org.springframework.ai.ollama.api.OllamaApi;
import org.springframework.ai.ollama.api.OllamaChatOptions;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.openai.http.okhttp.SpringAiOpenAiHttpClient;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;

/// Makes the clients of the providers, with everything switched off that they would do by
/// themselves: repeating a request (the node's retry policy does), reading keys from the
/// environment, running tools.
final class ChatClients {
  /// Calls that wait in the driver's semaphores, not here.
  private static final int CALLS_MAX = 100_000;

  private static final int CLIENTS = 16;

  /// Calls at a time for one client before the next one is taken.
  private static final int ENOUGH = 64;

  /// Of one of the clients. All together have as many as a busy replica has calls at a time: the
  /// others would be connected anew for each call.
  private static final int IDLE_MAX = 256;

  private static final Duration IDLE = Duration.ofMinutes(5);

  /// Placeholder for the key that the clients require; [ModelHttpTransport] replaces it.
  private static final String NO_KEY = "none";

  private final ExecutorService threads;

  /// @param threads a virtual one for each task
  ChatClients(ExecutorService threads) {
    this.threads = threads;
  }

  /// @param callRegistry of the calls that are made with it
  ChatModel create(ModelSettings.Entry model, ApiKey apiKey, CallRegistry callRegistry) {
    return switch (model.provider()) {
      case OPENAI -> openAi(model, ModelHttpTransport.bearer(apiKey, callRegistry));
      case ANTHROPIC -> anthropic(model, ModelHttpTransport.anthropic(apiKey, callRegistry));
      case OLLAMA -> ollama(model, apiKey);
      case STUB -> throw new IllegalStateException("a script answers; there is nobody to call");
    };
  }

  private ChatModel openAi(ModelSettings.Entry model, ModelHttpTransport modelHttpTransport) {
    var http =
        new SpreadHttpClient(
            Stream.generate(() -> openAiHttp(model, modelHttpTransport)).limit(CLIENTS).toList(),
            ENOUGH);
    var options =
        ClientOptions.builder()
            .httpClient(http)
            .baseUrl(model.url())
            .apiKey(NO_KEY)
            .timeout(connecting(model.timeout()))
            .jsonMapper(json())
            .maxRetries(0)
            .streamHandlerExecutor(threads)
            .build();
    return OpenAiChatModel.builder()
        .openAiClient(new OpenAIClientImpl(options))
        .openAiClientAsync(new OpenAIClientAsyncImpl(options))
        .options(OpenAiChatOptions.builder().model(model.model()).build())
        .build();
  }

  /// Without limits for the whole call and its parts, as [CallHandle] has one: OkHttp keeps those
  /// of all calls in one heap behind one lock, which took a twentieth of the processor time of a
  /// thousand agents, and a read with a limit is a timed wait ([Deadline]).
  private static Timeout connecting(Duration max) {
    return Timeout.builder()
        .connect(max)
        .read(Duration.ZERO)
        .write(Duration.ZERO)
        .request(Duration.ZERO)
        .build();
  }

  /// The buffers of a virtual thread of its own would be used once.
  private static JsonMapper json() {
    var json = ObjectMappers.jsonMapper().copy();
    json.getFactory().setRecyclerPool(JsonRecyclerPools.sharedBoundedPool());
    return json;
  }

  private SpringAiOpenAiHttpClient openAiHttp(
      ModelSettings.Entry model, ModelHttpTransport modelHttpTransport) {
    var http =
        SpringAiOpenAiHttpClient.builder()
            .timeout(model.timeout())
            .interceptor(modelHttpTransport)
            .dispatcherExecutorService(threads)
            .maxIdleConnections(IDLE_MAX)
            .keepAliveDuration(IDLE)
            .build();
    http.getOkHttpClient().dispatcher().setMaxRequests(CALLS_MAX);
    http.getOkHttpClient().dispatcher().setMaxRequestsPerHost(CALLS_MAX);
    return http;
  }

  private ChatModel anthropic(ModelSettings.Entry model, ModelHttpTransport modelHttpTransport) {
    return AnthropicChatModel.builder()
        .options(
            AnthropicChatOptions.builder()
                .model(model.model())
                .baseUrl(model.url())
                .apiKey(NO_KEY)
                .timeout(model.timeout())
                .maxRetries(0)
                .build())
        .dispatcherExecutor(threads)
        .httpClientBuilderCustomizer(it -> it.interceptor(modelHttpTransport))
        .build();
  }

  private static ChatModel ollama(ModelSettings.Entry model, ApiKey apiKey) {
    var http = new OllamaHttp(apiKey, model.timeout());
    return OllamaChatModel.builder()
        .ollamaApi(
            OllamaApi.builder()
                .baseUrl(model.url())
                .restClientBuilder(http.whole())
                .webClientBuilder(http.streamed())
                .responseErrorHandler(http)
                .build())
        .options(OllamaChatOptions.builder().model(model.model()).build())
        .retryTemplate(new RetryTemplate(RetryPolicy.withMaxRetries(0)))
        .build();
  }
}
