package dev.superstep.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// Calls with the tokens of a real authorization server, whose keys are found by its metadata.
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "superstep.api-keys=alpha",
      "superstep.auth.jwt.audience=" + AuthorizationServer.AUDIENCE,
      "superstep.auth.jwt.scope-prefix=superstep:"
    })
@Import(TestDatabase.class)
class TokenApiTests {
  private static final AuthorizationServer SERVER = AuthorizationServer.start();
  private static final String GRAPH =
      """
      {"name": "of-a-token", "channels": {"said": {}},
       "nodes": [{"id": "say", "type": "expression", "config": {"update": {"said": "yes"}}}],
       "edges": [{"from": "__start__", "to": "say"}]}
      """;

  @LocalServerPort private int port;

  @DynamicPropertySource
  static void issuer(DynamicPropertyRegistry registry) {
    registry.add("superstep.auth.jwt.issuer", SERVER::issuer);
  }

  @Test
  void letsATokenDoWhatItsScopesSay() throws IOException {
    var author = token("superstep:author superstep:run superstep:read");
    assertThat(call("POST", "/v1/graphs", author, GRAPH)).startsWith("HTTP/1.1 201");
    assertThat(call("POST", "/v1/runs?wait=20s", author, "{\"graph\":\"of-a-token\",\"input\":{}}"))
        .contains("\"status\":\"succeeded\"", "\"created_by\":\"");

    var reader = token("superstep:read");
    assertThat(call("GET", "/v1/runs", reader, "")).startsWith("HTTP/1.1 200");
    assertThat(call("POST", "/v1/runs", reader, "{\"graph\":\"of-a-token\",\"input\":{}}"))
        .startsWith("HTTP/1.1 403");
    assertThat(call("DELETE", "/v1/graphs/of-a-token", author, "")).startsWith("HTTP/1.1 403");
  }

  @Test
  void refusesATokenThatWasChangedOnTheWay() throws IOException {
    var token = token("superstep:read");
    int payload = token.indexOf('.') + 1;
    int signature = token.lastIndexOf('.');
    var decoded = Base64.getUrlDecoder().decode(token.substring(payload, signature));
    var claims = new String(decoded, UTF_8);
    var more = claims.replace("superstep:read", "superstep:operate");
    assertThat(more).isNotEqualTo(claims);
    var forged =
        token.substring(0, payload)
            + Base64.getUrlEncoder().withoutPadding().encodeToString(more.getBytes(UTF_8))
            + token.substring(signature);

    assertThat(call("GET", "/v1/runs", token, "")).startsWith("HTTP/1.1 200");
    assertThat(call("GET", "/v1/runs", forged, "")).startsWith("HTTP/1.1 401");
  }

  @Test
  void makesNoKeyThatOutlivesTheTokenThatMadeIt() throws IOException {
    var operator = token("superstep:operate");
    var payload = operator.substring(operator.indexOf('.') + 1, operator.lastIndexOf('.'));
    var claims = new String(Base64.getUrlDecoder().decode(payload), UTF_8);
    long ends = Long.parseLong(claims.replaceAll(".*\"exp\":([0-9]+).*", "$1"));

    var made = "{\"name\":\"of-minutes\",\"scopes\":[\"operate\"]%s}";
    assertThat(call("POST", "/v1/keys", operator, made.formatted("")))
        .startsWith("HTTP/1.1 201")
        .contains("\"expires_at\":\"" + Instant.ofEpochSecond(ends) + "\"");
    var later = ",\"expires_at\":\"%s\"".formatted(Instant.ofEpochSecond(ends + 1));
    assertThat(call("POST", "/v1/keys", operator, made.formatted(later)))
        .startsWith("HTTP/1.1 422")
        .contains("\"pointer\":\"/expires_at\"");
  }

  private static String token(String scopes) throws IOException {
    var body = "grant_type=client_credentials&scope=" + scopes.replace(" ", "+");
    var basic = AuthorizationServer.CLIENT + ":" + AuthorizationServer.SECRET;
    var answer =
        RawHttp.sendBody(
            "POST",
            SERVER.port(),
            "/oauth2/token",
            body,
            "Host: 127.0.0.1:" + SERVER.port(),
            "Authorization: Basic " + Base64.getEncoder().encodeToString(basic.getBytes(UTF_8)),
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Length: " + body.length());
    assertThat(answer).startsWith("HTTP/1.1 200");
    return answer.replaceAll("(?s).*\"access_token\":\"([^\"]+)\".*", "$1");
  }

  private String call(String method, String path, String token, String body) throws IOException {
    return RawHttp.sendBody(
        method,
        port,
        path,
        body,
        "Host: superstep.example",
        "Authorization: Bearer " + token,
        "Content-Type: application/json",
        "Content-Length: " + body.getBytes(UTF_8).length);
  }
}
