package dev.superstep.langgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The store as clients of the LangGraph Agent Server call it.
@ApiTest
class StoreApiTests {
  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  private FaceClient face = new FaceClient(0);

  @BeforeEach
  void empties() {
    jdbc.sql("truncate memory_item").update();
    face = new FaceClient(port);
  }

  @Test
  void keepsItemsUntilTheyAreDeleted() {
    var put = put("food", "{\"likes\": \"pizza\", \"n\": 1e300}", ", \"index\": false");
    assertThat(put.status()).isEqualTo(204);
    assertThat(put.text()).isEmpty();

    var item = face.get("/store/items?namespace=users.ana&key=food").ok();
    assertThat(item.at("/namespace")).isEqualTo("[\"users\",\"ana\"]");
    assertThat(item.at("/key")).isEqualTo("food");
    assertThat(item.at("/value/likes")).isEqualTo("pizza");
    assertThat(item.at("/created_at")).endsWith("Z");
    assertThat(item.at("/updated_at")).isEqualTo(item.at("/created_at"));

    var deleted =
        face.send(
            "DELETE",
            "/langgraph/store/items",
            "{\"namespace\": [\"users\", \"ana\"], \"key\": \"food\"}");
    assertThat(deleted.status()).isEqualTo(204);
    assertThat(face.get("/store/items?namespace=users.ana&key=food").ok().text()).isEqualTo("null");
  }

  /// The index of the database takes no entry of more than some 2,700 bytes, unless it shrinks.
  @Test
  void refusesPlacesThatTheIndexDoesNotTake() {
    var random = new Random(27);
    var labels =
        IntStream.range(0, 14)
            .mapToObj(_ -> "\"%s\"".formatted(hex(random, 190)))
            .collect(Collectors.joining(", "));
    var body = "{\"namespace\": [%s], \"key\": \"k\", \"value\": {}}".formatted(labels);
    var refused = face.send("PUT", "/langgraph/store/items", body).is(422, "limit_exceeded");
    assertThat(refused.at("/errors/0/pointer")).isEqualTo("/key");
    var fitting = body.replaceFirst("\"[0-9a-f]+\", \"[0-9a-f]+\", ", "");
    assertThat(face.send("PUT", "/langgraph/store/items", fitting).status()).isEqualTo(204);
  }

  private static String hex(Random random, int length) {
    var bytes = new byte[length / 2];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void searchesByNamespaceAndMembers() {
    put("one", "{\"stars\": 1, \"kind\": \"note\"}", "");
    put("two", "{\"stars\": 2, \"kind\": \"note\"}", "");
    put("three", "{\"stars\": 3, \"kind\": \"fact\"}", "");

    var notes = search("\"filter\": {\"kind\": \"note\", \"stars\": {\"$gte\": 1, \"$lt\": 2}}");
    assertThat(notes.at("/items/0/key")).isEqualTo("one");
    assertThat(notes.at("/items/1")).isEmpty();
    var second = search("\"namespace_prefix\": [\"users\"], \"limit\": 1, \"offset\": 1");
    assertThat(second.at("/items/0/key")).isEqualTo("two");
    assertThat(second.at("/items/1")).isEmpty();
    assertThat(search("\"namespace_prefix\": [\"shops\"]").at("/items")).isEqualTo("[]");
    assertThat(search("\"filter\": null, \"unknown\": 1").at("/items/2/key")).isEqualTo("one");
  }

  @Test
  void listsNamespaces() {
    put("one", "{}", "");
    var found = face.post("/store/namespaces", "{\"prefix\": [\"users\"], \"max_depth\": 1}").ok();
    assertThat(found.at("/namespaces")).isEqualTo("[[\"users\"]]");
    assertThat(face.post("/store/namespaces", "{\"suffix\": [\"*\", \"x\"]}").at("/namespaces"))
        .isEqualTo("[]");
  }

  @Test
  void refusesWhatItCannotDoAndSaysWhere() {
    assertThat(search("\"query\": \"what does she like?\"").is(422, "not_supported").text())
        .contains("/query", "no vector search");
    assertThat(search("\"filter\": {\"a/b\": {\"$like\": \"x\"}}").is(422, "invalid_value").text())
        .contains("/filter/a~1b", "$like");
    assertThat(
            face.send(
                    "PUT",
                    "/langgraph/store/items",
                    "{\"namespace\": [\"a.b\"], \"key\": \"k\", \"value\": {}}")
                .is(422, "invalid_value")
                .text())
        .contains("/namespace/0");
    assertThat(put("k", "{}", ", \"ttl\": 0").is(422, "invalid_value").text()).contains("/ttl");
    assertThat(put("k", "null", "").is(422, "invalid_value").text()).contains("/value");
    face.get("/store/items?key=k").is(422, "invalid_value");
  }

  @Test
  void expiresItems() {
    put("short", "{}", ", \"ttl\": 0.5");
    assertThat(jdbc.sql("select ttl_ms from memory_item").query(Integer.class).single())
        .isEqualTo(30_000);
    jdbc.sql("update memory_item set expires_at = now() - interval '1 second'").update();

    assertThat(face.get("/store/items?namespace=users.ana&key=short").ok().text())
        .isEqualTo("null");
    assertThat(search("").at("/items")).isEqualTo("[]");
  }

  private FaceClient.Reply put(String key, String value, String more) {
    return face.send(
        "PUT",
        "/langgraph/store/items",
        "{\"namespace\": [\"users\", \"ana\"], \"key\": \"%s\", \"value\": %s%s}"
            .formatted(key, value, more));
  }

  private FaceClient.Reply search(String members) {
    return face.post("/store/items/search", "{%s}".formatted(members));
  }
}
