package dev.superstep.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/// Keys that are made over the API, and what their scopes allow.
@KeyedApiTest
class StoredKeyApiTests {
  /// Made once, as there is one service.
  private static final Map<String, String> KEYS = new HashMap<>();

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;

  @Autowired
  @Qualifier("requestMappingHandlerMapping")
  private RequestMappingHandlerMapping operations;

  @Test
  void findsAScopeOnEveryOperation() {
    var open = new ArrayList<String>();
    operations
        .getHandlerMethods()
        .forEach((mapping, method) -> {
          if (mapping.getPatternValues().stream().anyMatch(it -> it.startsWith("/v1"))
              && !method.hasMethodAnnotation(Requires.class)) {
            open.add(mapping.toString());
          }
        });
    assertThat(open).as("operations that nobody may call").isEmpty();
  }

  @Test
  void makesAKeyThatItShowsOnce() throws IOException {
    var made = make("alpha", "once", "\"read\"");
    var secret = text(made, "secret");
    assertThat(secret).matches("superstep_[0-9a-f]{16}_[A-Za-z0-9_-]{43}");

    var listed = call("GET", "/v1/keys?limit=200", "alpha", "");
    assertThat(listed).startsWith("HTTP/1.1 200").contains("\"once\"").doesNotContain(secret);
    var stored =
        jdbc.sql("select cast(k as text) from api_key k where name = 'once'")
            .query(String.class)
            .single();
    assertThat(stored).doesNotContain(secret.substring(secret.lastIndexOf('_') + 1));
    assertThat(call("GET", "/v1/runs", secret, "")).startsWith("HTTP/1.1 200");
    assertThat(call("GET", "/v1/runs", secret + "x", "")).startsWith("HTTP/1.1 401");
    assertThat(call("GET", "/v1/runs", secret.substring(0, secret.length() - 2) + "__", ""))
        .startsWith("HTTP/1.1 401");
  }

  @ParameterizedTest
  @CsvSource({
    "read,GET,/v1/runs",
    "read,GET,/v1/server",
    "run,POST,/v1/runs",
    "run,POST,/v1/runs/x/cancel",
    "author,POST,/v1/graphs",
    "author,POST,/v1/expressions/evaluate",
    "operate,DELETE,/v1/runs/x",
    "operate,DELETE,/v1/threads/x"
  })
  void letsAKeyDoOnlyWhatItsScopesAllow(String needed, String method, String path)
      throws IOException {
    for (var scope : List.of("read", "run", "answer", "author", "operate", "admin")) {
      var answer = call(method, path, key(scope), method.equals("POST") ? "{}" : "");
      if (scope.equals(needed)) {
        assertThat(answer).as(scope).doesNotContain(" 401 ", "insufficient_scope");
      } else {
        assertThat(answer)
            .as(scope)
            .startsWith("HTTP/1.1 403")
            .contains("\"code\":\"insufficient_scope\"", "\"scope\":\"" + needed + "\"")
            .contains(
                "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"" + needed + "\"");
      }
    }
  }

  @Test
  void tellsAKeyWhatItMayDo() throws IOException {
    var looking = text(make("alpha", "looking", "\"read\",\"run\""), "secret");
    assertThat(call("GET", "/v1/server", looking, ""))
        .startsWith("HTTP/1.1 200")
        .contains("Cache-Control: no-store", "\"scopes\":[\"read\",\"run\",\"answer\"]");
    assertThat(call("GET", "/v1/server", "alpha", ""))
        .contains(
            "\"scopes\":[\"read\",\"run\",\"answer\",\"author\",\"operate\",\"work\",\"admin\"]");
    assertThat(call("GET", "/v1/server", key("author"), "")).startsWith("HTTP/1.1 403");
  }

  @Test
  void makesNoKeyThatMayDoMoreThanItsMaker() throws IOException {
    var operator = key("operate");
    assertThat(call("POST", "/v1/keys", operator, body("more", "\"operate\",\"author\"")))
        .startsWith("HTTP/1.1 403")
        .contains("\"scope\":\"author\"");
    assertThat(make(operator, "as-much", "\"operate\"")).isNotNull();
  }

