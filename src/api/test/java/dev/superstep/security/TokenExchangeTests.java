package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.database.TenantSettings;
import dev.superstep.problem.InvalidSettingException;
import dev.superstep.secret.OnBehalfOf;
import dev.superstep.secret.Secrets;
import dev.superstep.security.ExchangeSettings.ExchangeClient;
import dev.superstep.security.TokenExchange.ExchangeOutcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;

/// What becomes of the answers of a token endpoint.
class TokenExchangeTests {
  private static final OnBehalfOf CRM =
      new OnBehalfOf(OnBehalfOf.TokenMode.EXCHANGE, "crm", List.of("read", "write"));
  @TempDir Path folder;
  private HttpServer server;
  private final List<String> forms = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private volatile String answer = given("exchanged");

  TokenExchangeTests() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
  }

  @BeforeEach
  void serves() throws IOException {
    Files.writeString(folder.resolve("secret"), "of the client");
    server.createContext(
        "/.well-known/openid-configuration",
        it ->
            send(
                it,
                200,
                "{\"issuer\": \"%1$s\", \"token_endpoint\": \"%1$s/token\"}".formatted(issuer())));
    server.createContext(
        "/token",
        it -> {
          forms.add(new String(it.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          send(it, status, answer);
        });
    server.start();
  }

  @AfterEach
  void stops() {
    server.stop(0);
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      var bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static String given(String token) {
    return """
    {"access_token": "%s", "issued_token_type": "urn:ietf:params:oauth:token-type:access_token",
     "token_type": "Bearer", "expires_in": 300}
    """
        .formatted(token);
  }

  private String issuer() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private TokenExchange exchange(ExchangeClient... clients) {
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
    var issuers = new TokenCallers(jwt, new IssuerSettings(Map.of()), new TenantSettings(false));
    var named = new HashMap<String, ExchangeClient>();
    for (var client : clients) {
      named.put("client-" + named.size(), client);
    }
    return new TokenExchange(new ExchangeSettings(named), issuers, Secrets.withoutProperties());
  }

  private ExchangeClient client(String issuer) {
    return new ExchangeClient(issuer, "superstep", "file:" + folder.resolve("secret"));
  }

  private SubjectToken token(String issuer) {
    return new SubjectToken(
        "eyJ.of.ada", issuer, List.of("superstep"), Instant.now().plusSeconds(60));
  }

  private ExchangeOutcome exchange() throws InterruptedException {
    return exchange(client("")).exchange(token(issuer()), CRM);
  }

  @Test
  void asksForATokenOfTheAudience() throws InterruptedException {
    var outcome = exchange();

    assertThat(outcome)
        .isInstanceOfSatisfying(
            ExchangeOutcome.TokenGiven.class,
            it -> {
              assertThat(it.token().value()).isEqualTo("exchanged");
              assertThat(it.token().isUsable(Instant.now())).isTrue();
              assertThat(it.token().isUsable(Instant.now().plusSeconds(295))).isFalse();
            });
    assertThat(outcome.toString()).doesNotContain("exchanged");
    assertThat(forms.getFirst())
        .contains("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange")
        .contains("subject_token=eyJ.of.ada&")
        .contains("subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token")
        .contains("audience=crm", "scope=read+write");
  }

  @ParameterizedTest
  @CsvSource({
    "400,invalid_grant,TokenEnded",
    "400,invalid_token,TokenEnded",
    "400,invalid_target,ExchangeRefused",
    "401,invalid_client,ExchangeRefused",
    "403,eyJ.of.ada,ExchangeRefused",
    "503,temporarily_unavailable,IssuerAway",
    "500,server_error,IssuerAway"
  })
  void tellsWhoIsToBlame(int failed, String code, String outcome) throws InterruptedException {
    status = failed;
    answer = "{\"error\": \"%s\", \"error_description\": \"not eyJ.of.ada\"}".formatted(code);

    var found = exchange();

    assertThat(found.getClass().getSimpleName()).isEqualTo(outcome);
    assertThat(found.toString()).doesNotContain("eyJ");
  }

  @Test
  void takesNoTokenThatNoHeaderMayHave() throws InterruptedException {
    answer = given("one\\r\\nX-Admin: yes");
    assertThat(exchange()).isInstanceOf(ExchangeOutcome.ExchangeRefused.class);
  }

  @Test
  void saysThatTheIssuerIsAway() throws InterruptedException {
    var exchange = exchange(client(""));
    var issuer = issuer();
    answer = "<html>";
    assertThat(exchange.exchange(token(issuer), CRM))
        .isInstanceOf(ExchangeOutcome.IssuerAway.class);
    server.stop(0);
    assertThat(exchange.exchange(token(issuer), CRM))
        .isInstanceOf(ExchangeOutcome.IssuerAway.class);
  }

  @Test
  void sendsATokenToNobodyButItsIssuer() throws InterruptedException {
    assertThat(exchange(client(issuer())).exchange(token("https://other.example"), CRM))
        .isInstanceOf(ExchangeOutcome.ExchangeRefused.class);
    assertThat(forms).isEmpty();
    assertThatThrownBy(() -> exchange(client("https://other.example")))
        .isInstanceOf(InvalidSettingException.class);
    assertThatThrownBy(() -> exchange(client(""), client(issuer())))
        .isInstanceOf(InvalidSettingException.class);
  }
}
