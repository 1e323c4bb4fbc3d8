package dev.superstep.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.http.SseClient;
import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Two tenants and the default one, who call everything by the same names, and see nothing of each
/// other.
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "superstep.api-keys=operator",
      "superstep.tenants.enabled=true",
      "superstep.tenants.limits.bounded.runs-max=2",
      "superstep.tenants.limits.bounded.streams-max=1",
      "superstep.tenants.limits.bounded.stored-max=400KB",
      "superstep.memory.items-max=9"
    })
@Import(TestDatabase.class)
class TenantsApiTests {
  private static final String PART =
      """
      {"name": "part", "description": "%s", "channels": {"x": {}}, "nodes": [{"id": "a", "type": "expression", "config":
       {"update": {"x": 1}}}], "edges": [{"from": "__start__", "to": "a"}]}
      """;
  private static final String ITEMS = "/langgraph/store/items";
  private static final Map<String, String> KEYS = new ConcurrentHashMap<>();

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;

  @Test
  void showsATenantNothingOfOthersUnderTheSameNames() throws IOException {
    for (var tenant : List.of("acme", "globex", "default")) {
      post(tenant, "/v1/graphs", PART.formatted(tenant), "201", "200");
      post(tenant, "/v1/graphs", asks(tenant), 201);
      var run =
          post(
              tenant,
              "/v1/runs?wait=30s",
              """
              {"graph": "order", "input": {}, "id": "run-1", "thread_id": "talk",
               "metadata": {"of": "%s"}}
              """
                  .formatted(tenant),
              200);
      assertThat(run)
          .contains("\"id\":\"run-1\"", "\"graph\":\"order\"", "\"thread_id\":\"talk\"")
          .contains(tenant + "?");
      assertThat(get(tenant, "/v1/runs/run-1/state")).contains("\"by\":\"order run-1\"");
      putItem(tenant);
    }
    for (var tenant : List.of("acme", "globex", "default")) {
      assertThat(get(tenant, "/v1/runs"))
          .contains("\"of\":\"" + tenant)
          .doesNotContain(others(tenant));
      assertThat(get(tenant, "/v1/graphs/order")).contains("\"description\":\"" + tenant);
      assertThat(get(tenant, "/v1/interrupts"))
          .contains(tenant + "?")
          .doesNotContain(others(tenant));
      assertThat(get(tenant, "/langgraph/threads/talk")).doesNotContain(others(tenant));
      assertThat(get(tenant, "/langgraph/store/items?namespace=users&key=ada")).contains(tenant);
      assertThat(post(tenant, "/langgraph/store/namespaces", "{}", 200)).contains("[[\"users\"]]");
      assertThat(post(tenant, "/langgraph/store/items/search", "{}", 200))
          .contains("\"" + tenant + "\"")
          .doesNotContain(others(tenant));
    }
  }

  /// In what runs leave behind, too: events, streams, and errors of runs that their nodes begin.
  @Test
  void showsNoIdsOfRowsInWhatARunLeavesBehind() throws IOException {
    var below =
        """
        {"name": "breaks", "nodes": [{"id": "no", "type": "fail", "config": {"code": "no_luck", "message": "no"}}],
         "edges": [{"from": "__start__", "to": "no"}]}
        """;
    var above =
        """
        {"name": "calls", "nodes": [{"id": "sub", "type": "subgraph", "config": {"graph": "breaks", "input": {}}}],
         "edges": [{"from": "__start__", "to": "sub"}]}
        """;
    post("acme", "/v1/graphs", below, 201);
    post("acme", "/v1/graphs", above, 201);
    var run =
        post(
            "acme",
            "/v1/runs?wait=30s",
            "{\"graph\": \"calls\", \"input\": {}, \"id\": \"failing\"}",
            200);
    assertThat(run).contains("graph 'breaks', node 'no'");
    var child = run.replaceAll("(?s).*\"child_run_id\":\"([^\"]+)\".*", "$1");
    get("acme", "/v1/runs/" + child);
    assertThat(get("acme", "/v1/runs/failing/events"))
        .contains("\"graph\":\"calls\"", "graph 'breaks'");
    get("acme", "/v1/runs/failing/tasks");
    var wait =
        "{\"assistant_id\": \"calls\", \"input\": {}, \"stream_subgraphs\": true, \"stream_mode\": [\"values\", \"debug\", \"tasks\", \"updates\"]}";
    post("acme", "/langgraph/runs/stream", wait, 200);
    post("acme", "/langgraph/runs/wait", wait, 200);
    var storage = get("acme", "/v1/storage");
    assertThat(storage).contains("\"graph\":\"calls\"");
    assertThat(call("GET", "/v1/runs/acme%2Ffailing", key("acme"), "")).startsWith("HTTP/1.1 400");
    assertThat(call("POST", "/v1/runs", key("acme"), "{\"graph\": \"acme/calls\", \"input\": {}}"))
        .contains("there is no graph 'acme/calls'");
  }

