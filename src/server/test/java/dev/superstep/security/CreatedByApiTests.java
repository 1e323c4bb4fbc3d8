package dev.superstep.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Versions, runs and answers name the key that made them.
@KeyedApiTest
class CreatedByApiTests {
  private static final String GRAPH =
      """
      {"name": "named", "channels": {},
       "nodes": [{"id": "ask", "type": "human", "config": {"payload": "'Publish?'"}}],
       "edges": [{"from": "__start__", "to": "ask"}, {"from": "ask", "to": "__end__"}]}
      """;

  @LocalServerPort private int port;

  @Test
  void namesWhoPostedStartedAndAnswered() throws IOException {
    var author = make("author-of-named", "author");
    var starter = make("starter-of-named", "run");
    var person = make("person-of-named", "run");

    var posted = call("POST", "/v1/graphs", secret(author), GRAPH);
    assertThat(posted).startsWith("HTTP/1.1 201").contains(createdBy(author));
    assertThat(call("POST", "/v1/graphs", "beta", GRAPH))
        .as("the same content makes no version of another author")
        .startsWith("HTTP/1.1 200")
        .contains(createdBy(author));

    var started =
        call(
            "POST",
            "/v1/runs?wait=20s",
            secret(starter),
            "{\"id\":\"nr\",\"graph\":\"named\",\"input\":{}}");
    assertThat(started).contains(createdBy(starter), "\"status\":\"interrupted\"");
    assertThat(call("GET", "/v1/interrupts?graph=named", "alpha", ""))
        .doesNotContain("answered_by");

    var answer = "{\"answers\":[{\"value\":\"yes\"}]}";
    var resumed = call("POST", "/v1/runs/nr/resume?wait=20s", secret(person), answer);
    assertThat(resumed).contains(createdBy(starter), "\"status\":\"succeeded\"");
    assertThat(call("GET", "/v1/runs?graph=named", "alpha", "")).contains(createdBy(starter));
    assertThat(call("GET", "/v1/runs/nr/interrupts", "alpha", ""))
        .contains("\"answered_by\":\"" + member(person, "id") + "\"");

    var fork = call("POST", "/v1/runs/nr/fork", secret(person), "{\"checkpoint\":0}");
    assertThat(fork).as("a fork is of the key that asked for it").contains(createdBy(person));
  }

  private static String createdBy(String key) {
    return "\"created_by\":\"" + member(key, "id") + "\"";
  }

  private static String secret(String key) {
    return member(key, "secret");
  }

  private static String member(String made, String name) {
    return made.replaceAll("(?s).*\"" + name + "\":\"([^\"]+)\".*", "$1");
  }

  private String make(String name, String scope) throws IOException {
    var body = "{\"name\":\"%s\",\"scopes\":[\"%s\"]}".formatted(name, scope);
    return call("POST", "/v1/keys", "alpha", body);
  }

  private String call(String method, String path, String key, String body) throws IOException {
    return RawHttp.sendBody(
        method,
        port,
        path,
        body,
        "Host: superstep.example",
        "Authorization: Bearer " + key,
        "Content-Type: application/json",
        "Content-Length: " + body.getBytes(UTF_8).length);
  }
}
