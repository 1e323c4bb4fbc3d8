package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Keys and origins below `/langgraph`, on the service of [ApiKeyApiTests].
@KeyedApiTest
class LangGraphKeyApiTests {
  private static final String HOST = "Host: superstep.example";
  private static final String ORIGIN = "Origin: https://console.example";

  @LocalServerPort private int port;

  @Test
  void takesAKeyFromEitherHeader() throws IOException {
    assertThat(RawHttp.get(port, "/langgraph/info", HOST, "x-api-key: alpha"))
        .startsWith("HTTP/1.1 200");
    assertThat(RawHttp.get(port, "/langgraph/info", HOST, "Authorization: Bearer alpha"))
        .startsWith("HTTP/1.1 200");
    assertThat(RawHttp.get(port, "/v1/runs", HOST, "x-api-key: alpha")).startsWith("HTTP/1.1 401");
  }

  @Test
  void refusesCallsWithoutAKeyOrWithAnUnknownOne() throws IOException {
    assertThat(RawHttp.get(port, "/langgraph/info", HOST))
        .startsWith("HTTP/1.1 401")
        .contains("Content-Type: application/json", "\"code\":\"unauthenticated\"", "\"message\"");
    assertThat(RawHttp.get(port, "/langgraph/info", HOST, "x-api-key: gamma"))
        .startsWith("HTTP/1.1 401");
    assertThat(RawHttp.get(port, "/langgraph/ok", HOST)).startsWith("HTTP/1.1 401");
  }

  @Test
  void letsPagesOfItsOriginsSendAndReadWhatItsClientsDo() throws IOException {
    var answer =
        RawHttp.send(
            "OPTIONS",
            port,
            "/langgraph/threads/a",
            HOST,
            ORIGIN,
            "Access-Control-Request-Method: PATCH",
            "Access-Control-Request-Headers: content-type,x-api-key,last-event-id,prefer");
    assertThat(answer)
        .startsWith("HTTP/1.1 200")
        .contains("Access-Control-Allow-Origin: https://console.example\r\n")
        .contains("x-api-key", "prefer");
    assertThat(RawHttp.get(port, "/langgraph/ok", HOST, ORIGIN, "x-api-key: alpha"))
        .contains("Content-Location", "Location", "X-Pagination-Total", "X-Pagination-Next");
  }

  @Test
  void refusesPagesOfOtherOrigins() throws IOException {
    assertThat(
            RawHttp.get(
                port, "/langgraph/ok", HOST, "Origin: https://other.example", "x-api-key: alpha"))
        .startsWith("HTTP/1.1 403")
        .doesNotContain("Access-Control-Allow-Origin");
  }
}
