package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "management.endpoints.web.exposure.include=health,info,prometheus,env")
@Import(TestDatabase.class)
class SameMachineApiTests {

  private static final String PATH = "/v1/no-such-thing";

  @LocalServerPort private int port;
  @LocalManagementPort private int managementPort;

  @ParameterizedTest
  @ValueSource(strings = {"localhost:8080", "127.0.0.1", "[::1]:8080"})
  void servesCallersThatNameThisMachine(String host) throws IOException {
    assertThat(RawHttp.get(port, PATH, "Host: " + host)).startsWith("HTTP/1.1 404");
  }

  @Test
  void refusesANameThatMerelyResolvesToThisMachine() throws IOException {
    assertThat(RawHttp.get(port, PATH, "Host: rebound.example"))
        .startsWith("HTTP/1.1 403")
        .contains("\"code\":\"forbidden\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-For: 127.0.0.1",
        "X-Forwarded-For: garbage",
        "x-forwarded-host: localhost",
        "X-Forwarded-Proto: https",
        "X-Real-IP: 127.0.0.1",
        "Forwarded: for=127.0.0.1"
      })
  void refusesCallsThatCameThroughAProxy(String header) throws IOException {
    assertThat(RawHttp.get(port, PATH, "Host: localhost", header))
        .startsWith("HTTP/1.1 403")
        .contains("proxy");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://page.example", "null", "file://"})
  void refusesPagesOfOthersInABrowserOfThisMachine(String origin) throws IOException {
    assertThat(RawHttp.get(port, PATH, "Host: localhost", "Origin: " + origin))
        .startsWith("HTTP/1.1 403");
  }

  /// A form is no body of any call, and is not read before a call is refused.
  @ParameterizedTest
  @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
  void readsNoForms(String method) throws IOException {
    var answer =
        RawHttp.sendBody(
            method,
            port,
            PATH,
            "a=%zz",
            "Host: localhost",
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Length: 5");

    assertThat(answer).matches("(?s)HTTP/1.1 4.*");
  }

  /// A page may send a GET without an origin, as that of a picture, and leave it: a run that is
  /// cancelled when its client leaves would be.
  @ParameterizedTest
  @CsvSource({
    "/v1/no-such-thing, no-cors, image",
    "/v1/no-such-thing, navigate, document",
    "/langgraph/threads/x/runs/y/join?cancel_on_disconnect=true, no-cors, image",
    "/, no-cors, iframe",
    "/runs, navigate, iframe"
  })
  void refusesWhatAPageOfAnotherSiteHasTheBrowserSend(String path, String mode, String to)
      throws IOException {
    assertThat(crossSite(path, mode, to)).startsWith("HTTP/1.1 403").contains("another site");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/runs/x", "/swagger-ui/index.html"})
  void followsLinksOfOtherSitesToPages(String path) throws IOException {
    assertThat(crossSite(path, "navigate", "document")).startsWith("HTTP/1.1 200");
  }

  private String crossSite(String path, String mode, String to) throws IOException {
    return RawHttp.get(
        port,
        path,
        "Host: localhost",
        "Accept: text/html,*/*",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Mode: " + mode,
        "Sec-Fetch-Dest: " + to);
  }

  @Test
  void servesItsOwnUserInterface() throws IOException {
    assertThat(RawHttp.get(port, PATH, "Host: localhost", "Origin: http://localhost:8080"))
        .startsWith("HTTP/1.1 404");
    assertThat(RawHttp.get(port, "/swagger-ui/index.html", "Host: localhost"))
        .startsWith("HTTP/1.1 200");
  }

  @Test
  void answersNoPreflightUnlessOriginsAreConfigured() throws IOException {
    assertThat(
            RawHttp.send(
                "OPTIONS",
                port,
                "/v1/runs",
                "Host: localhost",
                "Origin: http://localhost:5173",
                "Access-Control-Request-Method: POST"))
        .doesNotContain("Access-Control");
  }

  /// It holds settings, and nobody has a key that could open it.
  @Test
  void showsNoOtherEndpointThatAnOperatorExposes() throws IOException {
    assertThat(RawHttp.get(managementPort, "/actuator/env", "Host: localhost"))
        .startsWith("HTTP/1.1 401")
        .doesNotContain("propertySources");
  }

  @Test
  void reportsItsReadinessWithTheDatabase() throws IOException {
    assertThat(RawHttp.get(managementPort, "/actuator/health/readiness", "Host: localhost"))
        .startsWith("HTTP/1.1 200");
  }
}
