package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.superstep.secret.MissingSecretException;
import dev.superstep.secret.Secrets;
import dev.superstep.security.SignInProvider.ProviderException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;

/// What a provider says of itself, and what becomes of it.
class SignInProviderTests {
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong();
  @TempDir private Path folder;
  private volatile String metadata = "";
  private HttpServer server;

  @BeforeEach
  void serves() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/.well-known/openid-configuration",
        exchange -> {
          reads.incrementAndGet();
          var body = metadata.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    Files.writeString(secret(), "first");
    publish(issuer(), "");
  }

  @AfterEach
  void stops() {
    server.stop(0);
  }

  private Path secret() {
    return folder.resolve("secret");
  }

  private String issuer() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void publish(String issuer, String more) {
    metadata =
        """
        {"issuer": "%s", "authorization_endpoint": "http://login.example/authorize?realm=one",
         "token_endpoint": "http://login.example/token", "jwks_uri": "http://login.example/keys"%s}
        """
            .formatted(issuer, more);
  }

  private SignInProvider provider() {
    var jwt =
        new JwtSettings(
            issuer(),
            "",
            "superstep",
            "scope",
            "",
            "",
            List.of(),
            JwtSettings.TenantOfTokens.DEFAULT,
            List.of(SignatureAlgorithm.RS256),
            Duration.ZERO);
    return new SignInProvider(
        settings("https://superstep.example/"),
        new JwtCallers(jwt),
        Secrets.withoutProperties(),
        nanos::get);
  }

  private SignInSettings settings(String url) {
    var hour = Duration.ofHours(1);
    return new SignInSettings(
        "one", "file:" + secret(), "", url, "a provider", List.of("groups"), hour, hour);
  }

  @Test
  void reachesTheEndpointsThatTheProviderNames() throws IOException {
    var provider = provider();
    var client = provider.findByRegistrationId(SignInProvider.ID);
    assertThat(client.getRedirectUri()).isEqualTo("https://superstep.example/sign-in/callback");
    assertThat(client.getScopes()).containsExactlyInAnyOrder("openid", "groups");
    assertThat(client.getProviderDetails().getTokenUri()).isEqualTo("http://login.example/token");
    assertThat(client.getClientSettings().isRequireProofKey()).isTrue();
    assertThat(client.getClientAuthenticationMethod())
        .isEqualTo(ClientAuthenticationMethod.CLIENT_SECRET_BASIC);

    Files.writeString(secret(), "second");
    publish(issuer(), ", \"token_endpoint_auth_methods_supported\": [\"client_secret_post\"]");
    assertThat(provider.findByRegistrationId(SignInProvider.ID).getClientSecret())
        .isEqualTo("second");
    assertThat(reads).hasValue(1);
    nanos.addAndGet(Duration.ofMinutes(5).toNanos());
    assertThat(provider.findByRegistrationId(SignInProvider.ID).getClientAuthenticationMethod())
        .isEqualTo(ClientAuthenticationMethod.CLIENT_SECRET_POST);
    assertThat(reads).hasValue(2);
  }

  @Test
  void doesNotSendSecretsWhereOthersCouldReadThem() {
    metadata = metadata.replace("http://login.example/token", "ftp://login.example/token");
    assertThatThrownBy(() -> provider().findByRegistrationId(SignInProvider.ID))
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("token_endpoint");
    publish("http://login.example", "");
    assertThatThrownBy(() -> provider().findByRegistrationId(SignInProvider.ID))
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("another issuer");
  }

  @Test
  void saysThatTheProviderIsAway() throws IOException {
    var provider = provider();
    server.stop(0);
    assertThatThrownBy(() -> provider.findByRegistrationId(SignInProvider.ID))
        .isInstanceOf(ProviderException.class);
    assertThat(provider.signOut(Optional.of("token"))).isEmpty();
  }

  @Test
  void needsItsSecret() throws IOException {
    Files.delete(secret());
    var provider = provider();
    assertThatThrownBy(() -> provider.findByRegistrationId(SignInProvider.ID))
        .isInstanceOf(MissingSecretException.class);
  }

  @Test
  void signsOutWhereTheProviderSays() {
    assertThat(provider().signOut(Optional.of("token"))).isEmpty();
    publish(issuer(), ", \"end_session_endpoint\": \"http://login.example/out?a=b%20c\"");
    assertThat(provider().signOut(Optional.of("to&ken")).orElseThrow())
        .hasToString(
            "http://login.example/out?a=b%20c&id_token_hint=to%26ken&client_id=one"
                + "&post_logout_redirect_uri=https%3A%2F%2Fsuperstep.example%2F");
  }

  @Test
  void signsOutWithoutAHintWhoseTokenIsNotKnown() {
    publish(issuer(), ", \"end_session_endpoint\": \"http://login.example/out\"");
    assertThat(provider().signOut(Optional.empty()).orElseThrow())
        .hasToString(
            "http://login.example/out?client_id=one"
                + "&post_logout_redirect_uri=https%3A%2F%2Fsuperstep.example%2F");
  }

  /// Strangers begin to sign in as often as they like.
  @Test
  @Timeout(60)
  void asksAProviderThatIsAwayOnceASecond() throws Exception {
    publish("http://another.example", "");
    var provider = provider();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var attempts = new ArrayList<Callable<Optional<URI>>>();
      for (int attempt = 0; attempt < 20; attempt++) {
        attempts.add(() -> provider.signOut(Optional.of("token")));
      }
      for (var attempt : threads.invokeAll(attempts)) {
        assertThat(attempt.get()).isEmpty();
      }
    }
    assertThat(reads).hasValue(1);
    publish(issuer(), "");
    nanos.addAndGet(Duration.ofMillis(999).toNanos());
    assertThatThrownBy(() -> provider.findByRegistrationId(SignInProvider.ID))
        .isInstanceOf(ProviderException.class);
    nanos.addAndGet(Duration.ofMillis(1).toNanos());
    assertThat(provider.findByRegistrationId(SignInProvider.ID).getClientId()).isEqualTo("one");
  }
}
