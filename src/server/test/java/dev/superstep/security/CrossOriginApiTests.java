package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// The same service as that of [ApiKeyApiTests].
@KeyedApiTest
class CrossOriginApiTests {
  private static final String HOST = "Host: superstep.example";
  private static final String ORIGIN = "Origin: https://console.example";

  @LocalServerPort private int port;

  private String preflight(String path, String origin, String method, String headers)
      throws IOException {
    return RawHttp.send(
        "OPTIONS",
        port,
        path,
        HOST,
        origin,
        "Access-Control-Request-Method: " + method,
        "Access-Control-Request-Headers: " + headers);
  }

  @Test
  void answersPreflightsOfItsPagesWithoutAKey() throws IOException {
    var sent = "authorization,content-type,idempotency-key,last-event-id";
    var answer = preflight("/v1/runs", ORIGIN, "POST", sent);

    assertThat(answer)
        .startsWith("HTTP/1.1 200")
        .contains("Access-Control-Allow-Origin: https://console.example\r\n")
        .doesNotContain("Access-Control-Allow-Credentials");
    assertThat(header(answer, "Access-Control-Allow-Headers"))
        .isEqualToIgnoringCase(sent.replace(",", ", "));
    assertThat(header(answer, "Access-Control-Allow-Methods")).contains("POST");
    assertThat(
            preflight("/v1/runs/a/stream", "Origin: http://localhost:5173", "GET", "last-event-id"))
        .startsWith("HTTP/1.1 200");
  }

  @Test
  void showsItsPagesTheHeadersOfItsAnswers() throws IOException {
    var answer =
        RawHttp.get(port, "/v1/no-such-thing", HOST, ORIGIN, "Authorization: Bearer alpha");

    assertThat(answer)
        .startsWith("HTTP/1.1 404")
        .contains("Access-Control-Allow-Origin: https://console.example\r\n");
    assertThat(header(answer, "Access-Control-Expose-Headers"))
        .contains("Location", "Retry-After", "Idempotency-Replayed");
  }

  @Test
  void letsItsPagesReadThatAKeyIsMissing() throws IOException {
    assertThat(RawHttp.get(port, "/v1/runs", HOST, ORIGIN))
        .startsWith("HTTP/1.1 401")
        .contains("Access-Control-Allow-Origin: https://console.example\r\n");
  }

  @Test
  void refusesPagesOfOthersWithAProblem() throws IOException {
    assertThat(preflight("/v1/runs", "Origin: https://other.example", "POST", "authorization"))
        .startsWith("HTTP/1.1 403")
        .contains("application/problem+json", "superstep.cors.origins")
        .doesNotContain("Access-Control-Allow-Origin");
    assertThat(preflight("/v1/runs", ORIGIN, "POST", "x-other")).startsWith("HTTP/1.1 403");
    assertThat(
            RawHttp.get(
                port,
                "/v1/runs",
                HOST,
                "Origin: https://other.example",
                "Authorization: Bearer alpha"))
        .startsWith("HTTP/1.1 403")
        .doesNotContain("Access-Control-Allow-Origin");
  }

  private static String header(String answer, String name) {
    return answer
        .lines()
        .filter(it -> it.startsWith(name + ": "))
        .map(it -> it.substring(name.length() + 2))
        .findFirst()
        .orElse("");
  }
}
