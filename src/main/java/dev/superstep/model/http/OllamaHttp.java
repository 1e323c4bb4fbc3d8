package dev.superstep.model.http;

import dev.superstep.engine.pool.WorkPermits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.client.ResponseErrorHandler;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/// The counterpart of [ModelHttpTransport] for Ollama, whose client is Spring's own.
public final class OllamaHttp implements ResponseErrorHandler {
  public static final String TRACEPARENT = "traceparent";

  /// Unlike those of the other providers, its options take no headers.
  private static final ScopedValue<String> TRACE = ScopedValue.newInstance();

  private static final ScopedValue<CallHandle> CALL_HANDLE = ScopedValue.newInstance();

  private static final int EXCERPT_BYTES = 16_384;
  private final ApiKey apiKey;
  private final HttpClient client = new ClosableHttp(HttpClient.newHttpClient(), CALL_HANDLE::get);
  private final Duration timeout;

  public OllamaHttp(ApiKey apiKey, Duration timeout) {
    this.apiKey = apiKey;
    this.timeout = timeout;
  }

  /// The scope of a call.
  public static ScopedValue.Carrier with(CallHandle callHandle, Optional<String> traceparent) {
    var call = ScopedValue.where(CALL_HANDLE, callHandle);
    return traceparent.map(it -> call.where(TRACE, it)).orElse(call);
  }

  public RestClient.Builder whole() {
    var requests = new JdkClientHttpRequestFactory(client);
    requests.setReadTimeout(timeout);
    // The limit of an answer counts what arrives.
    requests.enableCompression(false);
    return RestClient.builder()
        .requestFactory(new BufferingClientHttpRequestFactory(requests))
        .requestInterceptor((request, body, execution) -> {
          authorize(request.getHeaders());
          try (var _ = WorkPermits.releaseDuringIo()) {
            var response = execution.execute(request, body);
            // read here, and kept: it may come much later than its head
            var _ = response.getBody();
            return response;
          }
        });
  }

  public WebClient.Builder streamed() {
    var connector = new JdkClientHttpConnector(client);
    connector.setReadTimeout(timeout);
    return WebClient.builder()
        .clientConnector(connector)
        .filter((request, next) ->
            closable(next, ClientRequest.from(request).headers(this::authorize).build()));
  }

  private static Mono<ClientResponse> closable(ExchangeFunction next, ClientRequest request) {
    var aborted = Sinks.<Void>empty();
    CALL_HANDLE
        .get()
        .connected(() -> {
          var _ = aborted.tryEmitEmpty();
        });
    return next.exchange(request).takeUntilOther(aborted.asMono());
  }

  private void authorize(HttpHeaders headers) {
    apiKey.now().ifPresent(headers::setBearerAuth);
    if (TRACE.isBound()) {
      headers.set(TRACEPARENT, TRACE.get());
    }
  }

  @Override
  public boolean hasError(ClientHttpResponse response) throws IOException {
    return response.getStatusCode().isError();
  }

  @Override
  public void handleError(URI url, HttpMethod method, ClientHttpResponse response)
      throws IOException {
    throw HttpStatusException.answered(
        response.getStatusCode().value(),
        new String(response.getBody().readNBytes(EXCERPT_BYTES), StandardCharsets.UTF_8),
        response.getHeaders().getFirst("Retry-After"));
  }
}