  /// Each of its keys is far from the bound of a key.
  @Test
  void boundsWhatTheKeysOfATenantHaveTogether() throws IOException {
    var keys = List.of(key("bounded"), made("second", "bounded"), made("third", "bounded"));
    var nap =
        """
        {"name": "nap", "nodes": [{"id": "rest", "type": "wait", "config": {"for": "1h"}}],
         "edges": [{"from": "__start__", "to": "rest"}]}
        """;
    post("bounded", "/v1/graphs", nap, 201);
    for (int i = 0; i < 2; i++) {
      assertThat(start(keys.get(i), "nap-" + i)).startsWith("HTTP/1.1 202");
    }

    assertThat(start(keys.get(2), "nap-2"))
        .startsWith("HTTP/1.1 429")
        .contains(
            "run_quota_exceeded",
            "the tenant has 2 runs",
            "superstep.tenants.limits.bounded.runs-max");
    var stream = "/v1/runs/nap-%d/stream?follow=true";
    try (var open = SseClient.get(port, stream.formatted(0), bearer(keys.get(0)));
        var refused = SseClient.get(port, stream.formatted(1), bearer(keys.get(1)))) {
      assertThat(open.status()).isEqualTo(200);
      assertThat(refused.status()).isEqualTo(429);
      assertThat(call("GET", stream.formatted(1), keys.get(1), ""))
          .contains(
              "stream_quota_exceeded", "the tenant has 1 streams", "limits.bounded.streams-max");
    }
    var large = item("large", "a", "\"x\": \"%s\"".formatted(noise()));
    assertThat(call("PUT", ITEMS, keys.get(0), large)).startsWith("HTTP/1.1 204");
    assertThat(call("PUT", ITEMS, keys.get(1), large.replace("\"a\"", "\"b\"")))
        .startsWith("HTTP/1.1 429")
        .contains("storage_quota_exceeded", "the tenant would store more than 400 kB");

    call("DELETE", ITEMS, keys.get(0), "{\"namespace\": [\"large\"], \"key\": \"a\"}");
    for (int i = 0; i < 2; i++) {
      post("bounded", "/v1/runs/nap-%d/cancel".formatted(i), "{}", "200", "202");
    }
  }

