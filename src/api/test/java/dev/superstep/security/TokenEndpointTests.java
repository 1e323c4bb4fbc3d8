package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;
import org.springframework.web.client.RestClientException;

/// What the token endpoint of a provider may answer.
class TokenEndpointTests {
  private HttpServer server;
  private volatile String body = "";
  private volatile int status = 200;

  @BeforeEach
  void serves() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/token",
        exchange -> {
          var headers = exchange.getResponseHeaders();
          headers.put("WWW-Authenticate", List.of("Basic realm=\"x\""));
          headers.put("Content-Type", List.of("application/json"));
          var bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stops() {
    server.stop(0);
  }

  private OAuth2AccessTokenResponse call() {
    return Objects.requireNonNull(
        TokenEndpoint.http()
            .post()
            .uri("http://127.0.0.1:" + server.getAddress().getPort() + "/token")
            .retrieve()
            .body(OAuth2AccessTokenResponse.class));
  }

  @ParameterizedTest
  @CsvSource({
    "400, '{\"error\": \"invalid_grant\", \"error_description\": \"too old\"}', invalid_grant, too old",
    "401, '{\"error\": \"invalid_client\", \"error_description\": \"AB1: a wrong secret\"}', invalid_client, AB1: a wrong secret",
    "503, '<h1>away</h1>', server_error, status 503 SERVICE_UNAVAILABLE",
    "400, '{}', server_error, status 400 BAD_REQUEST"
  })
  void tellsWhyThereAreNoTokens(int status, String body, String code, String description) {
    this.status = status;
    this.body = body;
    assertThatThrownBy(this::call)
        .isInstanceOfSatisfying(
            OAuth2AuthorizationException.class,
            it -> {
              assertThat(it.getError().getErrorCode()).isEqualTo(code);
              assertThat(it.getError().getDescription()).isEqualTo(description);
            });
  }

  @Test
  void readsSoMuchAndNoMore() {
    var tokens = "{\"access_token\": \"a\", \"token_type\": \"Bearer\", \"more\": \"%s\"}";
    body = tokens.formatted("x".repeat(1_000));
    assertThat(call().getAccessToken().getTokenValue()).isEqualTo("a");
    body = tokens.formatted("x".repeat(TokenEndpoint.ANSWER_BYTES_MAX));
    assertThatThrownBy(this::call)
        .isInstanceOf(RestClientException.class)
        .hasMessageContaining("more than");
  }
}
