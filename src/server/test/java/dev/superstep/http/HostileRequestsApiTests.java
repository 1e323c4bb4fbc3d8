package dev.superstep.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Requests that no client sends by accident: none of them is a failure of the service.
@ApiTest
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class HostileRequestsApiTests {
  private static final String KEY = "sk-a-key-that-nobody-may-see";

  @LocalServerPort private int port;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/runs   | */*",
        "/v1/runs   | application/*",
        "/v1/runs   | */*;charset=utf-8",
        "/v1/runs   | multipart/form-data",
        "/v1/runs   | multipart/form-data;boundary=",
        "/v1/runs   | multipart/form-data;boundary=x",
        "/v1/runs   | multipart/mixed",
        "/v1/runs   | application/x-www-form-urlencoded",
        "/v1/runs   | json",
        "/v1/runs   | application/json;charset=no-such",
        "/v1/graphs | */*",
        "/v1/graphs/validate | */*",
        "/v1/graphs/validate | text/*",
        "/v1/context/preview | */*",
        "/v1/expressions/evaluate | */*",
        "/v1/runs/none/resume | */*",
        "/v1/runs/none/cancel | */*",
        "/v1/runs/none/fork | */*",
        "/v1/runs/stream | */*",
        "/v1/graphs | multipart/form-data",
        "/v1/graphs | application/*+yaml",
        "/v1/graphs | application/yaml;charset=no-such",
      })
  void refusesContentTypesThatItDoesNotRead(String path, String type) throws IOException {
    var answer = send("POST " + path, "Content-Type: " + type + "\r\nContent-Length: 2", "{}");

    assertThat(answer)
        .containsPattern("HTTP/1.1 (415|400|404|422) ")
        .contains("application/problem+json")
        .doesNotContain("internal_error");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "gzip, chunked", "xz", "identity"})
  void says501ToTransferCodingsThatItDoesNotKnow(String coding) throws IOException {
    var answer = send("POST /v1/runs", "Transfer-Encoding: " + coding, "");

    assertThat(answer)
        .containsPattern("HTTP/1.1 (501|400) ")
        .containsPattern("\"code\":\"(not_implemented|bad_request)\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRACE", "CONNECT", "FOO", "get"})
  void refusesMethodsThatItDoesNotHave(String method) throws IOException {
    assertThat(send(method + " /v1/runs", "X-A: b", ""))
        .containsPattern("HTTP/1.1 (405|400|501) ")
        .containsPattern("\"code\":\"(method_not_allowed|bad_request|not_implemented)\"")
        .doesNotContain("internal_error");
  }

  @ParameterizedTest
  @CsvSource({"-2147483648", "-1001", "1001", "2147483647"})
  void refusesPrioritiesBeyondTheirBounds(String priority) throws IOException {
    var body = "{\"graph\": \"none\", \"input\": {}, \"priority\": %s}".formatted(priority);

    assertThat(
            send(
                "POST /v1/runs",
                "Content-Type: application/json\r\nContent-Length: " + body.length(),
                body))
        .startsWith("HTTP/1.1 422")
        .contains("\"pointer\":\"/priority\"", "from -1000 to 1000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Cookie: session=\u0001" + KEY,
        "Cookie: a=\"" + KEY + "; $Version=x; =\u00ff" + KEY,
        "Authorization\u0001: Bearer " + KEY,
        "Authorization : Bearer " + KEY,
        "Authorization: Bearer \u0000" + KEY,
        "(Key): " + KEY,
        "Content-Length: " + KEY,
        "Transfer-Encoding: " + KEY,
        "Host: " + KEY + "\u0001",
        "Content-Type: " + KEY,
        "Accept: " + KEY,
        "Idempotency-Key: " + KEY + "\u00ff",
      })
  void logsNoKeyThatAMalformedHeaderHolds(String header, CapturedOutput log) throws IOException {
    send("GET /v1/runs", header, "");
    send("POST /v1/runs", header, "");
    send("GET /swagger-ui/index.html", header, "");

    assertThat(log.getAll()).doesNotContain(KEY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/v1/runs?key=" + KEY + "&%zz", "/v1/[" + KEY, "/v1/runs/" + KEY + "\u0001"})
  void logsNoKeyOfAMalformedTarget(String target, CapturedOutput log) throws IOException {
    send("GET " + target, "X-A: b", "");

    assertThat(log.getAll()).doesNotContain(KEY);
  }

  /// The container shows what is malformed at most once a day, so that the tests above see the
  /// first of them only.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.tomcat.util.http.parser.Cookie",
        "org.apache.tomcat.util.http.Parameters",
        "org.apache.coyote.http11.Http11InputBuffer",
        "org.apache.coyote.http11.Http11Processor"
      })
  void keepsMalformedPartsOutOfTheLog(String logger) {
    assertThat(LoggerFactory.getLogger(logger).isInfoEnabled()).isFalse();
  }

  @Test
  void refusesAHeadThatIsTooLong() throws IOException {
    assertThat(send("GET /v1/runs", "X-Long: " + "x".repeat(9_000), ""))
        .startsWith("HTTP/1.1 400")
        .contains("\"code\":\"bad_request\"");
    assertThat(send("GET /v1/runs?x=" + "x".repeat(9_000), "X-A: b", ""))
        .startsWith("HTTP/1.1 400")
        .contains("\"instance\":\"/\"");
  }

  @Test
  void refusesMoreHeadersThanAnyClientSends() throws IOException {
    assertThat(send("GET /v1/runs", "X: y\r\n".repeat(200) + "X-A: b", ""))
        .startsWith("HTTP/1.1 400");
  }

  private String send(String start, String headers, String body) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      var host = headers.startsWith("Host:") ? "" : "Host: localhost\r\n";
      var request =
          start + " HTTP/1.1\r\n" + host + "Connection: close\r\n" + headers + "\r\n\r\n" + body;
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