  @Test
  void makesNoKeyThatOutlivesItsMaker() throws IOException {
    var end = "2100-01-01T00:00:00Z";
    var mortal = text(make("alpha", "mortal", "\"operate\",\"read\"", end), "secret");

    assertThat(make(mortal, "child", "\"operate\"")).contains("\"expires_at\":\"" + end + "\"");
    assertThat(make(mortal, "sooner", "\"read\"", "2099-12-31T23:59:59Z"))
        .contains("\"expires_at\":\"2099-12-31T23:59:59Z\"");
    assertThat(make(mortal, "as-late", "\"read\"", end)).contains("\"expires_at\":\"" + end + "\"");
    assertThat(post(mortal, "later", "\"read\"", "2100-01-01T00:00:01Z"))
        .startsWith("HTTP/1.1 422")
        .contains("\"pointer\":\"/expires_at\"", "is after " + end);
    var child = text(make(mortal, "child-2", "\"operate\",\"read\""), "secret");
    assertThat(post(child, "grandchild", "\"read\"", "2100-01-01T00:00:01Z"))
        .startsWith("HTTP/1.1 422");
    assertThat(make("alpha", "lasting", "\"read\"")).doesNotContain("expires_at");
  }

  @Test
  void revokesAKeyAtOnceOnTheReplicaThatIsAsked() throws IOException {
    var made = make("alpha", "short-lived", "\"read\"");
    assertThat(call("GET", "/v1/graphs", text(made, "secret"), "")).startsWith("HTTP/1.1 200");
    assertThat(call("DELETE", "/v1/keys/" + text(made, "id"), "alpha", ""))
        .startsWith("HTTP/1.1 204");
    assertThat(call("GET", "/v1/graphs", text(made, "secret"), "")).startsWith("HTTP/1.1 401");
    assertThat(call("DELETE", "/v1/keys/" + text(made, "id"), "alpha", ""))
        .startsWith("HTTP/1.1 404")
        .contains("\"code\":\"key_not_found\"");
  }

  @Test
  void takesNoKeyThatHasExpired() throws IOException {
    var made = make("alpha", "expired", "\"read\"");
    jdbc.sql("update api_key set expires_at = now() - interval '1 second' where id = :id")
        .param("id", text(made, "id"))
        .update();
    assertThat(call("GET", "/v1/graphs", text(made, "secret"), "")).startsWith("HTTP/1.1 401");
  }

  @Test
  void notesWhenAKeyWasUsedWithoutAWriteForEachCall() throws IOException {
    var made = make("alpha", "noted", "\"read\"");
    var used = "select last_used_at is not null from api_key where id = :id";
    call("GET", "/v1/graphs", text(made, "secret"), "");
    assertThat(jdbc.sql(used).param("id", text(made, "id")).query(Boolean.class).single()).isTrue();
    var version = "select cast(xmin as text) from api_key where id = :id";
    var before = jdbc.sql(version).param("id", text(made, "id")).query(String.class).single();
    call("GET", "/v1/graphs", text(made, "secret"), "");
    assertThat(jdbc.sql(version).param("id", text(made, "id")).query(String.class).single())
        .isEqualTo(before);
  }

  @Test
  void givesAKeyAnotherSecretAndTakesTheOldOneForAWhile() throws IOException {
    var made = make("alpha", "rotated", "\"read\"");
    var id = text(made, "id");
    var first = text(made, "secret");

    var answer = rotate("alpha", id, "{\"overlap\":\"1h\"}");
    var second = text(answer, "secret");
    assertThat(answer)
        .startsWith("HTTP/1.1 200")
        .contains("Cache-Control: no-store", "\"id\":\"" + id + "\"", "\"scopes\":[\"read\"]")
        .contains("\"previous_ends_at\"");
    assertThat(second).isNotEqualTo(first).startsWith("superstep_" + id);
    for (var secret : List.of(first, second)) {
      assertThat(call("GET", "/v1/graphs", secret, "")).startsWith("HTTP/1.1 200");
    }
    assertThat(rotate("alpha", id, "{}"))
        .as("what is in use is not cut off by mistake")
        .startsWith("HTTP/1.1 409")
        .contains("\"code\":\"conflict\"");
    assertThat(call("GET", "/v1/graphs", first, "")).startsWith("HTTP/1.1 200");
    var third = text(rotate("alpha", id, "{\"overlap\":\"0s\"}"), "secret");
    for (var secret : List.of(first, second)) {
      assertThat(call("GET", "/v1/graphs", secret, "")).startsWith("HTTP/1.1 401");
    }
    assertThat(call("GET", "/v1/graphs", third, "")).startsWith("HTTP/1.1 200");
    call("DELETE", "/v1/keys/" + id, "alpha", "");
    assertThat(call("GET", "/v1/graphs", third, "")).startsWith("HTTP/1.1 401");
    assertThat(rotate("alpha", id, "{}"))
        .startsWith("HTTP/1.1 404")
        .contains("\"code\":\"key_not_found\"");
  }

