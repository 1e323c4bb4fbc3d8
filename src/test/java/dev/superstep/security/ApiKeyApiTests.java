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
  void showsThePageAtTheRootWithoutAKey() throws IOException {
    assertThat(RawHttp.get(port, "/", HOST, "Accept: text/html"))
        .startsWith("HTTP/1.1 200")
        .contains("Content-Type: text/html", "<h1>Superstep</h1>")
        .contains("href=\"swagger-ui.html\"", "href=\"v3/api-docs.yaml\"", "<code>docs</code>");
    assertThat(RawHttp.get(port, "/", HOST)).startsWith("HTTP/1.1 200");
    assertThat(RawHttp.send("POST", port, "/", HOST, "Content-Length: 0"))
        .startsWith("HTTP/1.1 401");
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