  /// Letters that a database cannot compress to nothing; seed 7.
  private static String noise() {
    return new Random(7)
        .ints(300_000, 'a', 'z')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static String[] bearer(String key) {
    return new String[] {"Authorization", "Bearer " + key};
  }

  private String start(String key, String id) throws IOException {
    var body = "{\"graph\": \"nap\", \"id\": \"%s\", \"input\": {}}".formatted(id);
    return call("POST", "/v1/runs", key, body);
  }

  /// A bound of all holds for all together.
  @Test
  void countsTheItemsOfAllTenantsTogether() throws IOException {
    var refused = 0;
    for (int i = 0; i < 12; i++) {
      for (var tenant : List.of("acme", "globex", "default")) {
        var answer =
            call("PUT", "/langgraph/store/items", key(tenant), item("many", String.valueOf(i), ""));
        refused += answer.startsWith("HTTP/1.1 429") ? 1 : 0;
      }
    }
    assertThat(refused).isPositive();
    assertThat(jdbc.sql("select count(*) from memory_item").query(Long.class).single())
        .isLessThanOrEqualTo(9);
    for (var tenant : List.of("acme", "globex", "default")) {
      for (int i = 0; i < 12; i++) {
        var key = "{\"namespace\": [\"many\"], \"key\": \"%d\"}".formatted(i);
        assertThat(call("DELETE", "/langgraph/store/items", key(tenant), key))
            .startsWith("HTTP/1.1 204");
      }
    }
  }

  /// Only whoever runs the server makes keys of another tenant, and sees those of all.
  @Test
  void keepsTheKeysOfATenantFromOthers() throws IOException {
    var acme = key("acme");
    var globex = key("globex");
    var wanted = "{\"name\":\"%s\",\"roles\":[\"viewer\"]%s}";
    var made = call("POST", "/v1/keys", acme, wanted.formatted("reports", ""));
    assertThat(made).startsWith("HTTP/1.1 201").contains("\"tenant\":\"acme\"");
    var id = made.replaceAll("(?s).*\"id\":\"([^\"]+)\".*", "$1");
    assertThat(call("POST", "/v1/keys", globex, wanted.formatted("reports", "")))
        .as("a name that another tenant has")
        .startsWith("HTTP/1.1 201");
    for (var tenant : List.of("acme", "default", "new")) {
      assertThat(
              call(
                  "POST",
                  "/v1/keys",
                  globex,
                  wanted.formatted("x", ",\"tenant\":\"" + tenant + "\"")))
          .startsWith("HTTP/1.1 403");
    }
    assertThat(call("POST", "/v1/keys", "operator", wanted.formatted("x", ",\"tenant\":\"A/b\"")))
        .startsWith("HTTP/1.1 422")
        .contains("\"/tenant\"");

    assertThat(call("GET", "/v1/keys?limit=200", globex, "")).doesNotContain(id, "acme");
    for (var stranger : List.of(globex, key("default"))) {
      assertThat(call("POST", "/v1/keys/%s/rotate".formatted(id), stranger, "{}"))
          .startsWith("HTTP/1.1 404");
      assertThat(call("DELETE", "/v1/keys/" + id, stranger, "")).startsWith("HTTP/1.1 404");
    }
    assertThat(call("GET", "/v1/keys?limit=200", "operator", ""))
        .contains(id, "\"tenant\":\"acme\"", "\"tenant\":\"globex\"");
    var secret = made.replaceAll("(?s).*\"secret\":\"([^\"]+)\".*", "$1");
    assertThat(call("GET", "/v1/runs", secret, "")).startsWith("HTTP/1.1 200");
    var rotated =
        call("POST", "/v1/keys/%s/rotate".formatted(id), "operator", "{\"overlap\":\"0s\"}")
            .replaceAll("(?s).*\"secret\":\"([^\"]+)\".*", "$1");
    assertThat(call("GET", "/v1/runs", rotated, "")).startsWith("HTTP/1.1 200");
    assertThat(call("GET", "/v1/runs", secret, "")).startsWith("HTTP/1.1 401");
    assertThat(call("DELETE", "/v1/keys/" + id, acme, "")).startsWith("HTTP/1.1 204");
    assertThat(call("GET", "/v1/runs", rotated, "")).startsWith("HTTP/1.1 401");
  }

  /// A release that knows no tenants looks for the digest of the secret alone.
  @Test
  void isUnknownToAReleaseWithoutTenants() throws Exception {
    var secret = key("acme");
    var digest =
        jdbc.sql("select digest from api_key where id = ?")
            .param(secret.split("_", -1)[1])
            .query(byte[].class)
            .single();
    assertThat(digest)
        .isNotEqualTo(MessageDigest.getInstance("SHA-256").digest(secret.getBytes(UTF_8)));
  }

  /// Ids with a slash are none of anybody: written so, they would be another tenant's.
  @ParameterizedTest
  @ValueSource(strings = {"acme/order", "/order", "default/order"})
  void takesNoIdThatLooksLikeAnotherTenants(String id) throws IOException {
    post("acme", "/v1/graphs", PART.formatted("acme"), "201", "200");
    for (var tenant : List.of("default", "globex", "acme")) {
      for (var member : List.of("graph", "thread_id", "id")) {
        var body =
            new HashMap<>(Map.of("graph", "part", "thread_id", "t-" + tenant, "id", "r-" + tenant));
        body.put(member, id);
        var json =
            Json.write(
                ObjectValue.of(
                        body.entrySet().stream()
                            .collect(
                                Collectors.toMap(Map.Entry::getKey, it -> Value.of(it.getValue()))))
                    .plus("input", ObjectValue.empty()));
        assertThat(call("POST", "/v1/runs", key(tenant), json))
            .as("%s of %s", member, tenant)
            .containsPattern("HTTP/1.1 (404|422)");
      }
    }
  }

  private static String asks(String tenant) {
    return """
    {"name": "order", "description": "%s", "channels": {"by": {}, "said": {}}, "nodes": [
      {"id": "mine", "type": "expression", "config": {"update": {"by": "{{ run.graph + ' ' + run.id }}"}}},
      {"id": "below", "type": "subgraph", "config": {"graph": "part", "input": {}}},
      {"id": "ask", "type": "human", "config": {"payload": "%1$s?", "answer_to": "said"}}],
     "edges": [{"from": "__start__", "to": "mine"}, {"from": "mine", "to": "below"},
               {"from": "below", "to": "ask"}]}
    """
        .formatted(tenant);
  }

  private static List<String> others(String tenant) {
    return List.of("acme", "globex", "default").stream()
        .filter(it -> !it.equals(tenant))
        .map(it -> "\"" + it + "\"")
        .toList();
  }

  private static String item(String namespace, String key, String members) {
    return "{\"namespace\": [\"%s\"], \"key\": \"%s\", \"value\": {%s}}"
        .formatted(namespace, key, members);
  }

  private void putItem(String tenant) throws IOException {
    assertThat(
            call(
                "PUT",
                "/langgraph/store/items",
                key(tenant),
                item("users", "ada", "\"of\": \"" + tenant + "\"")))
        .startsWith("HTTP/1.1 204");
  }

  /// Nor anywhere else: what clients read has no tenant in an id.
  private String get(String tenant, String path) throws IOException {
    var answer = call("GET", path, key(tenant), "");
    assertThat(answer).as(path).startsWith("HTTP/1.1 200").doesNotContain(tenant + "/");
    return answer;
  }

  private String post(String tenant, String path, String body, int status) throws IOException {
    return post(tenant, path, body, String.valueOf(status));
  }

  private String post(String tenant, String path, String body, String... statuses)
      throws IOException {
    var answer = call("POST", path, key(tenant), body);
    assertThat(answer)
        .as(path)
        .containsPattern("^HTTP/1.1 (" + String.join("|", statuses) + ")")
        .doesNotContain(tenant + "/");
    return answer;
  }

  private String key(String tenant) throws IOException {
    var known = KEYS.get(tenant);
    if (known == null) {
      known = made("key-of-" + tenant, tenant);
      KEYS.put(tenant, known);
    }
    return known;
  }

  private String made(String name, String tenant) throws IOException {
    var wanted =
        "{\"name\":\"%s\",\"tenant\":\"%s\",\"roles\":[\"admin\",\"author\",\"operator\",\"runner\",\"answerer\"]}"
            .formatted(name, tenant);
    var answer = call("POST", "/v1/keys", "operator", wanted);
    assertThat(answer).startsWith("HTTP/1.1 201").contains("\"tenant\":\"" + tenant + "\"");
    return answer.replaceAll("(?s).*\"secret\":\"([^\"]+)\".*", "$1");
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