  @Test
  void takesAnOldSecretNoLongerThanItsOverlap() throws IOException {
    var made = make("alpha", "overlapping", "\"read\"");
    rotate("alpha", text(made, "id"), "{}");
    assertThat(call("GET", "/v1/graphs", text(made, "secret"), "")).startsWith("HTTP/1.1 200");
    jdbc.sql("update api_key set previous_ends_at = now() - interval '1 ms' where id = :id")
        .param("id", text(made, "id"))
        .update();
    await()
        .untilAsserted(() ->
            assertThat(call("GET", "/v1/graphs", text(made, "secret"), ""))
                .startsWith("HTTP/1.1 401"));
  }

  /// Who rotates a key has its secret.
  @Test
  void givesNobodyTheSecretOfAKeyThatMayMoreOrLastsLonger() throws IOException {
    var author = text(make("alpha", "writes", "\"author\""), "id");
    var lasting = text(make("alpha", "lasts", "\"read\""), "id");
    var keys = text(make("alpha", "only-keys", "\"admin\",\"read\""), "secret");
    var mortal =
        text(make("alpha", "ends", "\"admin\",\"read\"", "2100-01-01T00:00:00Z"), "secret");

    assertThat(rotate(keys, author, "{}"))
        .startsWith("HTTP/1.1 403")
        .contains("\"scope\":\"author\"");
    assertThat(rotate(mortal, lasting, "{}")).startsWith("HTTP/1.1 403").contains("forbidden");
    assertThat(rotate(keys, lasting, "{}")).startsWith("HTTP/1.1 200");
    for (var overlap : List.of("31d", "-1s", "soon")) {
      assertThat(rotate("alpha", lasting, "{\"overlap\":\"%s\"}".formatted(overlap)))
          .startsWith("HTTP/1.1 422")
          .contains("\"pointer\":\"/overlap\"");
    }
  }

  private String rotate(String by, String id, String body) throws IOException {
    return call("POST", "/v1/keys/%s/rotate".formatted(id), by, body);
  }

  @Test
  void makesNoSecondKeyOfAName() throws IOException {
    make("alpha", "twice", "\"read\"");
    assertThat(call("POST", "/v1/keys", "alpha", body("twice", "\"run\"")))
        .startsWith("HTTP/1.1 409")
        .contains("\"code\":\"key_exists\"");
  }

  /// Neither it nor the keys that it makes, and revoking one in between frees its own place only.
  @Test
  void leavesRoomForTheKeysOfOthers() throws IOException {
    var filler = make("alpha", "filler", "\"operate\"");
    var below = make(text(filler, "secret"), "below", "\"operate\"");
    jdbc.sql(
            """
            insert into api_key (id, name, digest, scopes, created_at, created_by, root)
            select 'filled-' || n, 'filled-' || n, sha256(n::text::bytea), 'read', now(), :by, :root
              from generate_series(1, 98) as n
            """)
        .param("by", text(below, "id"))
        .param("root", text(filler, "id"))
        .update();
    make(text(below, "secret"), "last", "\"operate\"");

    for (var maker : List.of(filler, below)) {
      assertThat(call("POST", "/v1/keys", text(maker, "secret"), body("more", "\"operate\"")))
          .contains("\"code\":\"limit_exceeded\"", "made 100 keys");
    }
    call("DELETE", "/v1/keys/" + text(below, "id"), "alpha", "");
    make(text(filler, "secret"), "instead", "\"operate\"");
    assertThat(call("POST", "/v1/keys", text(filler, "secret"), body("more", "\"operate\"")))
        .contains("\"code\":\"limit_exceeded\"");

    make("alpha", "of-others", "\"operate\"");
    jdbc.sql("delete from api_key where id like 'filled-%'").update();
  }

