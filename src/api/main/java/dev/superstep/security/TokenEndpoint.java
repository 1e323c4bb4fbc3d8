package dev.superstep.security;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.core.http.converter.OAuth2ErrorHttpMessageConverter;
import org.springframework.web.client.RestClient;

/// Calls the token endpoint of the provider, bounded in time and size. Spring's own handler of
/// errors needs Nimbus' SDK for some of them.
final class TokenEndpoint {
  private static final Duration CONNECT_MAX = Duration.ofSeconds(3);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
  static final int ANSWER_BYTES_MAX = 512 * 1024;

  private TokenEndpoint() {}

  static RestClient http() {
    var requests =
        new JdkClientHttpRequestFactory(
            HttpClient.newBuilder().connectTimeout(CONNECT_MAX).build());
    requests.setReadTimeout(ANSWER_MAX);
    requests.enableCompression(false);
    return RestClient.builder()
        .requestFactory(requests)
        .requestInterceptor(TokenEndpoint::bounded)
        .configureMessageConverters(it ->
            it.addCustomConverter(new FormHttpMessageConverter())
                .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
        .defaultStatusHandler(HttpStatusCode::isError, (_, answer) -> refused(answer))
        .build();
  }

  /// @throws OAuth2AuthorizationException always, with what the provider says
  private static void refused(ClientHttpResponse answer) throws IOException {
    OAuth2Error error;
    try {
      error = new OAuth2ErrorHttpMessageConverter().read(OAuth2Error.class, answer);
    } catch (HttpMessageNotReadableException _) {
      error =
          new OAuth2Error(
              OAuth2ErrorCodes.SERVER_ERROR, "status %s".formatted(answer.getStatusCode()), null);
    }
    throw new OAuth2AuthorizationException(error);
  }

  private static ClientHttpResponse bounded(
      HttpRequest request, byte[] form, ClientHttpRequestExecution execution) throws IOException {
    try (var answer = execution.execute(request, form)) {
      var body = answer.getBody().readNBytes(ANSWER_BYTES_MAX + 1);
      if (body.length > ANSWER_BYTES_MAX) {
        throw new IOException("the answer has more than %d bytes".formatted(ANSWER_BYTES_MAX));
      }
      return new BufferedAnswer(
          answer.getStatusCode(), answer.getStatusText(), answer.getHeaders(), body);
    }
  }

  /// An answer that was read to its end.
  private static final class BufferedAnswer implements ClientHttpResponse {
    private final HttpStatusCode status;
    private final String statusText;
    private final HttpHeaders headers;
    private final byte[] body;

    BufferedAnswer(HttpStatusCode status, String statusText, HttpHeaders headers, byte... body) {
      this.status = status;
      this.statusText = statusText;
      this.headers = headers;
      this.body = body;
    }

    @Override
    public HttpStatusCode getStatusCode() {
      return status;
    }

    @Override
    public String getStatusText() {
      return statusText;
    }

    @Override
    public HttpHeaders getHeaders() {
      return headers;
    }

    @Override
    public InputStream getBody() {
      return new ByteArrayInputStream(body);
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
