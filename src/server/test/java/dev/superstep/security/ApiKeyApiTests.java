package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;

@KeyedApiTest
class ApiKeyApiTests {

  private static final String HOST = "Host: superstep.example";

  @LocalServerPort private int port;
  @LocalManagementPort private int managementPort;

  @ParameterizedTest
  @ValueSource(
      strings = {"/v1/runs", "/v1/no-such-thing", "/no-such-page.html", "/actuator/health"})
  void asksForAKey(String path) throws IOException {
    assertThat(RawHttp.get(port, path, HOST))
        .startsWith("HTTP/1.1 401")
        .contains("WWW-Authenticate: Bearer")
        .contains("application/problem+json")
        .contains("\"code\":\"unauthenticated\"")
        .doesNotContainIgnoringCase("set-cookie");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer gamma",
        "Bearer",
        "Bearer ",
        "Basic YWxwaGE6",
        "alpha",
        "Bearer alpha,beta"
      })
  void refusesWhatIsNoKey(String header) throws IOException {
    assertThat(RawHttp.get(port, "/v1/runs", HOST, "Authorization: " + header))
        .startsWith("HTTP/1.1 401");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer alpha", "Bearer beta", "bearer beta"})
  void letsEveryKeyIn(String header) throws IOException {
    assertThat(RawHttp.get(port, "/v1/no-such-thing", HOST, "Authorization: " + header))
        .startsWith("HTTP/1.1 404");
  }

  /// It is the same for everybody, and nothing of this server is in it.
  @Test
  void showsThePageOfTheConsoleWithoutAKey() throws IOException {
    var answer = RawHttp.get(port, "/", HOST, "Accept: text/html");
    assertThat(answer)
        .startsWith("HTTP/1.1 200")
        .contains("Content-Type: text/html", "<title>Superstep</title>")
        .contains("Cache-Control: no-cache", "X-Content-Type-Options: nosniff")
        .contains("Referrer-Policy: no-referrer", "X-Frame-Options: DENY")
        .containsPattern("nonce=\"[^\"]{24}\"")
        .doesNotContain("__");
    assertThat(RawHttp.get(port, "/", HOST)).startsWith("HTTP/1.1 200");
    assertThat(RawHttp.send("HEAD", port, "/", HOST)).startsWith("HTTP/1.1 200").endsWith("\r\n");
    assertThat(RawHttp.send("POST", port, "/", HOST, "Content-Length: 0"))
        .startsWith("HTTP/1.1 401");
  }

  @Test
  void letsThePageLoadNothingButItsOwnFiles() throws IOException {
    var first = policy(RawHttp.get(port, "/", HOST));
    assertThat(first)
        .contains("default-src 'none'; script-src 'self';", "frame-ancestors 'none'")
        .doesNotContain("unsafe", "http");
    assertThat(policy(RawHttp.get(port, "/", HOST))).isNotEqualTo(first);
  }

  private static String policy(String answer) {
    return answer
        .lines()
        .filter(it -> it.startsWith("Content-Security-Policy: "))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/index.html",
        "/runs",
        "/runs/r/checkpoints/3?task=a",
        "/graphs/g",
        "/inbox",
        "/webhooks/w"
      })
  void showsThePageUnderEachOfItsAddresses(String path) throws IOException {
    assertThat(RawHttp.get(port, path, HOST, "Accept: text/html, */*;q=0.8"))
        .startsWith("HTTP/1.1 200")
        .contains("<title>Superstep</title>");
    assertThat(RawHttp.get(port, path, HOST, "Accept: application/json"))
        .startsWith("HTTP/1.1 404")
        .contains("\"code\":\"not_found\"", "under /v1");
  }

  @Test
  void tellsProgramsWhereTheApiIs() throws IOException {
    assertThat(RawHttp.get(port, "/", HOST, "Accept: application/json"))
        .startsWith("HTTP/1.1 200")
        .contains("Content-Type: application/json", "\"api\":\"/v1\"");
    assertThat(RawHttp.get(port, "/", HOST, "Accept: text")).startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/v1/graphs", "/v3/api-docs", "/swagger-ui/x", "/langgraph/runs", "/stamp"})
  void showsItUnderNoOther(String path) throws IOException {
    assertThat(RawHttp.get(port, path, HOST, "Accept: text/html", "X-Forwarded-For: 192.0.2.1"))
        .startsWith("HTTP/1.1 401")
        .doesNotContain("<title>");
  }

  /// A problem leads there, that of a missing key too.
  @Test
  void explainsErrorCodesWithoutAKey() throws IOException {
    assertThat(RawHttp.get(port, "/v1/runs", HOST))
        .contains("\"help\":\"/v1/error-codes/unauthenticated\"");
    assertThat(RawHttp.get(port, "/v1/error-codes/unauthenticated", HOST))
        .startsWith("HTTP/1.1 200")
        .contains("\"status\":401", "\"remedy\":\"Send `Authorization");
    assertThat(RawHttp.get(port, "/v1/error-codes/http_503", HOST))
        .contains("\"code\":\"http_*\"", "\"found\":[\"run\"]")
        .doesNotContain("\"status\":503");
    assertThat(RawHttp.get(port, "/v1/error-codes?limit=2", HOST)).contains("next_cursor");
    assertThat(RawHttp.get(port, "/v1/error-codes/sold_out", HOST)).startsWith("HTTP/1.1 404");
    assertThat(RawHttp.send("POST", port, "/v1/error-codes", HOST, "Content-Length: 0"))
        .startsWith("HTTP/1.1 401");
  }

  @Test
  void showsTheDocumentationToThisMachineWithoutAKey() throws IOException {
    assertThat(RawHttp.get(port, "/v3/api-docs", HOST)).startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/actuator/health/liveness", "/actuator/health/readiness", "/actuator/prometheus"})
  void leavesTheManagementPortToItsNetwork(String path) throws IOException {
    assertThat(RawHttp.get(managementPort, path, HOST)).startsWith("HTTP/1.1 200");
  }

  @Test
  void asksForAKeyForOtherEndpointsThatAnOperatorExposes() throws IOException {
    assertThat(RawHttp.get(managementPort, "/actuator/env", HOST)).startsWith("HTTP/1.1 401");
    assertThat(RawHttp.get(managementPort, "/actuator/env", HOST, "Authorization: Bearer alpha"))
        .startsWith("HTTP/1.1 200");
  }

  /// Behind a proxy that is believed the address is what a client has written.
  @ParameterizedTest
  @ValueSource(strings = {"garbage", "1.2.3.4.5, x", "::::", "\"", "[::1", "unknown, 127.0.0.1:x"})
  void takesNoAddressThatIsNone(String address) throws IOException {
    assertThat(RawHttp.get(port, "/v3/api-docs", HOST, "X-Forwarded-For: " + address))
        .startsWith("HTTP/1.1 401");
  }

  @Test
  void answersWhatTheFirewallRefusesWithAProblem() throws IOException {
    assertThat(RawHttp.get(port, "/v1/runs/a;b=c", HOST, "Authorization: Bearer alpha"))
        .startsWith("HTTP/1.1 400")
        .contains("\"code\":\"bad_request\"");
  }
}