  /// A stream that would go on for as long as its run waits.
  @Test
  void endsTheStreamsOfAKeyThatIsRevoked() throws Exception {
    var graph =
        """
        {"name": "asks-for-ever", "nodes": [{"id": "ask", "type": "human",
         "config": {"payload": "?"}}], "edges": [{"from": "__start__", "to": "ask"}]}
        """;
    assertThat(call("POST", "/v1/graphs", "alpha", graph)).startsWith("HTTP/1.1 201");
    var run = call("POST", "/v1/runs", "alpha", "{\"graph\":\"asks-for-ever\",\"input\":{}}");
    var reader = make("alpha", "reader", "\"read\"");
    var path = "/v1/runs/%s/stream?follow=true".formatted(text(run, "id"));
    var stream =
        new FutureTask<>(() ->
            RawHttp.get(
                port,
                path,
                "Host: superstep.example",
                "Accept: text/event-stream",
                "Authorization: Bearer " + text(reader, "secret")));
    Thread.ofVirtual().start(stream);
    await().until(() -> opened(text(reader, "id")));

    call("DELETE", "/v1/keys/" + text(reader, "id"), "alpha", "");

    assertThat(stream.get(1, TimeUnit.MINUTES)).contains("stream.cut", "key_ended");
    call("POST", "/v1/runs/%s/cancel".formatted(text(run, "id")), "alpha", "{}");
  }

  private boolean opened(String key) {
    return jdbc.sql("select last_used_at is not null from api_key where id = :id")
        .param("id", key)
        .query(Boolean.class)
        .single();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"name\":\"x\"}",
        "{\"name\":\"x\",\"scopes\":[]}",
        "{\"name\":\"x\",\"scopes\":[\"viewer\"]}",
        "{\"name\":\"x\",\"roles\":[\"run\"]}",
        "{\"name\":\"x\",\"roles\":[],\"scopes\":[]}",
        "{\"name\":\"x\",\"scopes\":[null]}",
        "{\"name\":\"a b\",\"scopes\":[\"read\"]}",
        "{\"name\":\"x\",\"scopes\":[\"read\"],\"expires_at\":\"2020-01-01T00:00:00Z\"}",
        "{\"name\":\"x\",\"scopes\":[\"read\"],\"expires_at\":\"+12345-01-01T00:00:00Z\"}"
      })
  void refusesWhatIsNoKey(String body) throws IOException {
    assertThat(call("POST", "/v1/keys", "alpha", body)).startsWith("HTTP/1.1 422");
  }

  private String key(String scope) throws IOException {
    if (!KEYS.containsKey(scope)) {
      KEYS.put(scope, text(make("alpha", "scoped-" + scope, "\"" + scope + "\""), "secret"));
    }
    return Objects.requireNonNull(KEYS.get(scope));
  }

  private String make(String by, String name, String scopes) throws IOException {
    var answer = call("POST", "/v1/keys", by, body(name, scopes));
    assertThat(answer).startsWith("HTTP/1.1 201").contains("Cache-Control: no-store");
    return answer;
  }

  private String make(String by, String name, String scopes, String end) throws IOException {
    var answer = post(by, name, scopes, end);
    assertThat(answer).startsWith("HTTP/1.1 201");
    return answer;
  }

  private String post(String by, String name, String scopes, String end) throws IOException {
    var more = ",\"expires_at\":\"%s\"}".formatted(end);
    return call("POST", "/v1/keys", by, body(name, scopes).replaceFirst("}$", more));
  }

  private static String text(String made, String member) {
    return made.replaceAll("(?s).*\"" + member + "\":\"([^\"]+)\".*", "$1");
  }

  private static String body(String name, String scopes) {
    return "{\"name\":\"%s\",\"scopes\":[%s]}".formatted(name, scopes);
  }

  private String call(String method, String path, String key, String body) throws IOException {
    var headers =
        Stream.of(
            "Host: superstep.example",
            "Authorization: Bearer " + key,
            "Content-Type: application/json",
            "Content-Length: " + body.getBytes(UTF_8).length);
    return RawHttp.sendBody(method, port, path, body, headers.toArray(String[]::new));
  }
}
