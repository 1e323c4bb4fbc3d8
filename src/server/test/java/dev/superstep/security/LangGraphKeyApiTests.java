package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
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
  void letsOnlyKeysThatMayRunCancelByLeaving() throws IOException {
    var reader = key("lg-reader", "read");
    graph("lg-left");
    var run = "{\"id\": \"left\", \"graph\": \"lg-left\", \"input\": {}}";
    assertThat(post("/v1/runs?wait=20s", "alpha", run)).contains("\"status\":\"succeeded\"");

    for (var path :
        List.of(
            "/threads/left/runs/left/join",
            "/threads/left/runs/left/stream",
            "/runs/left/stream")) {
      var uri = "/langgraph" + path;
      assertThat(RawHttp.get(port, uri, HOST, "x-api-key: " + reader)).startsWith("HTTP/1.1 200");
      uri += "?cancel_on_disconnect=1";
      assertThat(RawHttp.get(port, uri, HOST, "x-api-key: " + reader))
          .startsWith("HTTP/1.1 403")
          .contains("\"code\":\"insufficient_scope\"");
      assertThat(RawHttp.get(port, uri, HOST, "x-api-key: beta")).startsWith("HTTP/1.1 200");
      // As a picture or a link of any page, where a proxy adds the key.
      assertThat(RawHttp.get(port, uri, HOST, "x-api-key: beta", "Sec-Fetch-Site: cross-site"))
          .startsWith("HTTP/1.1 403")
          .contains("\"code\":\"forbidden\"");
    }
  }

  @Test
  void beginsABatchWholeOrNotAtAll() throws IOException {
    var starter = key("lg-starter", "run");
    graph("lg-batch");
    var later = "{\"assistant_id\": \"lg-batch\", \"input\": {}, \"after_seconds\": 3600}";
    var unknown = "{\"assistant_id\": \"lg-batch-unknown\", \"input\": {}}";
    assertThat(post("/langgraph/runs/batch", starter, List.of(later, unknown).toString()))
        .startsWith("HTTP/1.1 404");
    assertThat(RawHttp.get(port, "/v1/runs?graph=lg-batch", HOST, "Authorization: Bearer alpha"))
        .startsWith("HTTP/1.1 200")
        .doesNotContain("\"id\"");
    var two = Collections.nCopies(2, later).toString();
    assertThat(post("/langgraph/runs/batch", starter, two)).startsWith("HTTP/1.1 200");
  }

  @Test
  void erasesARolledBackRunOnlyWithAKeyThatMayOperate() throws IOException {
    var starter = key("lg-roller", "run");
    graph("lg-rolled");
    var later =
        "{\"assistant_id\": \"lg-rolled\", \"input\": {}, \"after_seconds\": 3600,"
            + " \"on_completion\": \"keep\"}";
    for (var canceller : List.of(starter, "beta")) {
      var begun = post("/langgraph/runs", starter, later);
      var path =
          "/langgraph/threads/%s/runs/%s"
              .formatted(member(begun, "thread_id"), member(begun, "run_id"));
      assertThat(post(path + "/cancel?action=rollback&wait=1", canceller, "{}"))
          .startsWith("HTTP/1.1 204");
      assertThat(RawHttp.get(port, path, HOST, "x-api-key: beta"))
          .startsWith(canceller.equals("beta") ? "HTTP/1.1 404" : "HTTP/1.1 200");
    }
  }

  private String key(String name, String scope) throws IOException {
    var body = "{\"name\": \"%s\", \"scopes\": [\"%s\"]}".formatted(name, scope);
    return member(post("/v1/keys", "alpha", body), "secret");
  }

  private static String member(String answer, String name) {
    return answer.replaceAll("(?s).*\"" + name + "\":\"([^\"]+)\".*", "$1");
  }

  private void graph(String name) throws IOException {
    var graph =
        """
        {"name": "%s",
         "nodes": [{"id": "one", "type": "expression", "config": {"update": {"n": 1}}}],
         "edges": [{"from": "__start__", "to": "one"}]}\
        """
            .formatted(name);
    assertThat(post("/v1/graphs", "alpha", graph)).startsWith("HTTP/1.1 201");
  }

  private String post(String path, String key, String body) throws IOException {
    return RawHttp.sendBody(
        "POST",
        port,
        path,
        body,
        HOST,
        "Authorization: Bearer " + key,
        "Content-Type: application/json",
        "Content-Length: " + body.length());
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
